// Floats within their bound, and the bytes that say so.
#include "kernels/quantizer/quantizer.h"

#include "kernels/base/scrambled_group.h"
#include "tests/unit/quantizer_cases.h"

namespace fzm {
namespace {

template <class T>
class QuantizerOf : public ::testing::Test {};
TYPED_TEST_SUITE(QuantizerOf, Floats);

TYPED_TEST(QuantizerOf, every_value_is_within_the_bound_and_comes_back_the_same_when_encoded_again) {
  using T = TypeParam;
  for (const Setting& s : settings())
    for (int kind = 0; kind < kKinds; ++kind) {
      const auto v = field<T>(5000, kind);
      OneStage stage = quantizer_for(v);
      stage.set("error_bound_mode", s.mode).set("error_bound", s.bound);
      for (const auto& [key, value] : s.keys) stage.set(key, value);
      SCOPED_TRACE(spelled(s) + " kind " + std::to_string(kind));
      ASSERT_TRUE(stage.resolve().ok()) << stage.resolve().message();
      const Status concluded = stage.observe(bytes_of(v), 1000);
      if (concluded.code() == Code::needs_exact) continue;
      ASSERT_TRUE(concluded.ok()) << concluded.message();
      uint32_t fault = 0;
      const Coded coded = stage.encode(bytes_of(v), 5000);
      const auto once = values_of<T>(stage.decode(coded, 5000, &fault));
      EXPECT_EQ(fault, 0u);
      const bool is_rel = std::string_view(s.mode) == "rel";
      ASSERT_TRUE(is_within(v, once, stage.fact("abs_bound").real, is_rel ? std::stod(s.bound) : 0));
      const auto twice = values_of<T>(stage.decode(stage.encode(bytes_of(once), 5000), 5000, &fault));
      EXPECT_EQ(bytes_of(twice), bytes_of(once));
      for (const uint32_t cut : {1u, 7u, 256u, 1000u, 1024u, 4096u}) {
        EXPECT_TRUE(stage.encode(bytes_of(v), cut) == coded) << "cut " << cut;
        EXPECT_EQ(stage.decode(coded, cut, &fault), bytes_of(once)) << "cut " << cut;
      }
    }
}

TYPED_TEST(QuantizerOf, all_sizes_round_trip) {
  using T = TypeParam;
  for (const Setting& s : {settings()[0], settings()[1], settings()[6], settings()[26]})
    for (const uint32_t n : kSizes) {
      const auto v = field<T>(n, 1);
      OneStage stage = quantizer_for(v);
      stage.set("error_bound_mode", s.mode).set("error_bound", s.bound);
      for (const auto& [key, value] : s.keys) stage.set(key, value);
      ASSERT_TRUE(stage.resolve().ok());
      ASSERT_TRUE(stage.observe(bytes_of(v), 1000).ok());
      uint32_t fault = 0;
      const auto back = values_of<T>(stage.decode(stage.encode(bytes_of(v), 4096), 1000, &fault));
      EXPECT_TRUE(is_within(v, back, 1e-3, std::string_view(s.mode) == "rel" ? 1e-3 : 0)) << spelled(s) << " size " << n;
    }
}

TYPED_TEST(QuantizerOf, the_quick_path_agrees_with_the_decision_on_one_value) {
  using T = TypeParam;
  std::mt19937_64 random(3);
  uint64_t hits = 0, tries = 0;
  for (const double bound : {1e-3, 1.0 / 1024, 3e-7, 1e20, 1e-37})
    for (const int64_t limit : {511ll, 32767ll, 4194303ll, 2147483646ll}) {
      const auto grid = generic::make_grid(generic::tested_bound<T>(bound, false), kNoThreshold, limit, false);
      for (int k = 0; k < 20000; ++k) {
        // Near halves and near the ends of every range.
        const int64_t q = static_cast<int64_t>(random() >> (random() % 63));
        T x = static_cast<T>((static_cast<double>(q) + 0.5 * static_cast<double>(random() % 3)) * grid.wide_step);
        const uint64_t bits = random() % 7;
        for (uint64_t step = 0; step < bits; ++step) x = std::nextafter(x, random() % 2 ? T(0) : T(1e38));
        if (random() % 2) x = -x;
        const auto fast = generic::quick(x, grid);
        const auto exact = generic::quantize(x, grid);
        ++tries;
        if (fast.missed) continue;
        ++hits;
        ASSERT_TRUE(exact.kept);
        ASSERT_EQ(exact.q, fast.whole) << x << " with step " << grid.step;
      }
    }
  EXPECT_GT(hits, tries / 10);
}

TYPED_TEST(QuantizerOf, a_value_of_the_grid_is_quantized_to_itself) {
  using T = TypeParam;
  std::mt19937_64 random(4);
  for (const double bound : {1e-3, 0.0009765625, 1.9999998e-3, 7.3e-11, 1e30})
    for (const bool high : {false, true})
      for (const bool power : {false, true}) {
        const double abs_bound = power ? generic::power_of_two_below(bound) : bound;
        const auto grid = generic::make_grid(generic::tested_bound<T>(abs_bound, power), kNoThreshold, int64_t{1} << 62, high);
        const auto check = [&](int64_t q) {
          const T x = generic::reconstruct(q, grid);
          const auto again = generic::quantize(x, grid);
          // Beyond kExact a value may have no code of its own; it then escapes and is as exact.
          if (again.kept) { ASSERT_EQ(generic::reconstruct(again.q, grid), x) << q << " step " << grid.step; }
          if (q < generic::GridLimits<T>::kExact && q > -generic::GridLimits<T>::kExact) {
            ASSERT_TRUE(again.kept) << q;
            ASSERT_EQ(again.q, q) << "step " << grid.step;
          }
        };
        for (int64_t edge : {int64_t{0}, int64_t{1} << 21, int64_t{1} << 22, int64_t{1} << 23, int64_t{1} << 24, int64_t{1} << 30,
                             int64_t{1} << 49})
          for (int64_t d = -1000; d <= 1000; ++d) check(edge + d), check(-edge - d);
        for (int k = 0; k < 50000; ++k) check(static_cast<int64_t>(random() >> (14 + random() % 49)));
      }
}

TEST(Quantizer, codes_of_the_example_in_the_page) {
  const std::vector<float> v = {0.0f, 0.0031f, -0.0031f, std::numeric_limits<float>::quiet_NaN(), 100.0f};
  const auto codes = [&](const std::vector<std::pair<const char*, const char*>>& keys) {
    OneStage stage = quantizer_for(v);
    stage.set("quant_radius", "32768");
    for (const auto& [key, value] : keys) stage.set(key, value);
    EXPECT_TRUE(stage.resolve().ok());
    EXPECT_TRUE(stage.observe({}, 1).ok());
    return stage.encode(bytes_of(v), 100);
  };
  EXPECT_EQ(values_of<int32_t>(codes({{"linear_mode", "true"}}).array), (std::vector<int32_t>{0, 2, -2, 0, 50000}));
  EXPECT_EQ(values_of<uint32_t>(codes({}).array), (std::vector<uint32_t>{0, 4, 3, 0, 0}));
  EXPECT_EQ(values_of<uint32_t>(codes({{"inplace_outliers", "true"}}).array),
            (std::vector<uint32_t>{0, 4, 3, 0x7FC00000, 0x42C80000}));
  const Coded plain = codes({{"code_type", "uint16"}});
  EXPECT_EQ(values_of<uint16_t>(plain.array), (std::vector<uint16_t>{0, 4, 3, 0, 0}));
  EXPECT_EQ(values_of<uint32_t>(plain.piece[0]), (std::vector<uint32_t>{0x7FC00000, 0x42C80000}));
  EXPECT_EQ(values_of<uint32_t>(plain.piece[1]), (std::vector<uint32_t>{3, 4}));
}

TEST(Quantizer, relative_codes_keep_zeros_and_signs) {
  const std::vector<float> v = {0.0f, -0.0f, 1.0f, -1.0f, 1.02f, -0.98f};
  OneStage stage = quantizer_for(v);
  stage.set("error_bound_mode", "rel").set("error_bound", "0.01");
  ASSERT_TRUE(stage.resolve().ok());
  ASSERT_TRUE(stage.observe({}, 1).ok());
  const Coded coded = stage.encode(bytes_of(v), 100);
  EXPECT_EQ(values_of<uint32_t>(coded.array), (std::vector<uint32_t>{3, 4, 1, 2, 5, 8}));
  EXPECT_TRUE(coded.piece[0].empty());
  uint32_t fault = 0;
  const auto back = values_of<float>(stage.decode(coded, 2, &fault));
  EXPECT_TRUE(std::signbit(back[1]) && !std::signbit(back[0]) && back[0] == 0 && back[1] == 0);
}

TEST(Quantizer, powers_and_logarithms_are_near_those_of_the_library) {
  for (double y = -1000; y < 1024; y += 0.37) EXPECT_NEAR(generic::exp2_of<double>(y) / std::exp2(y), 1, 1e-15) << y;
  for (double y = -1000; y < 1024; y += 0.37) {
    const double x = std::exp2(y);
    EXPECT_NEAR(generic::log2_of<double>(x), std::log2(x), 3e-13) << x;
    EXPECT_NEAR(generic::log2_of<float>(x), std::log2(x), 1e-8) << x;
    EXPECT_NEAR(generic::exp2_of<float>(y) / x, 1, 1e-8) << y;
  }
  for (double x = 0.7; x < 1.5; x += 0.001) EXPECT_NEAR(generic::log2_of<double>(x), std::log2(x), 3e-16) << x;
}

// Few escapes, where the data gives no reason for any.
TYPED_TEST(QuantizerOf, ordinary_values_hardly_ever_escape) {
  using T = TypeParam;
  for (const Setting& s : settings()) {
    const bool is_rel = std::string_view(s.mode) == "rel";
    if (!s.keys.empty() && std::string_view(s.keys.back().first) == "outlier_threshold") continue;
    if (std::stod(s.bound) < 1e-6 && sizeof(T) == 4) continue;
    if (!is_rel && (std::string_view(s.mode) != "noa" || std::stod(s.bound) < 1e-6)) continue;
    const auto v = field<T>(20000, 0);
    OneStage stage = quantizer_for(v);
    stage.set("error_bound_mode", s.mode).set("error_bound", s.bound);
    for (const auto& [key, value] : s.keys) stage.set(key, value);
    ASSERT_TRUE(stage.resolve().ok());
    ASSERT_TRUE(stage.observe(bytes_of(v), 1000).ok());
    EXPECT_LT(stage.encode(bytes_of(v), 4096).piece[1].size() / 4, 5u) << spelled(s);
  }
}

TEST(Quantizer, the_range_leaves_out_what_is_not_finite) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto base = [&](const std::vector<float>& v, const char* mode) {
    OneStage stage = quantizer_for(v);
    stage.set("error_bound_mode", mode);
    EXPECT_TRUE(stage.resolve().ok());
    EXPECT_TRUE(stage.observe(bytes_of(v), 2).ok());
    return stage.fact("value_base").real;
  };
  EXPECT_EQ(base({nan, -inf, -3, 5, inf}, "noa"), 8);
  EXPECT_EQ(base({nan, -inf, -7, 5, inf}, "prel"), 7);
  EXPECT_EQ(base({nan, -inf}, "noa"), 0);
  EXPECT_EQ(base({-5, -3}, "noa"), 2);
}

// The same bytes from workers in any order, and from every instruction set.
template <class K, class T>
Coded encoded_by_scrambled(const std::vector<T>& v, const typename K::C& c) {
  Coded coded;
  coded.array.resize(v.size() * sizeof(typename K::Out));
  Bytes scratch(K::scratch_bytes(static_cast<uint32_t>(v.size()), c) + 64);
  BlockIo io;
  io.count = static_cast<uint32_t>(v.size());
  io.in = v.data();
  io.out = coded.array.data();
  io.scratch = scratch.data();
  for (uint32_t k = 0; k < 2; ++k) coded.piece[k].resize(K::max_piece_bytes(k, io.count, c)), io.piece[k] = coded.piece[k].data();
  const Pieces sizes = K::encode(generic::ScrambledGroup{}, io, c);
  for (uint32_t k = 0; k < 2; ++k) coded.piece[k].resize(sizes.bytes[k]);
  return coded;
}
template <class K, class T>
void expect_same_when_scrambled(OneStage& stage, const std::vector<T>& v) {
  ASSERT_TRUE(stage.resolve().ok());
  ASSERT_TRUE(stage.observe(bytes_of(v), 1000).ok());
  const auto& c = *static_cast<const typename K::C*>(stage.context());
  EXPECT_TRUE(encoded_by_scrambled<K>(v, c) == stage.encode(bytes_of(v), 4096));
}
TEST(Quantizer, order_of_work_does_not_change_the_bytes) {
  using generic::RelativeQuantizer, generic::Spelling, generic::UniformQuantizer;
  for (int kind = 0; kind < kKinds; ++kind) {
    const auto v = field<float>(3000, kind);
    const auto w = field<double>(3000, kind);
    {
      OneStage s = quantizer_for(v);
      expect_same_when_scrambled<UniformQuantizer<float, int32_t, Spelling::linear>>(s.set("linear_mode", "true"), v);
    }
    {
      OneStage s = quantizer_for(v);
      expect_same_when_scrambled<UniformQuantizer<float, uint32_t, Spelling::inplace>>(s.set("inplace_outliers", "true"), v);
    }
    {
      OneStage s = quantizer_for(w);
      expect_same_when_scrambled<UniformQuantizer<double, uint32_t, Spelling::plain>>(s, w);
    }
    {
      OneStage s = quantizer_for(v);
      expect_same_when_scrambled<RelativeQuantizer<float, uint32_t>>(s.set("error_bound_mode", "rel"), v);
    }
  }
}

}  // namespace
}  // namespace fzm
