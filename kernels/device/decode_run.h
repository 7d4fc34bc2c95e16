// Runs a plan backwards on a device, stage by stage. Everything in the arguments but the plan is hostile.
#pragma once
#include "core/run/decode_run.h"
#include "kernels/device/queue.h"

namespace fzm {

// A stored port in device memory, aligned to its element type. `on_host` may hold the same bytes in host memory: then nothing
// has to be fetched to check a stream's header and padding.
struct DeviceSegment {
  const uint8_t* data = nullptr;
  uint64_t bytes = 0;
  std::shared_ptr<DeviceBuffer> owner;  // null: the caller's
  ConstBytes on_host;
};

// `segments` in the order of plan.segments, in the place of frame.segments. `out`, in device memory, receives plan.values values
// in native order. Waits before it returns.
// Errors: corrupt, as run_decode; no_device where the device cannot, for whatever reason.
Status decode_on_device(Queue& queue, const Plan& plan, const DecodeInput& frame, std::vector<DeviceSegment> segments, void* out);

// run_decode on a device: upload, decode_on_device, download.
Status decode_on_device(Device& device, const Plan& plan, const DecodeInput& frame, void* out);

}  // namespace fzm
