#include "kernels/bitshuffle/bitshuffle.h"

#include <string>

#include "core/stage/stage.h"
#include "kernels/host/targets.h"

FZM_CODES(bitshuffle)

namespace fzm {
namespace {

constexpr uint32_t kWidths[] = {0, 1, 2, 4, 8};
constexpr double kLargestBlock = 1u << 30;
constexpr Param kRows[] = {
    param<&BitshuffleParams::block_size>("block_size", between(1024, kLargestBlock), "bytes of a block, a multiple of 1024 * element_width"),
    param<&BitshuffleParams::element_width>("element_width", one_of(kWidths), "bytes of an element; 0: as the input's type"),
};
constexpr Port kOutputs[] = {{"output", PortKind::array}};

Status resolve(void* params, const StageInput& input) {
  BitshuffleParams& p = *static_cast<BitshuffleParams*>(params);
  if (p.element_width == 0) p.element_width = dtype_bytes(input.type);
  const uint32_t unit = 1024 * p.element_width;
  if (p.block_size % unit != 0)
    return {Code::bad_request, "block_size = " + std::to_string(p.block_size) + ": must be a multiple of " + std::to_string(unit) +
                                   " (1024 * element_width)"};
  return {};
}

}  // namespace

const Stage& bitshuffle_stage() {
  static const Stage stage = [] {
    Stage s = describe<BitshuffleParams, NoFacts>("Bitshuffle", 17, Role::tile, "bitshuffle", "bit planes of each block", bitshuffle_codes);
    s.params = kRows;
    s.outputs = kOutputs;
    s.resolve = resolve;
    return s;
  }();
  return stage;
}

}  // namespace fzm
