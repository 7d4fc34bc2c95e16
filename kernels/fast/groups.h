// The hand-fused groups of this build. All take the ranges and contexts that group_io.h describes.
#pragma once
#include "kernels/fast/slow_range.h"

namespace fzm {
enum class DifferenceMode : uint8_t;
}

namespace fzm::fast {

struct FusedGroup {
  bool (*encode)(GroupIo& io);
  void (*decode)(GroupIo& io);
  Chain chain;             // what its slow ranges go through
  uint32_t scratch_bytes;  // of its own, besides those of slow ranges; both use the same memory
};

#if defined(__x86_64__)
// Null where there is none for these parameters.
const FusedGroup* fsz_group_avx2();
const FusedGroup* blocks_group_avx2(uint32_t block, bool differences, bool first_apart);
const FusedGroup* tiles_group_avx2(uint32_t x, uint32_t y, uint32_t z, bool first_apart);
const FusedGroup* chunks_group_avx2(bool quantized, DifferenceMode mode);
#endif

}  // namespace fzm::fast
