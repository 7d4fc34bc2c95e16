// One stage's codecs for one instruction set. Compiled once per line of stages.def and per target, with
// FZM_TARGET, FZM_STAGE_HEADER, FZM_STAGE_TYPE and FZM_STAGE_FOLDER given by the build.
#include FZM_STAGE_HEADER
#include <span>

#include "kernels/host/traits.h"

#define FZM_JOIN_(a, b) a##b
#define FZM_JOIN(a, b) FZM_JOIN_(a, b)

namespace fzm::FZM_TARGET {

std::span<const BlockCode> FZM_JOIN(FZM_STAGE_FOLDER, _codes)() {
  static const BlockCodes<FZM_JOIN(FZM_STAGE_TYPE, Variants)> all;
  return all.code;
}

}  // namespace fzm::FZM_TARGET
