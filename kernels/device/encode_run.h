// Runs a plan forward on a device, stage by stage. It waits for what is seen of the data and for the sizes of pieces, and that is all.
#pragma once
#include "core/run/encode_run.h"
#include "kernels/device/queue.h"

namespace fzm {

// An array in device memory. Without an owner it is the caller's, and must stay until the queue is through.
struct DeviceArray {
  std::shared_ptr<DeviceBuffer> owner;
  const void* data = nullptr;
  uint32_t values = 0;
};

// A stored port in its wire form: header, records, pieces, padding.
struct DeviceSection {
  std::shared_ptr<DeviceBuffer> memory;
  uint64_t bytes = 0;
};

// As EncodeResult, with the ports in device memory. They are complete behind the work queued so far.
struct DeviceEncoded {
  std::vector<Object> facts;
  std::vector<bool> is_identity;
  std::vector<uint32_t> input_values;
  std::vector<std::vector<DeviceSection>> ports;
};

// `chunk` holds plan.values values in native order.
// Errors: needs_exact and no_memory, as run_encode; no_device where the device cannot, for whatever reason.
Result<DeviceEncoded> encode_on_device(Queue& queue, const Plan& plan, DeviceArray chunk);

// run_encode on a device: upload, encode_on_device, download.
Result<EncodeResult> encode_on_device(Device& device, const Plan& plan, const void* input);

}  // namespace fzm
