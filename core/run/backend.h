// How core reaches a device without knowing one, and where a plan runs.
#pragma once
#include <functional>
#include <string_view>

#include "core/run/backend_choice.h"
#include "core/run/decode_run.h"
#include "core/run/device_times.h"
#include "core/run/encode_run.h"

namespace fzm {

// What a device does for core, on host memory. Code::no_device means "not now": no device, none of its memory left, a chunk that
// is not worth the way; the host does it then. Any other status is the one that the host would give.
struct Backend {
  std::string_view name;  // "cuda"
  // `any_size`: also chunks that the host would have done sooner.
  Result<EncodeResult> (*encode)(const Plan& plan, const void* input, bool any_size) = nullptr;
  Status (*decode)(const Plan& plan, const DecodeInput& input, void* out, bool any_size) = nullptr;
  // Calls `work`, and repeats and times each encode and decode that it does through this backend; the last ones count. Null:
  // can't be timed. One call at a time.
  Result<DeviceTimes> (*time)(uint32_t repeats, const std::function<Status()>& work) = nullptr;
};

// The device that was built in, unless another was set; null where there is none.
const Backend* device_backend();
// For tests and for programs with a device of their own; null: no device. `backend` must outlive its use.
void set_device_backend(const Backend* backend);
void reset_device_backend();  // to the one that was built in
// What the build has: null without a GPU compiler. Defined in kernels/backend.cpp.
const Backend* built_in_backend();

// run_encode and run_decode, on the device or the host.
Result<EncodeResult> encode_anywhere(const Plan& plan, const void* input, BackendChoice choice, uint32_t threads);
Status decode_anywhere(const Plan& plan, const DecodeInput& input, void* out, BackendChoice choice, uint32_t threads);

}  // namespace fzm
