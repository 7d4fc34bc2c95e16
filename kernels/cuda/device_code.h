// One codec variant for the GPU, with its types erased: what the CUDA backend calls. The counterpart of BlockCode; sizes
// (records, pieces, scratch) are asked of that one.
#pragma once
#include <cuda_runtime_api.h>

#include <span>
#include <string_view>

#include "kernels/base/block_job.h"

namespace fzm {

enum class DeviceWork : uint8_t { encode, decode, decode_pass, observe };

// How much of the present device a codec takes.
struct DeviceShape {
  uint32_t resident = 0;       // blocks that it runs at once; 0: it can't, see error
  uint64_t scratch_bytes = 0;  // for each of them in device memory; 0: shared memory does
  cudaError_t error = cudaSuccess;
};

// Pointers are null where the codec has no such member. `c` is a Context of the stage, in host memory, and is copied. Every
// call only queues work on the stream; errors are those of the launch.
struct DeviceCode {
  DeviceShape (*shape)(DeviceWork work, uint32_t block_values, const void* c) = nullptr;
  cudaError_t (*encode)(const BlockJob& job, const void* c, cudaStream_t stream) = nullptr;
  cudaError_t (*decode)(const BlockJob& job, const void* c, cudaStream_t stream) = nullptr;
  // job.size from the records: the first step of decoding; job.at follows by scan_sizes (gather.h).
  cudaError_t (*measure)(const BlockJob& job, const void* c, cudaStream_t stream) = nullptr;
  // Lists: job.at from the indices (piece 1), which are checked to be ascending and in range.
  cudaError_t (*find_lists)(const BlockJob& job, cudaStream_t stream) = nullptr;
  // partials: job.resident of them in device memory; the first becomes the result.
  cudaError_t (*observe)(const BlockJob& job, const void* c, void* partials, cudaStream_t stream) = nullptr;
  // One sweep; job.blocks is decode_blocks(pass).
  cudaError_t (*decode_pass)(uint32_t pass, const BlockJob& job, const void* c, cudaStream_t stream) = nullptr;
};

// The variants of the stage in kernels/<folder>, in the order of its BlockCodes; empty where there is no such stage.
std::span<const DeviceCode> device_codes(std::string_view folder);

}  // namespace fzm
