#include "core/spec/spec.h"

#include <map>
#include <set>

namespace fzm {
namespace {

// Who reads what: (stage, port) to its reader. The chunk is (kExternal, 0).
using Readers = std::map<std::pair<int32_t, uint32_t>, std::string_view>;

// Decoding gives the chunk back once: two stages that read it would give back one each.
Status note_reader_of_chunk(const std::string& name, Readers& readers) {
  const auto [first, is_new] = readers.insert({{kExternal, 0}, name});
  if (is_new) return {};
  return Status(Code::bad_graph, "stages '" + std::string(first->second) + "' and '" + name +
                                     "' both read the chunk; one stage may, the others read what "
                                     "it makes");
}

Status check_edge(const Spec& spec, size_t reader, const Edge& e, Readers& readers) {
  const std::string& name = spec.stages[reader].name;
  if (e.from == kExternal) return note_reader_of_chunk(name, readers);
  if (e.from < 0 || static_cast<size_t>(e.from) >= reader)
    return Status(Code::bad_graph, "stage '" + name + "' reads stage " + std::to_string(e.from) +
                                       ", which does not come before it");
  const StageSpec& from = spec.stages[static_cast<size_t>(e.from)];
  if (e.port >= from.stage->outputs.size())
    return Status(Code::bad_graph, "stage '" + name + "' reads port " + std::to_string(e.port) +
                                       " of '" + from.name + "', which has " +
                                       std::to_string(from.stage->outputs.size()));
  if (!readers.insert({{e.from, e.port}, name}).second)
    return Status(Code::bad_graph, "port '" + std::string(from.stage->outputs[e.port].name) +
                                       "' of stage '" + from.name +
                                       "' is read twice, the second time by '" + name + "'");
  return {};
}

Status check_params(const StageSpec& s) {
  for (const Param& row : s.stage->params)
    FZM_TRY(check_value(row, row.get(s.params.data())).at("stage '" + s.name + "'"));
  return {};
}

}  // namespace

Status check_spec(const Spec& spec) {
  std::set<std::string_view> names;
  Readers readers;
  for (size_t i = 0; i < spec.stages.size(); ++i) {
    const StageSpec& s = spec.stages[i];
    if (!names.insert(s.name).second)
      return Status(Code::bad_graph, "two stages are named '" + s.name + "'");
    if (s.inputs.empty()) return Status(Code::bad_graph, "stage '" + s.name + "' reads nothing");
    for (const Edge& e : s.inputs) FZM_TRY(check_edge(spec, i, e, readers));
    FZM_TRY(check_params(s));
  }
  return {};
}

const Param* find_param(const Stage& stage, std::string_view key) {
  for (const Param& row : stage.params)
    if (row.name == key) return &row;
  return nullptr;
}

}  // namespace fzm
