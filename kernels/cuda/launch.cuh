// Turns a codec into a DeviceCode, member by member: the host's side of block_kernels.cuh.
#pragma once
#include "kernels/base/map.h"
#include "kernels/cuda/block_kernels.cuh"
#include "kernels/cuda/launch_count.h"
#include "kernels/device/code_of.h"

FZM_CODECS_BEGIN

// Not measured yet: 16 values a worker for small blocks, scratch in shared memory as far as it goes without asking for more.
struct LaunchPolicy {
  static constexpr uint32_t kMostSharedScratch = 48 * 1024 - CtaGroup::kSharedBytes;
  static uint32_t threads(uint32_t block_values) {
    return least(greatest(ceil_div(block_values / 16, 32) * 32, 64u), kMostThreads);
  }
};

template <class K>
struct Launch {
  using C = Context<typename K::Params, typename K::Facts>;
  static const C& context(const void* c) { return *static_cast<const C*>(c); }

  static uint64_t scratch_bytes(uint32_t block_values, const C& c) {
    if constexpr (requires { K::scratch_bytes(0u, c); }) return (uint64_t{K::scratch_bytes(block_values, c)} + 63) / 64 * 64;
    else return 0;
  }
  static uint32_t shared_bytes(uint32_t block_values, const C& c) {
    const uint64_t scratch = scratch_bytes(block_values, c);
    return CtaGroup::kSharedBytes + (scratch <= LaunchPolicy::kMostSharedScratch ? static_cast<uint32_t>(scratch) : 0);
  }
  // With scratch in device memory where the caller gave some.
  static uint32_t shared_bytes(const BlockJob& job, const C& c) {
    return job.scratch ? CtaGroup::kSharedBytes : shared_bytes(job.block_values, c);
  }

  static DeviceShape shape(DeviceWork work, uint32_t block_values, const void* context_bytes) {
    const C& c = context(context_bytes);
    DeviceShape s;
    const void* kernel = reinterpret_cast<const void*>(encode_blocks<K, C>);
    uint32_t threads = LaunchPolicy::threads(block_values), shared = shared_bytes(block_values, c);
    if (work == DeviceWork::decode) kernel = reinterpret_cast<const void*>(decode_blocks<K, C>);
    if constexpr (requires { typename K::Partial; })
      if (work == DeviceWork::observe) kernel = reinterpret_cast<const void*>(observe_blocks<K, C>);
    if constexpr (requires { K::decode_passes(c); })
      if (work == DeviceWork::decode_pass) {
        kernel = reinterpret_cast<const void*>(decode_pass_blocks<K, C>);
        threads = kMostThreads;
        shared = CtaGroup::kSharedBytes;
      }
    if (work != DeviceWork::decode_pass && scratch_bytes(block_values, c) > LaunchPolicy::kMostSharedScratch)
      s.scratch_bytes = scratch_bytes(block_values, c);
    int device = 0, processors = 0, blocks = 0;
    s.error = cudaGetDevice(&device);
    if (s.error == cudaSuccess) s.error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (s.error == cudaSuccess)
      s.error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared);
    s.resident = static_cast<uint32_t>(processors) * static_cast<uint32_t>(blocks);
    return s;
  }

  static uint32_t grid(const BlockJob& job) { return least(job.blocks, job.resident); }
  // Where one worker a block is enough.
  static uint32_t few(uint64_t items) { return static_cast<uint32_t>(least<uint64_t>(items / kMostThreads + 1, 1024)); }

  // An array without values has no blocks, but positions it has.
  static DeviceError encode(const BlockJob& job, const void* c, Stream stream) {
    if (job.blocks == 0) return clear_sizes(job, stream);
    encode_blocks<K, C><<<grid(job), LaunchPolicy::threads(job.block_values), shared_bytes(job, context(c)), stream>>>(job, context(c));
    return launched();
  }
  static DeviceError decode(const BlockJob& job, const void* c, Stream stream) {
    if (job.blocks == 0) return cudaSuccess;
    decode_blocks<K, C><<<grid(job), LaunchPolicy::threads(job.block_values), shared_bytes(job, context(c)), stream>>>(job, context(c));
    return launched();
  }
  static DeviceError measure(const BlockJob& job, const void* c, Stream stream) {
    if (job.blocks == 0) return clear_sizes(job, stream);
    measure_blocks<K, C><<<few(job.blocks), kMostThreads, 0, stream>>>(job, context(c));
    return launched();
  }
  static DeviceError find_lists(const BlockJob& job, Stream stream) {
    find_list_blocks<K><<<few(job.section_bytes[1] / 4 + job.blocks), kMostThreads, 0, stream>>>(job);
    return launched();
  }
  static DeviceError observe(const BlockJob& job, const void* c, void* partials, Stream stream) {
    auto* const p = static_cast<typename K::Partial*>(partials);
    // Also without values: the first partial is then the one of nothing.
    const uint32_t blocks = greatest(grid(job), 1u);
    observe_blocks<K, C><<<blocks, LaunchPolicy::threads(job.block_values), shared_bytes(job, context(c)), stream>>>(job, context(c), p);
    if (const cudaError_t e = launched(); e != cudaSuccess) return e;
    merge_partials<K><<<1, kMostThreads, 0, stream>>>(p, blocks);
    return launched();
  }
  static DeviceError decode_pass(uint32_t pass, const BlockJob& job, const void* c, Stream stream) {
    if (job.blocks == 0) return cudaSuccess;
    decode_pass_blocks<K, C><<<grid(job), kMostThreads, CtaGroup::kSharedBytes, stream>>>(pass, job, context(c));
    return launched();
  }

 private:
  static DeviceError clear_sizes(const BlockJob& job, Stream stream) {
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      if (!job.size[k]) continue;
      if (const cudaError_t e = cudaMemsetAsync(job.size[k], 0, sizeof(uint32_t), stream); e != cudaSuccess) return e;
    }
    return cudaSuccess;
  }
};

template <class List>
struct DeviceCodes;
template <class... K>
struct DeviceCodes<CodecList<K...>> {
  DeviceCode code[sizeof...(K)] = {code_of<K, Launch<K>>()...};
};

FZM_CODECS_END
