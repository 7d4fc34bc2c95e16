#include "kernels/raze/raze.h"

#include "kernels/host/chunked_stage.h"
#include "kernels/host/targets.h"

FZM_CODES(raze)

namespace fzm {

const Stage& raze_stage() {
  static const Stage stage = describe_chunked("RAZE", 28, "raze", "drops zero high bits", raze_codes);
  return stage;
}

}  // namespace fzm
