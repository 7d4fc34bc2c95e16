#include "tests/conformance/model_device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels/device/decode_run.h"
#include "kernels/device/encode_run.h"

namespace fzm::test {
namespace {

constexpr DeviceError kLost = 7;
constexpr uint8_t kNew = 0xC9, kGuard = 0x5E, kGone = 0xDD;

#if defined(__SANITIZE_ADDRESS__)
constexpr uint64_t kGuardBytes = 0;  // the sanitizer sees the byte beyond
#else
constexpr uint64_t kGuardBytes = 256;
#endif

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "model device: %s\n", what);
  std::abort();
}

ModelDevice* the_device = nullptr;

}  // namespace

ModelDevice::~ModelDevice() {
  if (!queued_.empty()) (void)wait();
  if (!memory_.empty()) stop("memory was not given back");
}

void* ModelDevice::allocate(uint64_t bytes) {
  ++counts.allocations;
  if (fails(failing_allocation_)) return nullptr;
  void* memory = nullptr;
  if (bytes > (uint64_t{1} << 32) || posix_memalign(&memory, 256, bytes + kGuardBytes) != 0) return nullptr;
  std::memset(memory, kNew, bytes);
  std::memset(static_cast<uint8_t*>(memory) + bytes, kGuard, kGuardBytes);
  memory_[memory] = {bytes};
  counts.live_bytes += bytes;
  counts.peak_bytes = std::max(counts.peak_bytes, counts.live_bytes);
  return memory;
}

void ModelDevice::release(void* memory) {
  if (!memory) return;
  const auto found = memory_.find(memory);
  if (found == memory_.end()) stop("memory that is not the device's is released");
  counts.live_bytes -= found->second.bytes;
  queued_.emplace_back([this, memory] { give_back(memory); });
}

void ModelDevice::give_back(void* memory) {
  const uint64_t bytes = memory_.at(memory).bytes;
  auto* const p = static_cast<uint8_t*>(memory);
  for (uint64_t i = 0; i < kGuardBytes; ++i)
    if (p[bytes + i] != kGuard) stop("something was written beyond an allocation");
  std::memset(memory, kGone, bytes);
  memory_.erase(memory);
  std::free(memory);
}

namespace {
// Nothing may come from or go to nowhere, which memcpy and memset do not allow.
void copy_bytes(void* to, const void* from, uint64_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}
void fill_bytes(void* to, int value, uint64_t bytes) {
  if (bytes != 0) std::memset(to, value, bytes);
}
}  // namespace

DeviceError ModelDevice::queue(std::function<void()> work) {
  ++counts.calls;
  if (fails(failing_call_)) return kLost;
  queued_.push_back(std::move(work));
  return 0;
}

DeviceError ModelDevice::to_device(void* to, const void* from, uint64_t bytes) {
  counts.up += bytes;
  return copy(to, from, bytes);
}
DeviceError ModelDevice::to_host(void* to, const void* from, uint64_t bytes) {
  counts.down += bytes;
  fill_bytes(to, kNew, bytes);
  return copy(to, from, bytes);
}
DeviceError ModelDevice::copy(void* to, const void* from, uint64_t bytes) {
  return queue([=] { copy_bytes(to, from, bytes); });
}
DeviceError ModelDevice::clear(void* to, uint64_t bytes) {
  return queue([=] { fill_bytes(to, 0, bytes); });
}

DeviceError ModelDevice::wait() {
  ++counts.waits;
  for (const auto& work : queued_) work();
  queued_.clear();
  return fails(failing_call_) ? kLost : 0;
}

std::span<const DeviceCode> ModelDevice::codes(std::string_view folder) { return model_codes(folder); }

DeviceError ModelDevice::scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) {
  return queue([=] {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; sum += size[i++]) at[i] = sum;
  });
}

DeviceError ModelDevice::gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                                       uint64_t room) {
  return queue([=] {
    for (uint32_t b = 0; b < blocks; ++b)
      if (at[b + 1] <= room) copy_bytes(to + at[b], slots + b * slot_bytes, at[b + 1] - at[b]);
  });
}

ModelBackend::ModelBackend(ModelDevice& device) {
  static constexpr Backend backend{
      "model", [](const Plan& plan, const void* input, bool) { return encode_on_device(*the_device, plan, input); },
      [](const Plan& plan, const DecodeInput& input, void* out, bool) { return decode_on_device(*the_device, plan, input, out); }};
  the_device = &device;
  set_device_backend(&backend);
}
ModelBackend::~ModelBackend() { reset_device_backend(); }

#define FZM_STAGE(folder, type) std::span<const DeviceCode> folder##_model_codes();
#include "kernels/stages.def"
#undef FZM_STAGE

std::span<const DeviceCode> model_codes(std::string_view folder) {
#define FZM_STAGE(name, type) \
  if (folder == #name) return name##_model_codes();
#include "kernels/stages.def"
#undef FZM_STAGE
  return {};
}

}  // namespace fzm::test
