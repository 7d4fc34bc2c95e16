// One codec variant for a device, with its types erased: what the device runner calls. The counterpart of BlockCode; sizes
// (records, pieces, scratch) are asked of that one. Knows no CUDA, so that a device can be modelled on the CPU.
#pragma once
#include <span>
#include <string_view>

#include "kernels/base/block_job.h"

struct CUstream_st;  // what cudaStream_t points to

namespace fzm {

using DeviceError = int;       // 0: none; else the device's own number (of a CUDA device: cudaError_t)
using Stream = CUstream_st*;  // a queue of work on the device

enum class DeviceWork : uint8_t { encode, decode, decode_pass, observe };

// How much of the present device a codec takes.
struct DeviceShape {
  uint32_t resident = 0;       // blocks that it runs at once; 0: it can't, see error
  uint64_t scratch_bytes = 0;  // for each of them in device memory; 0: shared memory does
  DeviceError error = 0;
};

// Pointers are null where the codec has no such member. `c` is a Context of the stage, in host memory, and is copied. Every
// call only queues work on the stream; errors are those of the launch.
struct DeviceCode {
  DeviceShape (*shape)(DeviceWork work, uint32_t block_values, const void* c) = nullptr;
  DeviceError (*encode)(const BlockJob& job, const void* c, Stream stream) = nullptr;
  DeviceError (*decode)(const BlockJob& job, const void* c, Stream stream) = nullptr;
  // job.size from the records: the first step of decoding; job.at follows by Device::scan_sizes.
  DeviceError (*measure)(const BlockJob& job, const void* c, Stream stream) = nullptr;
  // Lists: job.at from the indices (piece 1), which are checked to be ascending and in range.
  DeviceError (*find_lists)(const BlockJob& job, Stream stream) = nullptr;
  // partials: job.resident of them in device memory; the first becomes the result.
  DeviceError (*observe)(const BlockJob& job, const void* c, void* partials, Stream stream) = nullptr;
  // One sweep; job.blocks is decode_blocks(pass).
  DeviceError (*decode_pass)(uint32_t pass, const BlockJob& job, const void* c, Stream stream) = nullptr;
};

// The variants of the stage in kernels/<folder>, in the order of its BlockCodes; empty where there is no such stage.
std::span<const DeviceCode> device_codes(std::string_view folder);

}  // namespace fzm
