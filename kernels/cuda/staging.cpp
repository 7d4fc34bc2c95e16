#include "kernels/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "core/run/workers.h"

namespace fzm {

Staging::~Staging() {
  for (const Lane& lane : lanes_)
    for (const Slot& slot : lane) {
      if (slot.done) cudaEventDestroy(slot.done);
      if (slot.pinned) cudaFreeHost(slot.pinned);
    }
}

cudaError_t Staging::make_lanes(uint32_t lanes) {
  for (uint32_t l = 0; l < lanes; ++l)
    for (Slot& slot : lanes_[l]) {
      if (!slot.done)
        if (const cudaError_t e = cudaEventCreateWithFlags(&slot.done, cudaEventDisableTiming); e != cudaSuccess) return e;
      if (slot.pinned) continue;
      void* memory = nullptr;
      if (const cudaError_t e = cudaHostAlloc(&memory, kSliceBytes, cudaHostAllocPortable); e != cudaSuccess) return e;
      slot.pinned = static_cast<uint8_t*>(memory);
    }
  return cudaSuccess;
}

// A thread a lane, for this transfer only: none outlives it, so that fork stays safe.
template <class F>
cudaError_t Staging::by_lanes(const Transfer& t, F lane) {
  if (const cudaError_t e = make_lanes(t.lanes); e != cudaSuccess) return e;
  std::array<cudaError_t, kLanes> errors{};
  run_on_threads(t.lanes, [&](uint32_t l) {
    errors[l] = cudaSetDevice(device_);  // a new thread begins at device 0
    if (errors[l] == cudaSuccess) errors[l] = lane(t, l, lanes_[l]);
  });
  for (const cudaError_t e : errors)
    if (e != cudaSuccess) return e;
  return cudaSuccess;
}

cudaError_t Staging::send(const Transfer& t, uint32_t lane, const Lane& slots) {
  uint32_t turn = 0;
  for (uint64_t at = lane * kSliceBytes; at < t.bytes; at += t.lanes * kSliceBytes, ++turn) {
    const Slot& slot = slots[turn % kSlots];
    const uint64_t n = std::min(kSliceBytes, t.bytes - at);
    if (const cudaError_t e = cudaEventSynchronize(slot.done); e != cudaSuccess) return e;
    std::memcpy(slot.pinned, t.from + at, n);
    if (const cudaError_t e = cudaMemcpyAsync(t.to + at, slot.pinned, n, cudaMemcpyHostToDevice, t.stream); e != cudaSuccess)
      return e;
    if (const cudaError_t e = cudaEventRecord(slot.done, t.stream); e != cudaSuccess) return e;
  }
  return cudaSuccess;
}

cudaError_t Staging::receive(const Transfer& t, uint32_t lane, const Lane& slots) {
  const uint64_t step = t.lanes * kSliceBytes;
  const auto bytes_at = [&](uint64_t at) { return std::min(kSliceBytes, t.bytes - at); };
  const auto fetch = [&](const Slot& slot, uint64_t at) {
    if (at >= t.bytes) return cudaSuccess;
    const cudaError_t e = cudaMemcpyAsync(slot.pinned, t.from + at, bytes_at(at), cudaMemcpyDeviceToHost, t.stream);
    return e == cudaSuccess ? cudaEventRecord(slot.done, t.stream) : e;
  };
  const uint64_t first = lane * kSliceBytes;
  for (uint32_t s = 0; s < kSlots; ++s)
    if (const cudaError_t e = fetch(slots[s], first + s * step); e != cudaSuccess) return e;
  uint32_t turn = 0;
  for (uint64_t at = first; at < t.bytes; at += step, ++turn) {
    const Slot& slot = slots[turn % kSlots];
    if (const cudaError_t e = cudaEventSynchronize(slot.done); e != cudaSuccess) return e;
    std::memcpy(t.to + at, slot.pinned, bytes_at(at));
    if (const cudaError_t e = fetch(slot, at + kSlots * step); e != cudaSuccess) return e;
  }
  return cudaSuccess;
}

namespace {
// A thread costs some 30 us, as long as half a slice takes.
uint32_t lanes_for(uint64_t slices, uint32_t most) {
  return static_cast<uint32_t>(std::clamp<uint64_t>(slices / 2, 1, most));
}
}  // namespace

cudaError_t Staging::to_device(void* to, const void* from, uint64_t bytes, cudaStream_t stream) {
  const uint64_t slices = (bytes + kSliceBytes - 1) / kSliceBytes;
  return by_lanes({static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), bytes, stream, lanes_for(slices, kLanes)}, send);
}

cudaError_t Staging::to_host(void* to, const void* from, uint64_t bytes, cudaStream_t stream) {
  const uint64_t slices = (bytes + kSliceBytes - 1) / kSliceBytes;
  return by_lanes({static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), bytes, stream, lanes_for(slices, kLanes)}, receive);
}

}  // namespace fzm
