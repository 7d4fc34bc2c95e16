// Runs a range of a group block by block, stage by stage: the reference that every tuned path must equal.
#pragma once
#include "core/plan/plan.h"
#include "core/run/group_io.h"

namespace fzm {

// What the walk needs of a group besides its data, worked out once.
struct WalkPlan {
  explicit WalkPlan(const Plan& plan, const Group& group);

  std::vector<const PlannedStage*> stages;
  uint32_t block_values;
  uint32_t array_values;  // of a block's arrays: a hostile granularity may be far beyond what there is
  uint64_t scratch_bytes;  // two arrays of a block, and the codecs' own scratch
  uint32_t codec_scratch;
};

// The contexts of a group's stages for an array of `head_inputs` values at its head.
struct GroupContexts {
  GroupContexts(const Plan& plan, const Group& group, const std::vector<Object>& facts, uint32_t head_inputs);

  std::vector<Object> contexts;
  uint32_t inputs;
  uint32_t values;  // of the group's block-contiguous arrays
};

// False when a piece's room may not hold the next block; what was written so far is then of no use.
bool walk_encode(const WalkPlan& walk, GroupIo& io);
// Needs every piece to hold exactly what the records say (cut_ports), and lists to be ascending.
void walk_decode(const WalkPlan& walk, GroupIo& io);

}  // namespace fzm
