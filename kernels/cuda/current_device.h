// The calling thread's current device: where the program works, and ours for the length of a call.
#pragma once
#include <cuda_runtime_api.h>

struct CUctx_st;  // what the driver's CUcontext points to

namespace fzm {

// The device on which the program around us has a context: the thread's current one, else the only one there is; -1: none,
// or several. Makes no context.
int device_in_use(int count);

// Makes a device current and puts back what was, context or none: restoring by number would make a context on device 0.
class OnDevice {
 public:
  explicit OnDevice(int device);
  OnDevice(const OnDevice&) = delete;
  ~OnDevice();
  cudaError_t error() const { return error_; }

 private:
  CUctx_st* before_ = nullptr;
  cudaError_t error_;
};

}  // namespace fzm
