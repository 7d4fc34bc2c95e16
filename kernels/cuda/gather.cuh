// The copy kernel of gather.h.
#pragma once
#include "kernels/base/cta_group.h"

FZM_CODECS_BEGIN

inline constexpr uint32_t kGatherPart = 4096;  // bytes that a warp copies at a time: a long piece is several warps' work

// Warp w of all warps takes the parts w, w + warps, ... of all pieces.
__global__ void __launch_bounds__(256) gather_parts(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks,
                                                    uint8_t* to, uint64_t room) {
  const uint64_t parts = (slot_bytes + kGatherPart - 1) / kGatherPart, items = parts * blocks;
  const uint64_t warps = static_cast<uint64_t>(gridDim.x) * (blockDim.x / 32);
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x / 32) + threadIdx.x / 32; i < items; i += warps) {
    const uint64_t b = i / parts, skip = i % parts * kGatherPart;
    const uint64_t begin = at[b], end = at[b + 1];
    if (end > room || begin + skip >= end) continue;
    const uint32_t bytes = static_cast<uint32_t>(least<uint64_t>(end - begin - skip, kGatherPart));
    CtaGroup::copy_by_words(to + begin + skip, slots + b * slot_bytes + skip, bytes, threadIdx.x % 32, 32);
  }
}

FZM_CODECS_END
