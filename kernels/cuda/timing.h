// How long a run takes on the device alone: for `fzm bench`.
#pragma once
#include <functional>

#include "core/base/status.h"
#include "core/run/device_times.h"
#include "kernels/cuda/cuda_device.h"

namespace fzm {

// Runs `run` once to bring its arrays to the device, then `repeats` times with them there. What it gives to the host stays on
// the device, too, but for short answers; so the host's results are of no use.
DeviceError time_runs(CudaDevice& device, uint32_t repeats, const std::function<Status(Device&)>& run, DeviceRuns& runs);

// The seconds of copies of `bytes` within the device.
DeviceError time_copies(CudaDevice& device, uint32_t repeats, uint64_t bytes, std::vector<double>& seconds);

// "NVIDIA H200, 132 multiprocessors"
std::string device_name(int device);

}  // namespace fzm
