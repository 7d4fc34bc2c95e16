// Which runs of stages have a hand-fused version here: by stage, element type and complete
// parameters.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/plan/plan.h"
#include "kernels/adaptive_bitpack/adaptive_bitpack.h"
#include "kernels/adaptive_lorenzo/adaptive_lorenzo.h"
#include "kernels/bitshuffle/bitshuffle.h"
#include "kernels/difference/difference.h"
#include "kernels/fast/groups.h"
#include "kernels/host/targets.h"
#include "kernels/lc/chunked.h"
#include "kernels/lorenzo/lorenzo.h"
#include "kernels/quantizer/params.h"
#include "kernels/tiled_lorenzo/tiled_lorenzo.h"

namespace fzm {
namespace {

using Stages = std::span<const PlannedStage* const>;

enum StageId : uint16_t {
  kDifference = 2,
  kLorenzo = 12,
  kQuantizer = 14,
  kBitshuffle = 17,
  kRze = 18,
  kAdaptiveBitpack = 24,
  kTiledLorenzo = 25,
  kAdaptiveLorenzo = 34,
};

bool are(Stages stages, std::initializer_list<uint16_t> ids) {
  return std::equal(stages.begin(), stages.end(), ids.begin(), ids.end(),
                    [](const PlannedStage* s, uint16_t id) { return s->stage->id == id; });
}
template <class Params>
const Params& params_of(const PlannedStage& s) {
  return *static_cast<const Params*>(s.params.data());
}

// The fused quantizer knows one step, no threshold, and rounds in float.
bool is_simple(const PlannedStage& s) {
  const auto& p = params_of<QuantizerParams>(s);
  return s.in == DType::f32 && p.error_bound_mode != QuantizerMode::rel &&
         !p.linear_high_precision && std::isinf(p.outlier_threshold);
}
bool is_linear(const PlannedStage& s) {
  return is_simple(s) && s.out == DType::i32 && params_of<QuantizerParams>(s).linear_mode;
}
bool is_inplace(const PlannedStage& s) {
  return is_simple(s) && s.out == DType::u32 && params_of<QuantizerParams>(s).inplace_outliers;
}

bool has_chunks(const PlannedStage& difference, const PlannedStage& bitshuffle,
                const PlannedStage& rze) {
  const auto& shuffle = params_of<BitshuffleParams>(bitshuffle);
  const auto& coder = params_of<LcParams>(rze);
  return dtype_bytes(difference.in) == 4 &&
         params_of<DifferenceParams>(difference).chunk_size == 16384 &&
         shuffle.block_size == 16384 &&
         (shuffle.element_width == 0 || shuffle.element_width == 4) && coder.chunk_size == 16384 &&
         coder.word_size == 1;
}

struct Match {
  const char* name = nullptr;
  const fast::FusedGroup* group = nullptr;
};

#if defined(__x86_64__)
Match match_blocks(const PlannedStage* predictor, const PlannedStage& coder) {
  const auto& c = params_of<AdaptiveBitpackParams>(coder);
  if (predictor) {
    const auto& p = params_of<LorenzoParams>(*predictor);
    if (p.block_size != c.block_size || p.order != 1 || p.centering) return {};
  }
  return {"blocks_avx2",
          fast::blocks_group_avx2(c.block_size, predictor != nullptr, c.outlier_selection)};
}

Match match_fsz(const PlannedStage& predictor, const PlannedStage& coder) {
  const auto& p = params_of<AdaptiveLorenzoParams>(predictor);
  const auto& c = params_of<AdaptiveBitpackParams>(coder);
  if (p.blocks_per_tile != 8 || p.outlier_cost || c.block_size != 32 || c.outlier_selection)
    return {};
  return {"fsz_avx2", fast::fsz_group_avx2()};
}

Match match_tiles(const PlannedStage& predictor, const PlannedStage& coder) {
  const generic::Tiling t =
      generic::tiling_of(params_of<TiledLorenzoParams>(predictor), predictor.extent);
  const auto& c = params_of<AdaptiveBitpackParams>(coder);
  if (predictor.in != DType::i32 || c.block_size != 64) return {};
  return {"tiles_avx2", fast::tiles_group_avx2(t.x, t.y, t.z, c.outlier_selection)};
}

Match match_avx2(Stages s) {
  if (are(s, {kQuantizer, kAdaptiveBitpack}) && is_linear(*s[0]))
    return match_blocks(nullptr, *s[1]);
  if (are(s, {kQuantizer, kLorenzo, kAdaptiveBitpack}) && is_linear(*s[0]))
    return match_blocks(s[1], *s[2]);
  if (are(s, {kQuantizer, kAdaptiveLorenzo, kAdaptiveBitpack}) && is_linear(*s[0]))
    return match_fsz(*s[1], *s[2]);
  if (are(s, {kTiledLorenzo, kAdaptiveBitpack})) return match_tiles(*s[0], *s[1]);
  if (are(s, {kQuantizer, kDifference, kBitshuffle, kRze}) && is_inplace(*s[0]) &&
      has_chunks(*s[1], *s[2], *s[3]))
    return {"pfpl_avx2", fast::chunks_group_avx2(true, params_of<DifferenceParams>(*s[1]).mode)};
  if (are(s, {kDifference, kBitshuffle, kRze}) && has_chunks(*s[0], *s[1], *s[2]))
    return {"chunks_avx2", fast::chunks_group_avx2(false, params_of<DifferenceParams>(*s[0]).mode)};
  return {};
}
#endif

Match match(Stages stages) {
  if (const char* const wish = std::getenv("FZM_FAST"); wish && std::string_view(wish) == "off")
    return {};
#if defined(__x86_64__)
  if (host_target() >= Target::avx2) return match_avx2(stages);
#endif
  (void)stages;
  return {};
}

}  // namespace

FastGroup find_fast_group(Stages stages) {
  const Match m = match(stages);
  if (m.group == nullptr) return {};
  std::vector<Object> contexts;
  std::vector<const void*> pointers;
  for (const PlannedStage* s : stages)
    contexts.push_back(make_context(*s, default_facts(*s->stage), s->extent.values));
  for (const Object& c : contexts) pointers.push_back(c.data());
  const uint32_t slow = fast::slow_scratch_bytes(m.group->chain, pointers.data());
  return {m.name, m.group->encode, m.group->decode, std::max(m.group->scratch_bytes, slow)};
}

}  // namespace fzm
