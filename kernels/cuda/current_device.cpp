#include "kernels/cuda/current_device.h"

#include <cuda.h>

namespace fzm {
namespace {

// The driver's own functions: the runtime has none that leaves contexts as they are. Asked of the runtime, so that we don't
// link the driver.
template <class F>
F driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t e = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
  const cudaError_t e = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  if (e != cudaSuccess) cudaGetLastError();
  return e == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<F>(found) : nullptr;
}

struct Driver {
  CUresult (*current)(CUcontext*) = driver_function<CUresult (*)(CUcontext*)>("cuCtxGetCurrent");
  CUresult (*make_current)(CUcontext) = driver_function<CUresult (*)(CUcontext)>("cuCtxSetCurrent");
  CUresult (*primary_state)(CUdevice, unsigned*, int*) =
      driver_function<CUresult (*)(CUdevice, unsigned*, int*)>("cuDevicePrimaryCtxGetState");
};
const Driver& driver() {
  static const Driver functions;
  return functions;
}

}  // namespace

int device_in_use(int count) {
  CUcontext context = nullptr;
  int device = -1;
  if (driver().current && driver().current(&context) == CUDA_SUCCESS && context != nullptr &&
      cudaGetDevice(&device) == cudaSuccess)
    return device;
  int only = -1;
  for (int d = 0; d < count && driver().primary_state; ++d) {
    unsigned flags = 0;
    int active = 0;
    if (driver().primary_state(d, &flags, &active) != CUDA_SUCCESS || active == 0) continue;
    if (only >= 0) return -1;
    only = d;
  }
  return only;
}

OnDevice::OnDevice(int device) {
  if (driver().current && driver().current(&before_) != CUDA_SUCCESS) before_ = nullptr;
  error_ = cudaSetDevice(device);
}
OnDevice::~OnDevice() {
  if (driver().make_current) driver().make_current(before_);
}

}  // namespace fzm
