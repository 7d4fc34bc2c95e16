#include "core/plan/groups.h"

#include <algorithm>
#include <numeric>

#include "core/plan/sizes.h"

namespace fzm {
namespace {

// 4096 values: what stages hand to each other stays in the first-level cache.
constexpr uint32_t kWalkValues = 4096;
// The largest common block that is worth walking; beyond, stages run one after another.
constexpr uint64_t kMaxCommonBlock = 16384;

Object plan_context(const PlannedStage& s) { return make_context(s, default_facts(*s.stage), s.extent.values); }

uint32_t granularity_of(const PlannedStage& s) {
  const Object c = plan_context(s);
  return std::max(s.code().granularity(c.data()), 1u);
}

// Why `next` cannot run in the same pass as a group that ends with `last`; empty if it can.
std::string what_separates(const PlannedStage& last, const PlannedStage& next, uint64_t common) {
  if (last.stage->is_identity) return "'" + last.name + "' is left out when it has nothing to do";
  if (next.stage->is_identity) return "'" + next.name + "' is left out when it has nothing to do";
  if (last.code().decode_passes) return "'" + last.name + "' is undone in several sweeps";
  if (next.code().decode_passes) return "'" + next.name + "' is undone in several sweeps";
  if (next.code().is_wide) return "'" + next.name + "' needs the whole array";
  if (next.code().observe && next.stage->conclude) return "'" + next.name + "' must see the data first";
  if (next.in != last.out && dtype_bytes(next.in) != dtype_bytes(last.out)) return "widths differ";
  if (common > kMaxCommonBlock) return "blocks of '" + last.name + "' and '" + next.name + "' have no small common multiple";
  return {};
}

// The only reader of the array port, or kSegment.
int32_t array_reader(const PlannedStage& s) {
  for (size_t p = 0; p < s.readers.size(); ++p)
    if (s.stage->outputs[p].kind == PortKind::array) return s.readers[p];
  return kSegment;
}

uint32_t scratch_of(const Plan& plan, const Group& g) {
  uint32_t most = 0;
  for (const uint32_t i : g.stages) {
    const PlannedStage& s = plan.stages[i];
    if (!s.code().scratch_bytes) continue;
    const Object c = plan_context(s);
    most = std::max(most, s.code().scratch_bytes(std::min(g.block_values, std::max(s.out_values, 1u)), c.data()));
  }
  return most;
}

void finish(const Plan& plan, Group& g) {
  g.block_values = g.granularity * std::max(1u, kWalkValues / g.granularity);
  const PlannedStage& first = plan.stages[g.stages.front()];
  g.values = first.out_values;
  std::vector<const PlannedStage*> members;
  for (const uint32_t i : g.stages) members.push_back(&plan.stages[i]);
  g.fast = find_fast_group(members);
  g.scratch_bytes = std::max(scratch_of(plan, g), g.fast.scratch_bytes);
}

}  // namespace

std::vector<Group> make_groups(const Plan& plan) {
  std::vector<Group> groups;
  std::vector<bool> taken(plan.stages.size(), false);
  for (uint32_t i = 0; i < plan.stages.size(); ++i) {
    if (taken[i]) continue;
    Group g;
    uint32_t last = i;
    g.stages.push_back(i);
    taken[i] = true;
    g.granularity = granularity_of(plan.stages[i]);
    while (g.stages.size() < kMaxGroupStages) {
      const int32_t next = array_reader(plan.stages[last]);
      if (next == kSegment) break;
      const auto n = static_cast<uint32_t>(next);
      const uint64_t common = std::lcm(uint64_t{g.granularity}, uint64_t{granularity_of(plan.stages[n])});
      g.why_not_fused = what_separates(plan.stages[last], plan.stages[n], common);
      if (!g.why_not_fused.empty()) break;
      g.granularity = static_cast<uint32_t>(common);
      g.stages.push_back(n);
      taken[n] = true;
      last = n;
    }
    finish(plan, g);
    groups.push_back(std::move(g));
  }
  return groups;
}

}  // namespace fzm
