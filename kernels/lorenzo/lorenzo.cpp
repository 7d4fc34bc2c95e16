#include "kernels/lorenzo/lorenzo.h"

#include "core/stage/stage.h"
#include "kernels/host/integer_type.h"
#include "kernels/host/targets.h"

FZM_CODES(lorenzo)

namespace fzm {
namespace {

constexpr uint32_t kLineRestart = 256;  // of a 1-D array where block_size is 0

constexpr Param kRows[] = {
    param<&LorenzoParams::data_type>("data_type", "signed integer type; auto: the input's width"),
    param<&LorenzoParams::block_size>("block_size", between(0, 1024),
                                      "values after which a flattened array starts anew; 0: over the field (1-D: 256)"),
    param<&LorenzoParams::order>("order", between(1, 2), "first or second differences; 2 needs block_size or a 1-D array"),
    param<&LorenzoParams::centering>("centering", "subtract each block's mean; needs block_size or a 1-D array"),
};

Status resolve(void* params, const StageInput& input) {
  LorenzoParams& p = *static_cast<LorenzoParams*>(params);
  FZM_TRY(choose_signed("data_type", p.data_type, input.type));
  if (p.block_size == 0 && input.extent.rank < 2) p.block_size = kLineRestart;
  const std::string field = "on a " + std::to_string(input.extent.rank) + "-D array needs a block_size of 1 to 1024";
  if (p.block_size == 0 && p.order != 1) return Status(Code::bad_request, "order = 2: " + field);
  if (p.block_size == 0 && p.centering) return Status(Code::bad_request, "centering = true: " + field);
  return {};
}

}  // namespace

const Stage& lorenzo_stage() {
  static constexpr Port outputs[] = {{"output", PortKind::array},
                                     {"means", PortKind::piece0, DType::unknown, "one a block, with centering"}};
  static const Stage stage = [] {
    Stage s = describe<LorenzoParams, NoFacts>("Lorenzo", 12, Role::tile, "lorenzo",
                                               "integers minus their neighbours' prediction", lorenzo_codes);
    s.params = kRows;
    s.outputs = outputs;
    s.resolve = resolve;
    return s;
  }();
  return stage;
}

}  // namespace fzm
