// Memory of one CUDA device, handed out in a stream's order: from one pool for all streams where the device has pools, by
// cudaMalloc and lists of spare blocks where it has none (or FZM_FORCE_POOL_FALLBACK is set).
//
// What is released stays ours, so that the next chunk of the same kind costs no allocation by the driver.
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fzm {

// How much may be taken, and what was. All streams of a device share one.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit) : limit_(limit) {}
  bool take(uint64_t bytes);
  void give_back(uint64_t bytes) { taken_ -= bytes; }

  uint64_t limit() const { return limit_; }
  uint64_t taken() const { return taken_; }
  uint64_t peak() const { return peak_; }
  // Of those that were granted.
  uint64_t allocations() const { return allocations_; }
  void restart_peak() { peak_ = taken_.load(); }

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> taken_{0}, peak_{0}, allocations_{0};
};

// The pool of one device. Never destroyed before the process ends: see backend.h.
struct DevicePool {
  int device = 0;
  cudaMemPool_t pool = nullptr;  // null: plain allocation
  MemoryBudget budget;

  explicit DevicePool(uint64_t limit) : budget(limit) {}
};

// The pool of the device that is current. `limit` of 0: FZM_MEMORY_LIMIT, else a share of what is free now.
cudaError_t open_pool(int device, uint64_t limit, DevicePool*& pool);

// What one stream holds. Used by one thread at a time, with the pool's device current.
class StreamMemory {
 public:
  StreamMemory(DevicePool& pool, cudaStream_t stream) : pool_(pool), stream_(stream) {}
  StreamMemory(const StreamMemory&) = delete;

  // Null: the budget or the device has no more. Any other error is kept for failure().
  void* allocate(uint64_t bytes);
  void release(void* memory);
  // Everything that was not released.
  void release_all();
  // Back to the device, all that waits for the next allocation.
  void drop_spares();
  cudaError_t failure() const { return failure_; }

 private:
  struct Spare {
    void* memory;
    uint64_t bytes;
  };
  void* from_spares(uint64_t bytes);
  void* from_device(uint64_t bytes);

  DevicePool& pool_;
  cudaStream_t stream_;
  std::unordered_map<void*, uint64_t> live_;
  std::vector<Spare> spares_;  // without a pool; ours by the stream's order
  cudaError_t failure_ = cudaSuccess;
};

}  // namespace fzm
