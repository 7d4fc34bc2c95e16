#include "kernels/cuda/current_device.h"

#include <cuda.h>
#include <dlfcn.h>

namespace fzm {
namespace {

// The driver's own functions: the runtime has none that leaves contexts as they are. Looked up in the driver that the runtime
// has loaded already, so that we don't link it.
struct Driver {
  CUresult (*current)(CUcontext*) = nullptr;
  CUresult (*make_current)(CUcontext) = nullptr;
  CUresult (*primary_state)(CUdevice, unsigned*, int*) = nullptr;

  Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return;
    find(library, "cuCtxGetCurrent", current);
    find(library, "cuCtxSetCurrent", make_current);
    find(library, "cuDevicePrimaryCtxGetState", primary_state);
  }
  template <class F>
  static void find(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
  }
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
