// Pipelines of any form: every stage with any parameters, reading any port that is free.
#include <gtest/gtest.h>

#include <random>

#include "core/fzm.h"
#include "core/spec/pipeline_file.h"
#include "tests/support/bounds.h"
#include "tests/support/fields.h"
#include "tests/support/random_params.h"

namespace fzm {
namespace {

void set_at_random(StageSpec& s, test::Random& random) {
  for (const Param& row : s.stage->params) {
    if (random() % 4 || row.name == "value_base") continue;  // its own range, not the chunk's
    const ParamValue v = test::random_value(row, random);
    if (check_value(row, v).ok()) row.set(s.params.data(), v);
  }
}

// A port at random out of those that are free; it is free no more.
Edge take_one(std::vector<Edge>& free, test::Random& random) {
  const auto at = free.begin() + static_cast<std::ptrdiff_t>(random() % free.size());
  const Edge edge = *at;
  free.erase(at);
  return edge;
}

constexpr uint32_t kGraphs = 4000;

Spec random_graph(test::Random& random) {
  Spec spec;
  std::vector<Edge> free{Edge{}};
  for (uint64_t left = 1 + random() % 5; left > 0; --left) {
    // Half of all pipelines begin as the presets do.
    const bool begins = spec.stages.empty() && random() % 2;
    const auto all = stages();
    const Stage& stage = *(begins ? find_stage("Mask") : all[random() % all.size()]);
    StageSpec s{&stage,
                "s" + std::to_string(spec.stages.size()),
                default_params(stage),
                {take_one(free, random)}};
    set_at_random(s, random);
    for (uint32_t p = 0; p < stage.outputs.size(); ++p)
      free.push_back({static_cast<int32_t>(spec.stages.size()), p});
    spec.stages.push_back(std::move(s));
  }
  return spec;
}

TEST(RandomGraphs, come_back_within_their_bound_or_are_refused_with_a_sentence) {
  test::Random random(5);
  const DType types[] = {DType::u8,  DType::i16, DType::u32, DType::i32,
                         DType::i64, DType::f32, DType::f64};
  uint32_t ran = 0, coded = 0;
  for (uint32_t turn = 0; turn < kGraphs; ++turn) {
    const std::string text = write_pipeline(random_graph(random), true);
    ArrayInfo array{.type = types[random() % std::size(types)],
                    .shape = {1 + random() % 9, 1 + random() % 40, 1 + random() % 30}};
    array.has_fill = random() % 4 == 0;
    array.fill_bits = 7;
    const std::string& name = test::field_names()[random() % test::field_names().size()];
    SCOPED_TRACE(text + std::string(dtype_name(array.type)) + " " + to_string(array.shape) + " " +
                 name);
    const auto request = Request::from_toml(text, "graph.toml");
    if (!request.ok() || !explain(*request, array).ok()) {
      const std::string why =
          request.ok() ? explain(*request, array).status().message() : request.status().message();
      ASSERT_GT(why.size(), 20u);
      continue;
    }
    const auto data = test::field(array.type, name, *count_values(array.shape));
    const auto frame = encode(*request, array, data.data());
    ASSERT_TRUE(frame.ok()) << frame.status().message();
    std::vector<uint8_t> bytes(frame->size()), back(data.size());
    frame->copy_to(bytes.data());
    const Status decoded = decode(bytes, back.data(), back.size());
    ASSERT_TRUE(decoded.ok()) << decoded.message();
    const FrameInfo info = *read_frame_info(bytes);
    auto [mode, bound] = request->bound();
    // What the range is depends on which values are masked: here the bound is what the frame says.
    if (mode == BoundMode::noa || mode == BoundMode::prel) {
      mode = BoundMode::abs;
      bound = info.has_bound ? info.abs_bound : 0;
    }
    if (!request->is_lossy()) bound = 0;
    const auto miss = test::first_miss(array.type, BoundMode::none == mode ? BoundMode::abs : mode,
                                       bound, data, back);
    ASSERT_FALSE(miss) << *miss;
    ++ran;
    coded += !info.is_raw;
  }
  EXPECT_GT(ran, kGraphs / 20);
  EXPECT_GT(coded, ran / 4);
}

}  // namespace
}  // namespace fzm
