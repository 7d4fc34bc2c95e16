#include "core/spec/bound_rule.h"

namespace fzm {
namespace {

// The first stage on the way from the chunk that hands on something else than the chunk's values;
// null if none does.
const StageSpec* what_changes_values(const Spec& spec, Edge read) {
  const StageSpec* nearest_to_chunk = nullptr;
  while (read.from != kExternal) {
    const StageSpec& s = spec.stages[static_cast<size_t>(read.from)];
    const bool is_array = s.stage->outputs[read.port].kind == PortKind::array;
    if (!is_array || !s.stage->passes_values) nearest_to_chunk = &s;
    read = s.inputs[0];
  }
  return nearest_to_chunk;
}

}  // namespace

Status check_bound_is_on_chunk(const Spec& spec) {
  for (const StageSpec& s : spec.stages) {
    if (!s.stage->is_lossy) continue;
    if (const StageSpec* const between = what_changes_values(spec, s.inputs[0]))
      return Status(Code::bad_graph, "stage '" + s.name + "' (" + std::string(s.stage->name) +
                                         ") keeps a bound on what it reads, and '" + between->name +
                                         "' (" + std::string(between->stage->name) +
                                         ") before it does not hand on the values of the chunk");
  }
  return {};
}

}  // namespace fzm
