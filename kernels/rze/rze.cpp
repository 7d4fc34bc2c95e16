#include "kernels/rze/rze.h"

#include "kernels/host/chunked_stage.h"
#include "kernels/host/targets.h"

FZM_CODES(rze)

namespace fzm {

const Stage& rze_stage() {
  static const Stage stage = describe_chunked("RZE", 18, "rze", "drops zero words", rze_codes);
  return stage;
}

}  // namespace fzm
