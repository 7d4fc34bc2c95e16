// The device of this build, if it has one.
#if FZM_HAS_CUDA
#include "kernels/cuda/backend.h"
#else
#include "core/run/backend.h"
#endif

namespace fzm {

const Backend* built_in_backend() {
#if FZM_HAS_CUDA
  return &cuda_backend();
#else
  return nullptr;
#endif
}

}  // namespace fzm
