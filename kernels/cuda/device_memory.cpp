#include "kernels/cuda/device_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "kernels/device/memory_limit.h"

namespace fzm {
namespace {

// Of the free memory: the rest is for the program around us and for other processes on the device.
constexpr uint64_t kShareOfFree = 80;  // percent
constexpr uint64_t kUnit = 512;        // what the driver rounds to anyway

uint64_t rounded(uint64_t bytes) { return (std::max<uint64_t>(bytes, 1) + kUnit - 1) / kUnit * kUnit; }

bool has_pools(int device) {
  if (std::getenv("FZM_FORCE_POOL_FALLBACK") != nullptr) return false;
  int supported = 0;
  const cudaError_t asked = cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
  return asked == cudaSuccess && supported != 0;
}

// A pool of our own: the program's default pool keeps its settings.
cudaError_t make_pool(int device, uint64_t keep, cudaMemPool_t& pool) {
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = cudaMemHandleTypeNone;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = device;
  if (const cudaError_t e = cudaMemPoolCreate(&pool, &props); e != cudaSuccess) return e;
  return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
}

}  // namespace

bool MemoryBudget::take(uint64_t bytes) {
  uint64_t now = taken_;
  do {
    if (bytes > limit_ || now > limit_ - bytes) return false;
  } while (!taken_.compare_exchange_weak(now, now + bytes));
  ++allocations_;
  uint64_t peak = peak_;
  while (peak < now + bytes && !peak_.compare_exchange_weak(peak, now + bytes)) {
  }
  return true;
}

cudaError_t open_pool(int device, uint64_t limit, DevicePool*& pool) {
  if (limit == 0) limit = bytes_of_size(std::getenv("FZM_MEMORY_LIMIT"));
  if (limit == 0) {
    size_t free = 0, all = 0;
    if (const cudaError_t e = cudaMemGetInfo(&free, &all); e != cudaSuccess) return e;
    limit = free / 100 * kShareOfFree;
  }
  pool = new (std::nothrow) DevicePool(limit);
  if (pool == nullptr) return cudaErrorMemoryAllocation;
  pool->device = device;
  // Half of the limit may stay with us while nothing runs.
  if (has_pools(device) && make_pool(device, limit / 2, pool->pool) != cudaSuccess) {
    pool->pool = nullptr;
    cudaGetLastError();  // plain allocation does
  }
  return cudaSuccess;
}

void* StreamMemory::from_spares(uint64_t bytes) {
  auto best = spares_.end();
  for (auto s = spares_.begin(); s != spares_.end(); ++s)
    if (s->bytes >= bytes && s->bytes / 2 <= bytes && (best == spares_.end() || s->bytes < best->bytes)) best = s;
  if (best == spares_.end()) return nullptr;
  const Spare found = *best;
  spares_.erase(best);
  live_[found.memory] = found.bytes;
  return found.memory;
}

void* StreamMemory::from_device(uint64_t bytes) {
  if (!pool_.budget.take(bytes)) return nullptr;
  void* memory = nullptr;
  const cudaError_t e =
      pool_.pool ? cudaMallocFromPoolAsync(&memory, bytes, pool_.pool, stream_) : cudaMalloc(&memory, bytes);
  if (e == cudaSuccess) {
    live_[memory] = bytes;
    return memory;
  }
  pool_.budget.give_back(bytes);
  cudaGetLastError();
  if (e != cudaErrorMemoryAllocation) failure_ = e;
  return nullptr;
}

void* StreamMemory::allocate(uint64_t bytes) {
  bytes = rounded(bytes);
  if (void* const spare = from_spares(bytes)) return spare;
  if (void* const fresh = from_device(bytes)) return fresh;
  if (spares_.empty() || failure_ != cudaSuccess) return nullptr;
  drop_spares();  // none of them fits, but their room may do
  return from_device(bytes);
}

void StreamMemory::release(void* memory) {
  const auto found = live_.find(memory);
  if (found == live_.end()) return;
  const uint64_t bytes = found->second;
  live_.erase(found);
  if (!pool_.pool) {
    spares_.push_back({memory, bytes});
    return;
  }
  const cudaError_t e = cudaFreeAsync(memory, stream_);
  pool_.budget.give_back(bytes);
  if (e != cudaSuccess) failure_ = e;
}

void StreamMemory::release_all() {
  while (!live_.empty()) release(live_.begin()->first);
}

void StreamMemory::drop_spares() {
  for (const Spare& s : spares_) {
    const cudaError_t e = cudaFree(s.memory);  // waits for the device
    pool_.budget.give_back(s.bytes);
    if (e != cudaSuccess) failure_ = e;
  }
  spares_.clear();
}

}  // namespace fzm
