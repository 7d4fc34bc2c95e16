// How long a run takes on the device alone: for `fzm bench`.
#pragma once
#include "core/run/device_times.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/device/decode_run.h"
#include "kernels/device/encode_run.h"

namespace fzm {

// Each brings its arrays to the device, runs once, and then `repeats` times by the clock.
Status time_encoding(CudaDevice& device, const Plan& plan, const void* input, uint32_t repeats, DeviceRuns& runs);
Status time_decoding(CudaDevice& device, const Plan& plan, const DecodeInput& frame, uint32_t repeats, DeviceRuns& runs);

// The seconds of copies of `bytes` within the device.
Status time_copies(CudaDevice& device, uint64_t bytes, uint32_t repeats, std::vector<double>& seconds);

// "NVIDIA H200, 132 multiprocessors"
std::string device_name(int device);

}  // namespace fzm
