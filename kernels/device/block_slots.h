// Room for one piece of every block at its worst, and the way from there to a section without gaps.
#pragma once
#include "kernels/device/stage_job.h"

namespace fzm {

struct BlockSlots {
  uint32_t piece = 0;
  DeviceBuffer memory, size, at;
  uint64_t room = 0;  // bytes that the section may have; more is not worth storing

  // Adds those of every piece that the stage may write, and points the job at them. `most_useful`: see core/run/useful_bytes.h.
  static Status place(Queue& queue, const StageJob& stage, uint64_t most_useful, BlockJob& job, std::vector<BlockSlots>& to);
  // Queues the way to the section at `to`, which has `room`; how many bytes there are goes to `bytes`, in device memory. If they
  // are more than `room`, the section is of no use.
  Status gather(Queue& queue, const BlockJob& job, uint8_t* to, uint64_t* bytes) const;
};

}  // namespace fzm
