#include "core/spec/connect.h"

#include <algorithm>
#include <map>

#include "core/spec/suggest.h"

namespace fzm {
namespace {

using Index = std::map<std::string_view, int32_t>;

Result<Index> index_names(const std::vector<NamedStage>& stages) {
  Index index;
  for (const NamedStage& s : stages) {
    if (s.spec.name == kExternalName)
      return Status(Code::bad_graph,
                    s.where + ": '__external__' is the chunk itself, a stage cannot be named so");
    if (!index.emplace(s.spec.name, static_cast<int32_t>(index.size())).second)
      return Status(Code::bad_graph, s.where + ": two stages are named '" + s.spec.name + "'");
  }
  return index;
}

Result<uint32_t> find_port(const Stage& stage, const NamedInput& input) {
  if (input.port.empty()) return 0u;
  std::vector<std::string_view> known;
  for (uint32_t p = 0; p < stage.outputs.size(); ++p) {
    if (stage.outputs[p].name == input.port) return p;
    known.push_back(stage.outputs[p].name);
  }
  return Status(Code::bad_graph, input.where + ": stage '" + input.from + "' (" +
                                     std::string(stage.name) + ") has no port '" + input.port +
                                     "'" + suggestion(input.port, known));
}

Result<Edge> find_edge(const NamedInput& input, const NamedStage& reader,
                       const std::vector<NamedStage>& stages, const Index& index) {
  if (input.from == kExternalName) return Edge{};
  const auto found = index.find(input.from);
  if (found == index.end()) {
    std::vector<std::string_view> known{kExternalName};
    for (const auto& [name, at] : index) known.push_back(name);
    return Status(Code::bad_graph, input.where + ": stage '" + reader.spec.name + "' reads '" +
                                       input.from + "', which is not a stage" +
                                       suggestion(input.from, known));
  }
  const Result<uint32_t> port =
      find_port(*stages[static_cast<size_t>(found->second)].spec.stage, input);
  if (!port.ok()) return port.status();
  return Edge{found->second, *port};
}

Status resolve_inputs(std::vector<NamedStage>& stages, const Index& index) {
  const NamedStage* source = nullptr;
  for (NamedStage& s : stages) {
    if (s.inputs.empty() && source != nullptr)
      return Status(Code::bad_graph, s.where + ": stage '" + s.spec.name +
                                         "' has no inputs; one stage may leave them out, here '" +
                                         source->spec.name + "'");
    if (s.inputs.empty()) {
      source = &s;
      s.spec.inputs.push_back({});
    }
    for (const NamedInput& input : s.inputs) {
      const Result<Edge> e = find_edge(input, s, stages, index);
      if (!e.ok()) return e.status();
      s.spec.inputs.push_back(*e);
    }
  }
  return {};
}

bool is_ready(const StageSpec& s, const std::vector<int32_t>& place) {
  return std::all_of(s.inputs.begin(), s.inputs.end(), [&](const Edge& e) {
    return e.from == kExternal || place[static_cast<size_t>(e.from)] >= 0;
  });
}

Status cycle_among(const std::vector<NamedStage>& stages, const std::vector<int32_t>& place) {
  std::string names;
  const NamedStage* first = nullptr;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (place[i] >= 0) continue;
    if (first == nullptr) first = &stages[i];
    names += (names.empty() ? "'" : ", '") + stages[i].spec.name + "'";
  }
  return Status(
      Code::bad_graph,
      first->where + ": these stages wait for each other, in a cycle or behind one: " + names);
}

}  // namespace

Result<std::vector<StageSpec>> connect(std::vector<NamedStage> stages) {
  const Result<Index> index = index_names(stages);
  if (!index.ok()) return index.status();
  FZM_TRY(resolve_inputs(stages, *index));

  std::vector<int32_t> place(stages.size(), -1);  // of each stage in the order that is being made
  std::vector<StageSpec> ordered;
  while (ordered.size() < stages.size()) {
    size_t next = 0;
    while (next < stages.size() && (place[next] >= 0 || !is_ready(stages[next].spec, place)))
      ++next;
    if (next == stages.size()) return cycle_among(stages, place);
    place[next] = static_cast<int32_t>(ordered.size());
    ordered.push_back(std::move(stages[next].spec));
    for (Edge& e : ordered.back().inputs)
      if (e.from != kExternal) e.from = place[static_cast<size_t>(e.from)];
  }
  return ordered;
}

}  // namespace fzm
