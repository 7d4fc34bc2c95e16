#include "core/plan/slots.h"

#include <algorithm>

#include "core/plan/sizes.h"
#include "core/plan/useful_bytes.h"

namespace fzm {
namespace {

uint32_t group_of(const Plan& plan, uint32_t stage) {
  for (uint32_t g = 0; g < plan.groups.size(); ++g)
    for (const uint32_t s : plan.groups[g].stages)
      if (s == stage) return g;
  return 0;
}

// The slot that holds what the group reads; null where that is the chunk itself or another port.
const Slot* input_slot(const Plan& plan, const Group& g) {
  const Edge& input = plan.stages[g.stages.front()].input;
  for (const Slot& s : plan.slots)
    if (s.port == input) return &s;
  return nullptr;
}

// The most bytes of pieces that the group's stages make. A mask that leaves no trace makes none, but here it might.
uint64_t most_piece_bytes(const Plan& plan, const Group& g) {
  uint64_t bytes = 0;
  for (const uint32_t i : g.stages) bytes += plan.stages[i].pieces() * useful_bytes(plan, plan.stages[i]);
  return bytes;
}

}  // namespace

bool writes_over_input(const Plan& plan, const Group& g) {
  const PlannedStage& head = plan.stages[g.stages.front()];
  const PlannedStage& tail = plan.stages[g.stages.back()];
  if (head.input.from == kExternal || tail.array_port() < 0 || g.fast.encode) return false;
  const PlannedStage& source = plan.stages[static_cast<size_t>(head.input.from)];
  if (source.stage->outputs[head.input.port].kind != PortKind::array) return false;
  const BlockCode& code = head.code();
  return !code.is_wide && !code.out_values && dtype_bytes(head.in) == dtype_bytes(tail.out);
}

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
    const Group& maker = plan.groups[slot.born];
    const Slot* const input = input_slot(plan, maker);
    const bool is_array = plan.stages[static_cast<size_t>(slot.port.from)].array_port() == static_cast<int32_t>(slot.port.port);
    if (input && is_array && writes_over_input(plan, maker)) {
      slot.color = input->color;
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
  uint64_t most = 0, pieces = 0;
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    std::vector<bool> is_live(plan.color_bytes.size(), false);
    for (const Slot& s : plan.slots)
      if (s.born <= g && g <= s.dies) is_live[s.color] = true;
    uint64_t arrays = 0;
    for (size_t c = 0; c < is_live.size(); ++c)
      if (is_live[c]) arrays += plan.color_bytes[c];
    // Together they are given up where they are more than the chunk.
    pieces = std::min(pieces + most_piece_bytes(plan, plan.groups[g]), useful_frame_bytes(plan));
    most = std::max(most, arrays + pieces);
  }
  return most;
}

}  // namespace fzm
