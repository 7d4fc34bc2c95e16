#include "kernels/adaptive_lorenzo/adaptive_lorenzo.h"

#include "core/stage/stage.h"
#include "kernels/host/integer_type.h"
#include "kernels/host/targets.h"

FZM_CODES(adaptive_lorenzo)

namespace fzm {
namespace {

using P = AdaptiveLorenzoParams;
constexpr uint32_t kCoderBlocks[] = {32};

constexpr Param kRows[] = {
    param<&P::data_type>("data_type", "signed integer type; auto: the input's width"),
    param<&P::coder_block_size>("coder_block_size", one_of(kCoderBlocks), "block of the AdaptiveBitpack behind"),
    param<&P::blocks_per_tile>("blocks_per_tile", between(1, 32), "coder blocks that share one choice of predictor"),
    param<&P::enable_order2>("enable_order2", "consider second differences"),
    param<&P::enable_centering>("enable_centering", "consider subtracting a tile's mean"),
    param<&P::outlier_cost>("outlier_cost", "choose for an AdaptiveBitpack with outlier_selection"),
};

Status resolve(void* params, const StageInput& input) {
  return choose_signed("data_type", static_cast<P*>(params)->data_type, input.type);
}

}  // namespace

const Stage& adaptive_lorenzo_stage() {
  static constexpr Port outputs[] = {{"output", PortKind::array},
                                     {"modes", PortKind::records, DType::u8, "2 bits a tile"},
                                     {"means", PortKind::piece0, DType::unknown, "one a centered tile"}};
  static const Stage stage = [] {
    Stage s = describe<P, NoFacts>("AdaptiveLorenzo", 34, Role::tile, "adaptive_lorenzo",
                                   "integers minus the cheapest of four predictions, chosen tile by tile", adaptive_lorenzo_codes);
    s.params = kRows;
    s.outputs = outputs;
    s.resolve = resolve;
    return s;
  }();
  return stage;
}

}  // namespace fzm
