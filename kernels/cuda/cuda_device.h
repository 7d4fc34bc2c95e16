// A CUDA device as the runner sees one: a stream with its memory and its staging. Used by one thread at a time, with
// the pool's device current (OnDevice).
#pragma once
#include <memory>
#include <vector>

#include "kernels/cuda/device_memory.h"
#include "kernels/cuda/staging.h"
#include "kernels/device/device.h"

namespace fzm {

class CudaDevice final : public Device {
 public:
  static DeviceError make(DevicePool& pool, std::unique_ptr<CudaDevice>& made);
  ~CudaDevice() override;

  void* allocate(uint64_t bytes) override { return memory_.allocate(bytes); }
  void release(void* memory) override { memory_.release(memory); }

  // Host memory may be pageable, pinned, or even the device's own (the caller's array is already there). Long pageable
  // transfers return when they are done, all others at once.
  DeviceError to_device(void* to, const void* from, uint64_t bytes) override;
  DeviceError to_host(void* to, const void* from, uint64_t bytes) override;
  DeviceError copy(void* to, const void* from, uint64_t bytes) override;
  DeviceError clear(void* to, uint64_t bytes) override;
  DeviceError wait() override;

  Stream stream() override { return stream_; }
  std::span<const DeviceCode> codes(std::string_view folder) override { return device_codes(folder); }
  DeviceError scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) override;
  DeviceError gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                            uint64_t room) override;
  std::string text(DeviceError error) override { return text_of(error); }

  static std::string text_of(DeviceError error);  // "out of memory (cudaErrorMemoryAllocation)"
  const MemoryBudget& budget() const { return pool_.budget; }
  void restart_peak() { pool_.budget.restart_peak(); }
  DevicePool& pool() { return pool_; }
  // Behind a run that failed: nothing is queued any more, nothing is held. The error that is left, if any, stays.
  DeviceError clean_up();

 private:
  // A short answer of the device waits here for wait(), which brings it to its place.
  struct Delivery {
    void* to;
    uint32_t at, bytes;  // in the box
  };
  static constexpr uint32_t kBoxBytes = 256 << 10;

  explicit CudaDevice(DevicePool& pool, cudaStream_t stream)
      : pool_(pool), stream_(stream), memory_(pool, stream), staging_(pool.device) {}

  DevicePool& pool_;
  cudaStream_t stream_;
  StreamMemory memory_;
  Staging staging_;
  uint8_t* box_ = nullptr;  // pinned
  uint32_t box_used_ = 0;
  std::vector<Delivery> deliveries_;
};

}  // namespace fzm
