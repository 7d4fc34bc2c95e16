// What a hand-fused tile does not handle (a miss it cannot repair, numbers too large for its
// proofs, partial tiles, odd records) is done by the stages' own codecs on just those values.
#pragma once
#include "core/base/dtype.h"
#include "core/run/group_io.h"

namespace fzm::fast {

// Which codec: parameters and the type read decide, as in the plan. Unknown: parameters alone do.
struct StageKey {
  uint16_t id;
  DType in;
};
// The stages of a fast group, and the most values that a slow range of it has.
struct Chain {
  const StageKey* stages;
  uint32_t count;
  uint32_t unit;
};

// Working memory of slow ranges, given the contexts of the stages.
uint32_t slow_scratch_bytes(const Chain& chain, const void* const* contexts);

// Values at .. at+count of the range. Appends to the pieces (io.stage[].piece_bytes counts) and
// writes the records. `scratch` has slow_scratch_bytes. False: a piece has no room for this;
// nothing was appended then.
bool slow_encode(GroupIo& io, const Chain& chain, uint32_t at, uint32_t count, uint8_t* scratch);

// Bytes of the pieces that were read so far.
struct ReadCursor {
  uint64_t piece[kMaxGroupStages][kMaxPieces] = {};
};
void slow_decode(GroupIo& io, const Chain& chain, uint32_t at, uint32_t count, ReadCursor& cursor,
                 uint8_t* scratch);

}  // namespace fzm::fast
