#include "kernels/device/block_slots.h"

#include <algorithm>

#include "core/plan/sizes.h"

namespace fzm {
namespace {

constexpr uint64_t kSlotUnit = 16;  // the gather reads whole words
constexpr uint64_t kSlack = 64;     // and may read beyond the last slot

// Worst case of piece k of any block of the job.
uint64_t largest_piece(const StageJob& stage, uint32_t k, const BlockJob& job) {
  const auto most = stage.planned->code().max_piece_bytes;
  const uint32_t rest = job.values % job.block_values;
  const uint64_t of_rest = rest ? most(k, rest, stage.context.data()) : 0;
  return job.values < job.block_values ? of_rest : std::max<uint64_t>(most(k, job.block_values, stage.context.data()), of_rest);
}

}  // namespace

Status BlockSlots::place(Queue& queue, const StageJob& stage, uint64_t most_useful, BlockJob& job, std::vector<BlockSlots>& to) {
  const PlannedStage& s = *stage.planned;
  for (uint32_t k = 0; k < s.pieces(); ++k) {
    const uint64_t most = max_piece_bytes(s, stage.context.data(), k, job.values, job.block_values);
    if (most == 0) continue;
    BlockSlots& slots = to.emplace_back();
    slots.piece = k;
    slots.room = std::min(most, most_useful);
    job.slot_bytes[k] = (largest_piece(stage, k, job) + kSlotUnit - 1) / kSlotUnit * kSlotUnit;
    const uint64_t entries = uint64_t{job.blocks} + 1;
    FZM_TRY(queue.allocate(job.slot_bytes[k] * job.blocks + kSlack, slots.memory));
    FZM_TRY(queue.allocate(entries * sizeof(uint32_t), slots.size));
    FZM_TRY(queue.allocate(entries * sizeof(uint64_t), slots.at));
    job.piece[k] = slots.memory.data();
    job.size[k] = slots.size.as<uint32_t>();
  }
  return {};
}

Status BlockSlots::gather(Queue& queue, const BlockJob& job, uint8_t* to, uint64_t* bytes) const {
  auto* const positions = at.as<uint64_t>();
  FZM_TRY(queue.scan_sizes(size.as<uint32_t>(), job.blocks + 1, positions));
  FZM_TRY(queue.copy(bytes, positions + job.blocks, sizeof(uint64_t)));
  return queue.gather_pieces(memory.data(), job.slot_bytes[piece], positions, job.blocks, to, room);
}

}  // namespace fzm
