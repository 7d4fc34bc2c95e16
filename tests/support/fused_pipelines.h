// The pipelines that have a hand-fused version, in all their variants.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/spec/spec.h"
#include "kernels/adaptive_bitpack/adaptive_bitpack.h"
#include "kernels/adaptive_lorenzo/adaptive_lorenzo.h"
#include "kernels/bitshuffle/bitshuffle.h"
#include "kernels/difference/difference.h"
#include "kernels/lc/chunked.h"
#include "kernels/lorenzo/lorenzo.h"
#include "kernels/quantizer/params.h"
#include "kernels/tiled_lorenzo/tiled_lorenzo.h"

namespace fzm::test {

struct Pipeline {
  std::string name;
  Spec spec;
};

template <class P>
Pipeline& add(Pipeline& to, std::string_view stage, std::function<void(P&)> set) {
  StageSpec s;
  s.stage = find_stage(stage);
  s.name = std::string(stage);
  s.params = default_params(*s.stage);
  set(*static_cast<P*>(s.params.data()));
  const int32_t before = static_cast<int32_t>(to.spec.stages.size()) - 1;
  s.inputs = {Edge{before < 0 ? kExternal : before, 0}};
  to.spec.stages.push_back(std::move(s));
  return to;
}

inline Pipeline linear(std::string name) {
  Pipeline p{std::move(name), {}};
  return add<QuantizerParams>(p, "Quantizer", [](QuantizerParams& q) { q.linear_mode = true; });
}
inline Pipeline with_bitpack(Pipeline p, uint32_t block, bool first_apart) {
  return add<AdaptiveBitpackParams>(p, "AdaptiveBitpack", [=](AdaptiveBitpackParams& b) {
    b.block_size = block;
    b.outlier_selection = first_apart;
  });
}
inline Pipeline fsz(bool order2, bool centering) {
  Pipeline p =
      linear("fsz" + std::string(order2 ? " order2" : "") + (centering ? " centering" : ""));
  add<AdaptiveLorenzoParams>(p, "AdaptiveLorenzo", [=](AdaptiveLorenzoParams& a) {
    a.enable_order2 = order2;
    a.enable_centering = centering;
  });
  return with_bitpack(p, 32, false);
}
inline Pipeline blocks(uint32_t block, bool first_apart) {
  Pipeline p = linear("blocks of " + std::to_string(block) + (first_apart ? ", first apart" : ""));
  add<LorenzoParams>(p, "Lorenzo", [=](LorenzoParams& l) { l.block_size = block; });
  return with_bitpack(p, block, first_apart);
}
inline Pipeline chunks(bool quantized, DifferenceMode mode, DType as) {
  Pipeline p{std::string(quantized ? "pfpl, mode " : "chunks, mode ") +
                 std::to_string(static_cast<int>(mode)) + ", as " + std::string(dtype_name(as)),
             {}};
  if (quantized)
    add<QuantizerParams>(p, "Quantizer", [](QuantizerParams& q) {
      q.inplace_outliers = true;
      q.quant_radius = 1 << 22;
    });
  add<DifferenceParams>(p, "Difference", [=](DifferenceParams& d) {
    d.chunk_size = 16384;
    d.mode = mode;
    d.input_type = as;
  });
  add<BitshuffleParams>(p, "Bitshuffle", [](BitshuffleParams& b) { b.element_width = 4; });
  return add<LcParams>(p, "RZE", [](LcParams&) {});
}
inline Pipeline tiles(bool first_apart) {
  Pipeline p{std::string("tiles") + (first_apart ? ", first apart" : ""), {}};
  add<TiledLorenzoParams>(p, "TiledLorenzo", [](TiledLorenzoParams&) {});
  return with_bitpack(p, 64, first_apart);
}

inline std::vector<Pipeline> float_pipelines() {
  std::vector<Pipeline> all;
  for (const bool order2 : {true, false})
    for (const bool centering : {true, false}) all.push_back(fsz(order2, centering));
  for (const uint32_t b : {32u, 64u, 128u})
    for (const bool first_apart : {false, true}) all.push_back(blocks(b, first_apart));
  all.push_back(with_bitpack(linear("fixed"), 64, false));
  all.push_back(chunks(true, DifferenceMode::negabinary, DType::i32));
  all.push_back(chunks(true, DifferenceMode::negabinary, DType::u32));
  all.push_back(chunks(true, DifferenceMode::zigzag, DType::i32));
  all.push_back(chunks(false, DifferenceMode::negabinary, DType::f32));
  all.push_back(chunks(false, DifferenceMode::zigzag, DType::f32));
  all.push_back(chunks(false, DifferenceMode::plain, DType::u32));
  return all;
}

}  // namespace fzm::test
