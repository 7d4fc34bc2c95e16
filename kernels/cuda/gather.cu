#include "kernels/cuda/gather.h"

#include <cub/device/device_scan.cuh>

#include "kernels/cuda/gather.cuh"
#include "kernels/cuda/launch_count.h"

namespace fzm {

cudaError_t scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at, void* temp, size_t& temp_bytes, cudaStream_t stream) {
  // The start value's type is the sum's: 64 bits.
  return cub::DeviceScan::ExclusiveScan(temp, temp_bytes, size, at, cuda::std::plus<uint64_t>{}, uint64_t{0}, n, stream);
}

cudaError_t gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                          uint64_t room, cudaStream_t stream) {
  const uint64_t parts = (slot_bytes + FZM_TARGET::kGatherPart - 1) / FZM_TARGET::kGatherPart;
  const uint64_t items = parts * blocks;
  if (items == 0) return cudaSuccess;
  constexpr uint32_t kWarps = 8, kMostBlocks = 4096;
  const uint64_t wanted = (items + kWarps - 1) / kWarps;
  FZM_TARGET::gather_parts<<<static_cast<uint32_t>(wanted < kMostBlocks ? wanted : kMostBlocks), 32 * kWarps, 0, stream>>>(
      slots, slot_bytes, at, blocks, to, room);
  return launched();
}

}  // namespace fzm
