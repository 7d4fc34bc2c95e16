// What the device runner asks of a device: memory, copies, and the three things that are done to all pieces of a stage.
// CUDA is one (kernels/cuda/cuda_device.h); the tests have another, on the CPU, so that the runner is tested without a GPU.
//
// Work is queued and done in order. Only wait() waits. Errors are DeviceErrors; one that was returned by queued work of the past
// may come back from any later call.
#pragma once
#include <cstdint>
#include <string>

#include "kernels/device/device_code.h"

namespace fzm {

class Device {
 public:
  virtual ~Device() = default;

  // Device memory, aligned to 256 bytes, for work queued from now on. Null: none left (or the cap is reached).
  virtual void* allocate(uint64_t bytes) = 0;
  // Free for others behind the work queued so far. Null is allowed.
  virtual void release(void* memory) = 0;

  virtual DeviceError to_device(void* to, const void* from, uint64_t bytes) = 0;  // `from` must stay as it is until wait()
  virtual DeviceError to_host(void* to, const void* from, uint64_t bytes) = 0;    // `to` is complete after wait()
  virtual DeviceError copy(void* to, const void* from, uint64_t bytes) = 0;       // within the device
  virtual DeviceError clear(void* to, uint64_t bytes) = 0;                        // zeros
  virtual DeviceError wait() = 0;

  virtual Stream stream() = 0;
  virtual std::span<const DeviceCode> codes(std::string_view folder) = 0;
  // at[i] = size[0] + ... + size[i - 1] for i < n.
  virtual DeviceError scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) = 0;
  // As gather_pieces of kernels/cuda/gather.h.
  virtual DeviceError gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                                    uint64_t room) = 0;
  virtual std::string text(DeviceError error) = 0;  // for people
};

}  // namespace fzm
