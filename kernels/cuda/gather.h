// From block-sized slots to one section: where each piece goes, and the copy. Positions are in block order whatever the
// order in which blocks were done.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace fzm {

// at[i] = size[0] + ... + size[i - 1] for i < n. With `temp` null only temp_bytes is set (it depends on n alone).
cudaError_t scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at, void* temp, size_t& temp_bytes, cudaStream_t stream);

// Copies the piece of every block, at slots + b * slot_bytes, to `to` + at[b]. Nothing is written beyond `room` bytes: where
// at[blocks] is more, the section is of no use, which the caller sees when it learns at[blocks].
cudaError_t gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                          uint64_t room, cudaStream_t stream);

}  // namespace fzm
