// The kernels of a single codec K. A grid of resident CUDA blocks takes the array's blocks in turns, so that scratch in device
// memory is bounded by what runs at once. Freestanding, for NVRTC.
#pragma once
#include "kernels/base/block_work.h"

FZM_CODECS_BEGIN

inline constexpr uint32_t kMostThreads = 256;

// Dynamic shared memory: what CtaGroup needs, then the codec's scratch unless job.scratch is set.
FZM_D uint8_t* block_shared() {
  extern __shared__ __align__(128) uint8_t fzm_shared[];
  return fzm_shared;
}
FZM_D CtaGroup group_of_block(const BlockJob& job) { return CtaGroup{job.fault, block_shared()}; }
FZM_D uint8_t* scratch_of_block(const BlockJob& job) {
  return job.scratch ? job.scratch + blockIdx.x * job.scratch_bytes : block_shared() + CtaGroup::kSharedBytes;
}

template <class K, class C>
__global__ void __launch_bounds__(kMostThreads) encode_blocks(const __grid_constant__ BlockJob job, const __grid_constant__ C c) {
  for (uint32_t b = blockIdx.x; b < job.blocks; b += gridDim.x)
    encode_block<K>(group_of_block(job), job, b, scratch_of_block(job), c);
}
template <class K, class C>
__global__ void __launch_bounds__(kMostThreads) decode_blocks(const __grid_constant__ BlockJob job, const __grid_constant__ C c) {
  for (uint32_t b = blockIdx.x; b < job.blocks; b += gridDim.x)
    decode_block<K>(group_of_block(job), job, b, scratch_of_block(job), c);
}
template <class K, class C>
__global__ void __launch_bounds__(kMostThreads)
    decode_pass_blocks(uint32_t pass, const __grid_constant__ BlockJob job, const __grid_constant__ C c) {
  for (uint32_t b = blockIdx.x; b < job.blocks; b += gridDim.x) decode_pass_block<K>(group_of_block(job), pass, job, b, c);
}

// One partial a CUDA block; merge_partials makes them one, in the first.
template <class K, class C>
__global__ void __launch_bounds__(kMostThreads)
    observe_blocks(const __grid_constant__ BlockJob job, const __grid_constant__ C c, typename K::Partial* partials) {
  typename K::Partial sum{};
  for (uint32_t b = blockIdx.x; b < job.blocks; b += gridDim.x)
    observe_block<K>(group_of_block(job), job, b, scratch_of_block(job), c, sum);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}
template <class K>
__global__ void __launch_bounds__(kMostThreads) merge_partials(typename K::Partial* partials, uint32_t n) {
  for (uint32_t i = threadIdx.x + blockDim.x; i < n; i += blockDim.x) K::merge(partials[threadIdx.x], partials[i]);
  for (uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half && threadIdx.x + half < n) K::merge(partials[threadIdx.x], partials[threadIdx.x + half]);
  }
}

template <class K, class C>
__global__ void __launch_bounds__(kMostThreads) measure_blocks(const __grid_constant__ BlockJob job, const __grid_constant__ C c) {
  for (uint32_t b = blockIdx.x * blockDim.x + threadIdx.x; b < job.blocks; b += gridDim.x * blockDim.x) measure_block<K>(job, b, c);
}
template <class K>
__global__ void __launch_bounds__(kMostThreads) find_list_blocks(const __grid_constant__ BlockJob job) {
  for (uint32_t b = blockIdx.x * blockDim.x + threadIdx.x; b <= job.blocks; b += gridDim.x * blockDim.x) find_list<K>(job, b);
  const uint32_t entries = static_cast<uint32_t>(job.section_bytes[1] / 4);
  bool wrong = false;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < entries; i += gridDim.x * blockDim.x) wrong |= !is_in_order(job, i);
  CtaGroup{job.fault, nullptr}.fault_if(wrong, Fault::bad_index);
}

FZM_CODECS_END
