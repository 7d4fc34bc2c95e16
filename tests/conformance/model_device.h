// A Device on the CPU, as strict as one can be. Work is queued and done at wait(), so that whoever looks at a result too early,
// or takes host memory away too soon, is found out. Memory is of its exact size, full of garbage, and counted.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/run/backend.h"
#include "kernels/device/device.h"

namespace fzm::test {

class ModelDevice final : public Device {
 public:
  ModelDevice() = default;
  ~ModelDevice() override;

  void* allocate(uint64_t bytes) override;
  void release(void* memory) override;
  DeviceError to_device(void* to, const void* from, uint64_t bytes) override;
  DeviceError to_host(void* to, const void* from, uint64_t bytes) override;
  DeviceError copy(void* to, const void* from, uint64_t bytes) override;
  DeviceError clear(void* to, uint64_t bytes) override;
  DeviceError wait() override;
  Stream stream() override { return reinterpret_cast<Stream>(this); }
  std::span<const DeviceCode> codes(std::string_view folder) override;
  DeviceError scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) override;
  DeviceError gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                            uint64_t room) override;
  std::string text(DeviceError error) override { return "model error " + std::to_string(error); }

  static ModelDevice& of(Stream stream) { return *reinterpret_cast<ModelDevice*>(stream); }
  // For the codes: done at wait(). The error is that of the launch.
  DeviceError queue(std::function<void()> work);

  // The n-th allocation, or the n-th other call, from now on fails; 0: none.
  void fail_allocation(uint64_t n) { failing_allocation_ = n; }
  void fail_call(uint64_t n) { failing_call_ = n; }

  struct Counts {
    uint64_t allocations = 0, calls = 0, waits = 0;
    uint64_t live_bytes = 0, peak_bytes = 0;  // as a device sees them that reuses what was released behind its queue
    uint64_t up = 0, down = 0;                // bytes to the device, and to the host
  };
  Counts counts;
  uint64_t live() const { return memory_.size(); }  // allocations that were not given back, after wait()

 private:
  struct Block {
    uint64_t bytes;
  };
  bool fails(uint64_t& n) { return n != 0 && --n == 0; }
  void give_back(void* memory);

  std::vector<std::function<void()>> queued_;
  std::map<void*, Block> memory_;
  uint64_t failing_allocation_ = 0, failing_call_ = 0;
};

// Core's device is `device` for as long as this lives.
class ModelBackend {
 public:
  explicit ModelBackend(ModelDevice& device);
  ~ModelBackend();
  ModelBackend(const ModelBackend&) = delete;
  ModelBackend& operator=(const ModelBackend&) = delete;
};

// Made of the codecs in the emulated CUDA block: tests/conformance/model_codes.h.
std::span<const DeviceCode> model_codes(std::string_view folder);

}  // namespace fzm::test
