#include "core/run/frame_check.h"

namespace fzm {
namespace {

// What the frame says where the shape, or the stage before, says it too.
Status check_values(const PlannedStage& s, uint32_t said, uint32_t wanted) {
  if (s.input.from == kExternal || said == wanted) return {};
  return Status(Code::corrupt, "stage '" + s.name + "': the frame speaks of " + std::to_string(said) + " values, there are " +
                                   std::to_string(wanted));
}

Status check_facts(const PlannedStage& s, const Object& facts) {
  if (!s.stage->check_facts) return {};
  return s.stage->check_facts(s.params.data(), facts.data(), StageInput{s.in, s.extent}).at("stage '" + s.name + "'");
}

}  // namespace

Result<GroupContexts> check_group(const Plan& plan, const Group& group, const DecodeInput& input) {
  const uint32_t first = group.stages.front();
  const PlannedStage& head = plan.stages[first];
  const uint32_t inputs = head.is_exact ? head.extent.values : input.input_values[first];
  if (inputs > head.extent.values)
    return Status(Code::corrupt, "stage '" + head.name + "': " + std::to_string(inputs) + " values where at most " +
                                     std::to_string(head.extent.values) + " are possible");
  for (const uint32_t i : group.stages) FZM_TRY(check_facts(plan.stages[i], input.facts[i]));
  GroupContexts contexts(plan, group, input.facts, inputs);
  for (const uint32_t i : group.stages)
    FZM_TRY(check_values(plan.stages[i], input.input_values[i], i == first ? inputs : contexts.values));
  return contexts;
}

std::string faults_text(uint32_t word) {
  std::string text;
  const auto add = [&](Fault f, const char* what) {
    if (word >> static_cast<uint32_t>(f) & 1) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(Fault::bad_record, "a record is not possible");
  add(Fault::bad_payload, "a block's content does not fit its size");
  add(Fault::bad_index, "an index is out of place");
  return text;
}

}  // namespace fzm
