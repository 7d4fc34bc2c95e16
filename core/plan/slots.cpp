#include "core/plan/slots.h"

#include <algorithm>

#include "core/plan/sizes.h"

namespace fzm {
namespace {

uint32_t group_of(const Plan& plan, uint32_t stage) {
  for (uint32_t g = 0; g < plan.groups.size(); ++g)
    for (const uint32_t s : plan.groups[g].stages)
      if (s == stage) return g;
  return 0;
}

const Slot* slot_of(const Plan& plan, const Edge& port) {
  for (const Slot& s : plan.slots)
    if (s.port.from == port.from && s.port.port == port.port) return &s;
  return nullptr;
}

// A walk reads a block before it writes it, so that an array of the same width can take the place of one that has no other use.
bool can_write_in_place(const Plan& plan, const Group& g, const Slot& out) {
  const PlannedStage& head = plan.stages[g.stages.front()];
  if (g.fast.encode || head.code().is_wide || head.code().out_values) return false;
  if (out.port.from != static_cast<int32_t>(g.stages.back())) return false;
  const PortKind kind = plan.stages[g.stages.back()].stage->outputs[out.port.port].kind;
  const Slot* const in = slot_of(plan, head.input);
  return kind == PortKind::array && in != nullptr && in->bytes == out.bytes &&
         plan.stages[static_cast<size_t>(head.input.from)].stage->outputs[head.input.port].kind == PortKind::array;
}

}  // namespace

void make_slots(Plan& plan) {
  for (uint32_t i = 0; i < plan.stages.size(); ++i)
    for (uint32_t p = 0; p < plan.stages[i].readers.size(); ++p) {
      const PlannedStage& s = plan.stages[i];
      const Port& port = s.stage->outputs[p];
      const bool is_stored_array = port.kind == PortKind::array && s.readers[p] == kSegment;
      if (s.readers[p] == kSegment && !is_stored_array) continue;
      const uint32_t from = group_of(plan, i);
      const uint32_t to = is_stored_array ? static_cast<uint32_t>(plan.groups.size())
                                          : group_of(plan, static_cast<uint32_t>(s.readers[p]));
      if (from == to) continue;  // lives inside a group's pass
      const Object c = make_context(s, default_facts(*s.stage), s.extent.values);
      plan.slots.push_back(Slot{Edge{static_cast<int32_t>(i), p},
                                max_port_bytes(s, port, c.data(), plan.groups[from].block_values), from, to, 0});
    }
  // Interval colouring, first come first served in order of birth.
  std::stable_sort(plan.slots.begin(), plan.slots.end(), [](const Slot& a, const Slot& b) { return a.born < b.born; });
  std::vector<uint32_t> busy_until;
  for (Slot& slot : plan.slots) {
    Group& maker = plan.groups[slot.born];
    if (can_write_in_place(plan, maker, slot)) {
      maker.is_in_place = true;
      slot.color = slot_of(plan, plan.stages[maker.stages.front()].input)->color;
      busy_until[slot.color] = slot.dies;
      continue;
    }
    const auto free = std::find_if(busy_until.begin(), busy_until.end(), [&](uint32_t end) { return end < slot.born; });
    slot.color = static_cast<uint32_t>(free - busy_until.begin());
    if (free == busy_until.end()) {
      busy_until.push_back(slot.dies);
      plan.color_bytes.push_back(slot.bytes);
    } else {
      *free = slot.dies;
      plan.color_bytes[slot.color] = std::max(plan.color_bytes[slot.color], slot.bytes);
    }
  }
}

uint64_t working_bytes(const Plan& plan) {
  uint64_t bytes = 0;
  for (const uint64_t c : plan.color_bytes) bytes += c;
  return bytes;
}

uint64_t encode_working_bytes(const Plan& plan) {
  uint64_t most = 0;
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    uint64_t arrays = 0, pieces = 0;
    std::vector<uint64_t> live(plan.color_bytes.size(), 0);
    for (const Slot& s : plan.slots)
      if (s.born <= g && g <= s.dies) live[s.color] = std::max(live[s.color], s.bytes);
    for (const uint64_t bytes : live) arrays += bytes;
    for (const uint32_t i : plan.groups[g].stages)
      if (plan.stages[i].pieces() > 0 && !plan.stages[i].stage->is_identity) pieces = plan.raw_bytes;
    most = std::max(most, arrays + pieces);
  }
  return most;
}

}  // namespace fzm
