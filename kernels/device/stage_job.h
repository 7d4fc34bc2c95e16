// One stage on a device: its code, its context, and how its array is cut into blocks.
#pragma once
#include "core/plan/plan.h"
#include "kernels/device/queue.h"

namespace fzm {

struct StageJob {
  const PlannedStage* planned = nullptr;
  const DeviceCode* code = nullptr;
  Object context;
  uint32_t inputs = 0;  // values of the array input
  uint32_t values = 0;  // of the array that is cut into blocks
  uint32_t granularity = 1;

  BlockJob blocks() const;         // encode, decode, measure, find_lists
  BlockJob observed() const;       // observe: over the input
  BlockJob sweep(uint32_t pass) const;
  // Sets what depends on the device: how many blocks run at once, and their scratch, which must live until the work is queued.
  Status fit(Queue& queue, DeviceWork work, BlockJob& job, DeviceBuffer& scratch) const;
};

// Errors: no_device where the device has no code of the stage.
Status make_stage_job(Queue& queue, const PlannedStage& s, Object context, uint32_t inputs, StageJob& to);

// The port that piece k of a stage's blocks goes to; -1: none.
int32_t port_of_piece(const PlannedStage& s, uint32_t k);

}  // namespace fzm
