#include "kernels/adaptive_bitpack/adaptive_bitpack.h"

#include "core/stage/stage.h"
#include "kernels/host/targets.h"

FZM_CODES(adaptive_bitpack)

namespace fzm {
namespace {

constexpr Param kRows[] = {
    param<&AdaptiveBitpackParams::block_size>("block_size", between(1, 1024), "values of a coder block"),
    param<&AdaptiveBitpackParams::outlier_selection>("outlier_selection", "lets a block store its first magnitude apart"),
};
constexpr Port kOutputs[] = {{"output", PortKind::stream, DType::u8}};

}  // namespace

const Stage& adaptive_bitpack_stage() {
  static const Stage stage = [] {
    Stage s = describe<AdaptiveBitpackParams, NoFacts>("AdaptiveBitpack", 24, Role::pack, "adaptive_bitpack",
                                                       "bit planes of small blocks, as many as each needs", adaptive_bitpack_codes);
    s.params = kRows;
    s.outputs = kOutputs;
    return s;
  }();
  return stage;
}

}  // namespace fzm
