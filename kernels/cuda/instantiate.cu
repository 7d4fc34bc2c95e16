// One stage's codecs for the GPU. Compiled once per line of stages.def, with FZM_TARGET = device and FZM_STAGE_HEADER,
// FZM_STAGE_TYPE and FZM_STAGE_FOLDER given by the build.
#include FZM_STAGE_HEADER

#include "kernels/cuda/launch.cuh"

#define FZM_JOIN_(a, b) a##b
#define FZM_JOIN(a, b) FZM_JOIN_(a, b)

namespace fzm::device {

std::span<const DeviceCode> FZM_JOIN(FZM_STAGE_FOLDER, _codes)() {
  static const DeviceCodes<FZM_JOIN(FZM_STAGE_TYPE, Variants)> all;
  return all.code;
}

}  // namespace fzm::device
