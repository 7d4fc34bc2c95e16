// A CUDA block on the CPU, so that CtaGroup and every codec in it run where no GPU is. Include before
// kernels/base/cta_group.h.
//
// Each worker is a fiber with its own stack, and all run in one thread: a switch takes a fraction of a microsecond, 1024
// workers are no burden, and the order in which they proceed is drawn from a seed, so that a failure comes back.
// A worker runs until it reaches a barrier or a warp's exchange. Whatever doesn't add up there (a worker that ends
// while others wait, lanes of a warp in different exchanges) stops the program with a sentence.
// Under ThreadSanitizer a fiber is a thread and only barriers order memory, so that a missing barrier is a reported race.
#pragma once
#include <cstdint>

#if defined(__CUDACC__)
#error "cta_on_cpu.h stands in for CUDA; under nvcc there is the real thing"
#endif
#define FZM_CTA_ON_CPU 1

namespace fzm::emulation {

inline constexpr uint32_t kMostWorkers = 1024;

// Runs body(argument) as each of `workers` workers of one block, to the end.
void run_block(uint32_t workers, uint64_t seed, void (*body)(void*), void* argument);

template <class F>
void run_block(uint32_t workers, uint64_t seed, F f) {
  run_block(workers, seed, [](void* p) { (*static_cast<F*>(p))(); }, &f);
}

// What a worker gives to an exchange with its warp, and finds afterwards.
enum class Exchange : uint8_t { none, ballot, shuffle, warp_barrier };
struct Lanes {
  uint64_t given[32];
  uint32_t votes;
};
const Lanes& exchange(Exchange kind, uint64_t given);
bool block_barrier(bool vote);

// Reads of "built-in variables" must not look like shared memory to ThreadSanitizer.
struct WorkerIndex {
  operator uint32_t() const;
};
struct BlockSize {
  operator uint32_t() const;
};
uint64_t given_by(const Lanes& lanes, uint32_t lane);
uint32_t votes_of(const Lanes& lanes);

}  // namespace fzm::emulation

// The names CUDA has for it.
// NOLINTBEGIN(bugprone-reserved-identifier)
inline constexpr struct { fzm::emulation::WorkerIndex x; } threadIdx{};
inline constexpr struct { fzm::emulation::BlockSize x; } blockDim{};

inline void __syncthreads() { fzm::emulation::block_barrier(false); }
inline int __syncthreads_or(int vote) { return fzm::emulation::block_barrier(vote != 0); }
inline void __syncwarp() { fzm::emulation::exchange(fzm::emulation::Exchange::warp_barrier, 0); }
inline uint32_t __ballot_sync(uint32_t, bool vote) {
  return fzm::emulation::votes_of(fzm::emulation::exchange(fzm::emulation::Exchange::ballot, vote));
}
template <class T>
T __shfl_sync(uint32_t, T v, uint32_t source) {
  return static_cast<T>(
      fzm::emulation::given_by(fzm::emulation::exchange(fzm::emulation::Exchange::shuffle, v), source % 32));
}
template <class T>
T __shfl_up_sync(uint32_t mask, T v, uint32_t distance) {
  const uint32_t lane = threadIdx.x % 32;
  return __shfl_sync(mask, v, lane >= distance ? lane - distance : lane);
}
template <class T>
T __shfl_down_sync(uint32_t mask, T v, uint32_t distance) {
  const uint32_t lane = threadIdx.x % 32;
  return __shfl_sync(mask, v, lane + distance < 32 ? lane + distance : lane);
}
template <class T>
T __shfl_xor_sync(uint32_t mask, T v, uint32_t pattern) {
  return __shfl_sync(mask, v, (threadIdx.x % 32) ^ pattern);
}
inline uint32_t atomicOr(uint32_t* word, uint32_t bits) { return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED); }
// NOLINTEND(bugprone-reserved-identifier)
