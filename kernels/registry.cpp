// The list of stages, from stages.def. A stage's description is the function <folder>_stage() in kernels/<folder>/<folder>.cpp.
#include "core/stage/registry.h"

namespace fzm {

#define FZM_STAGE(folder, type) const Stage& folder##_stage();
#include "kernels/stages.def"
#undef FZM_STAGE

std::span<const Stage* const> stages() {
  static const Stage* const all[] = {
#define FZM_STAGE(folder, type) &folder##_stage(),
#include "kernels/stages.def"
#undef FZM_STAGE
  };
  return all;
}

}  // namespace fzm
