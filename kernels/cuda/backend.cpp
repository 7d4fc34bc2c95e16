#include "kernels/cuda/backend.h"

#include <atomic>
#include <cstdlib>
#include <utility>

#include "core/base/notice.h"
#include "kernels/cuda/current_device.h"
#include "kernels/cuda/device_set.h"
#include "kernels/cuda/timing.h"
#include "kernels/device/memory_limit.h"

namespace fzm {
namespace {

// Below this the way there and back takes longer than one core (H200: slower at 1 MiB, faster at 4; docs/performance.md).
constexpr uint64_t kLeastBytes = 2 << 20;

uint64_t least_bytes() {
  const char* const text = std::getenv("FZM_GPU_MIN_BYTES");
  return text != nullptr && *text >= '0' && *text <= '9' ? bytes_of_size(text) : kLeastBytes;
}

// Set while time() runs.
struct Timing {
  uint32_t repeats;
  DeviceTimes times;
  Status status;
};
constinit std::atomic<Timing*> timing = nullptr;

Status not_now(const std::string& why) { return Status(Code::no_device, why); }
const Status& status_of(const Status& s) { return s; }
Status status_of(const Result<EncodeResult>& r) { return r.status(); }

// What a run that could not be done leaves behind is cleared away. A device that cannot even do that is lost.
void recover(CudaDevice& device, const Status& failed) {
  const DeviceError left = device.clean_up();
  if (left == 0) notice(NoticeLevel::warn, failed.message() + "; the chunk is done by the CPU");
  else give_up_device("the CUDA device is lost: " + failed.message() + " (" + device.text(left) + ")");
}

// The same work again, by the clock.
template <class Again>
void time_again(CudaDevice& device, const Plan& plan, const Again& again) {
  Timing& t = *timing;
  t.times.device = device_name(device.pool().device);
  t.times.raw_bytes = plan.raw_bytes;
  t.status = again(t);
  if (t.status.ok()) t.status = time_copies(device, plan.raw_bytes, t.repeats, t.times.copy_seconds);
}

// work(device), with the device current; Code::no_device where it can't be done there now.
template <class Work, class Again>
auto on_device(const Plan& plan, bool any_size, const Work& work, const Again& again)
    -> decltype(work(std::declval<CudaDevice&>())) {
  if (!any_size && plan.raw_bytes < least_bytes()) return not_now("a small chunk");
  const DeviceLease device = lease_device();
  if (!device) return not_now("no CUDA device that can be used");
  const OnDevice on(device->pool().device);
  if (on.error() != cudaSuccess) return not_now(device->text(on.error()));
  auto done = work(*device);
  const Status status = status_of(done);
  if (status.code() == Code::no_device) recover(*device, status);
  else if (timing && status.ok()) time_again(*device, plan, [&](Timing& t) { return again(*device, t); });
  return done;
}

Result<EncodeResult> encode(const Plan& plan, const void* input, bool any_size) {
  return on_device(
      plan, any_size, [&](CudaDevice& d) { return encode_on_device(d, plan, input); },
      [&](CudaDevice& d, Timing& t) { return time_encoding(d, plan, input, t.repeats, t.times.encode); });
}

Status decode(const Plan& plan, const DecodeInput& input, void* out, bool any_size) {
  return on_device(
      plan, any_size, [&](CudaDevice& d) { return decode_on_device(d, plan, input, out); },
      [&](CudaDevice& d, Timing& t) { return time_decoding(d, plan, input, t.repeats, t.times.decode); });
}

Result<DeviceTimes> time(uint32_t repeats, const std::function<Status()>& work) {
  Timing t{repeats, {}, {}};
  timing = &t;
  const Status done = work();
  timing = nullptr;
  if (!done.ok()) return done;
  if (!t.status.ok()) return t.status.at("timing");
  return t.times;
}

}  // namespace

const Backend& cuda_backend() {
  static constexpr Backend backend{"cuda", encode, decode, time};
  return backend;
}

}  // namespace fzm
