#include "kernels/rre/rre.h"

#include "kernels/host/chunked_stage.h"
#include "kernels/host/targets.h"

FZM_CODES(rre)

namespace fzm {

const Stage& rre_stage() {
  static const Stage stage = describe_chunked("RRE", 26, "rre", "drops repeated words", rre_codes);
  return stage;
}

}  // namespace fzm
