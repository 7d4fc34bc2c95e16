#include "kernels/rare/rare.h"

#include "kernels/host/chunked_stage.h"
#include "kernels/host/targets.h"

FZM_CODES(rare)

namespace fzm {

const Stage& rare_stage() {
  static const Stage stage = describe_chunked("RARE", 27, "rare", "drops repeated high bits", rare_codes);
  return stage;
}

}  // namespace fzm
