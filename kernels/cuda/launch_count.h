// How many kernels this process has started: for measurements.
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>

namespace fzm {

inline std::atomic<uint64_t> kernels_launched{0};

// To be returned right behind a launch.
inline cudaError_t launched() {
  kernels_launched.fetch_add(1, std::memory_order_relaxed);
  return cudaGetLastError();
}

}  // namespace fzm
