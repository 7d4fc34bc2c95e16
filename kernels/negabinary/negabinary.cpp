#include "kernels/negabinary/negabinary.h"

#include "kernels/host/sign_map_stage.h"
#include "kernels/host/targets.h"

FZM_CODES(negabinary)

namespace fzm {

const Stage& negabinary_stage() {
  static const Stage stage = describe_sign_map("Negabinary", 16, "negabinary",
                                               "signed to unsigned in base -2, small stays small", negabinary_codes);
  return stage;
}

}  // namespace fzm
