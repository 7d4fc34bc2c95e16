#include "core/run/findings.h"

namespace fzm {
namespace {

// Its array must go on to another stage, or it would not be stored; and nothing may read what it takes out.
bool may_be_left_out(const PlannedStage& s) {
  if (!s.stage->is_identity) return false;
  for (size_t p = 0; p < s.readers.size(); ++p) {
    const bool is_array = s.stage->outputs[p].kind == PortKind::array;
    if (is_array != (s.readers[p] != kSegment)) return false;
  }
  return true;
}

}  // namespace

Findings::Findings(const Plan& plan) : plan_(plan), observed_(plan.stages.size()), was_seen_(plan.stages.size(), false) {
  facts.reserve(plan.stages.size());
  for (const PlannedStage& s : plan.stages) facts.push_back(default_facts(*s.stage));
  is_identity.assign(plan.stages.size(), false);
}

bool Findings::wants_observe(uint32_t stage) const {
  const PlannedStage& s = plan_.stages[stage];
  return s.code().observe && (!s.stage->needs_observe || s.stage->needs_observe(s.params.data()));
}

int32_t Findings::follower_of(uint32_t stage) const {
  const PlannedStage& s = plan_.stages[stage];
  if (!may_be_left_out(s)) return -1;
  const int32_t next = s.readers.empty() ? kSegment : s.readers[0];
  if (next == kSegment || !wants_observe(static_cast<uint32_t>(next))) return -1;
  return plan_.stages[static_cast<size_t>(next)].in == s.in ? next : -1;
}

std::vector<uint32_t> Findings::watchers(uint32_t stage) const {
  const PlannedStage& s = plan_.stages[stage];
  if (!s.stage->conclude || !wants_observe(stage) || was_seen_[stage]) return {};
  const int32_t follower = follower_of(stage);
  return follower >= 0 ? std::vector<uint32_t>{stage, static_cast<uint32_t>(follower)} : std::vector<uint32_t>{stage};
}

void Findings::note(uint32_t stage, Object partial) {
  observed_[stage] = std::move(partial);
  was_seen_[stage] = true;
}

Status Findings::conclude(uint32_t stage) {
  const PlannedStage& s = plan_.stages[stage];
  if (s.stage->conclude) {
    const void* const partial = wants_observe(stage) ? observed_[stage].data() : nullptr;
    FZM_TRY(s.stage->conclude(s.params.data(), partial, StageInput{s.in, s.extent}, facts[stage].data())
                .at("stage '" + s.name + "'"));
  }
  if (!may_be_left_out(s)) return {};
  is_identity[stage] = s.stage->is_identity(facts[stage].data());
  // What a follower saw was not its input after all.
  if (const int32_t follower = follower_of(stage); follower >= 0 && !is_identity[stage])
    was_seen_[static_cast<size_t>(follower)] = false;
  return {};
}

}  // namespace fzm
