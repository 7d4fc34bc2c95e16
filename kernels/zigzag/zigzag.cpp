#include "kernels/zigzag/zigzag.h"

#include "kernels/host/sign_map_stage.h"
#include "kernels/host/targets.h"

FZM_CODES(zigzag)

namespace fzm {

const Stage& zigzag_stage() {
  static const Stage stage = describe_sign_map("Zigzag", 15, "zigzag", "signed to unsigned, small stays small", zigzag_codes);
  return stage;
}

}  // namespace fzm
