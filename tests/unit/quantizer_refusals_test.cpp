// What the quantizer refuses, tells, or survives: bounds that cannot be kept, settings without meaning, hostile facts and codes.
#include "kernels/quantizer/quantizer.h"
#include "tests/unit/quantizer_cases.h"

namespace fzm {
namespace {

TEST(Quantizer, a_bound_that_only_exact_storage_keeps_is_told) {
  const auto conclude = [&](std::vector<float> v, const char* mode, const char* bound) {
    OneStage stage = quantizer_for(v);
    stage.set("error_bound_mode", mode).set("error_bound", bound);
    EXPECT_TRUE(stage.resolve().ok());
    return stage.observe(bytes_of(v), 2).code();
  };
  EXPECT_EQ(conclude({4, 4, 4}, "noa", "1e-3"), Code::needs_exact);
  EXPECT_EQ(conclude({0, -0.0f}, "prel", "1e-3"), Code::needs_exact);
  EXPECT_EQ(conclude({1, 2}, "abs", "1e-40"), Code::needs_exact);
  EXPECT_EQ(conclude({1, 2}, "abs", "1e-300"), Code::needs_exact);
  EXPECT_EQ(conclude({1, 2}, "rel", "1e-8"), Code::needs_exact);
  EXPECT_EQ(conclude({1, 2}, "abs", "1e300"), Code::ok);
}

TEST(Quantizer, combinations_without_meaning_are_refused) {
  const auto refusal = [](DType type, const std::vector<std::pair<const char*, const char*>>& keys) {
    OneStage stage(quantizer(), type, line(10));
    for (const auto& [key, value] : keys) stage.set(key, value);
    return stage.resolve().message();
  };
  EXPECT_NE(refusal(DType::i16, {{"error_bound_mode", "rel"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"error_bound_mode", "rel"}, {"linear_mode", "true"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"inplace_outliers", "true"}, {"linear_mode", "true"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"inplace_outliers", "true"}, {"zigzag_codes", "false"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"inplace_outliers", "true"}, {"quant_radius", "4194305"}}), "");
  EXPECT_EQ(refusal(DType::f64, {{"inplace_outliers", "true"}, {"quant_radius", "4194305"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"code_type", "uint16"}, {"quant_radius", "32769"}}), "");
  EXPECT_EQ(refusal(DType::f32, {{"code_type", "uint16"}, {"quant_radius", "32768"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"code_type", "int64"}, {"linear_mode", "true"}}), "");
  EXPECT_NE(refusal(DType::f32, {{"input_type", "float64"}}), "");
}

TEST(Quantizer, resolving_twice_changes_nothing) {
  for (const DType type : {DType::f32, DType::f64, DType::u8, DType::i64})
    for (const char* const linear : {"true", "false"}) {
      OneStage stage(quantizer(), type, line(10));
      stage.set("linear_mode", linear);
      ASSERT_TRUE(stage.resolve().ok());
      const QuantizerParams once = *static_cast<QuantizerParams*>(stage.params());
      ASSERT_TRUE(stage.resolve().ok());
      EXPECT_EQ(std::memcmp(&once, stage.params(), sizeof once), 0);
    }
}

TEST(Quantizer, hostile_facts_are_refused) {
  const auto check = [](DType type, const char* mode, QuantizerFacts facts) {
    OneStage stage(quantizer(), type, line(10));
    stage.set("error_bound_mode", mode);
    EXPECT_TRUE(stage.resolve().ok());
    return quantizer().check_facts(stage.params(), &facts, {type, line(10)}).code();
  };
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, inf, nan, 1e-320}) {
    EXPECT_EQ(check(DType::f32, "abs", {bad, 0, 0}), Code::corrupt) << bad;
    EXPECT_EQ(check(DType::f64, "noa", {bad, 0, 0}), Code::corrupt) << bad;
    EXPECT_EQ(check(DType::f64, "rel", {0, 0, bad}), Code::corrupt) << bad;
  }
  for (const double bad : {-1.0, inf, nan}) EXPECT_EQ(check(DType::i16, "abs", {bad, 0, 0}), Code::corrupt) << bad;
  EXPECT_EQ(check(DType::f32, "abs", {1e-3, 0, 0}), Code::ok);
}

template <class T>
class HostileQuantizerOf : public ::testing::Test {};
TYPED_TEST_SUITE(HostileQuantizerOf, Floats);

TYPED_TEST(HostileQuantizerOf, hostile_codes_and_lists_do_no_harm) {
  using T = TypeParam;
  std::mt19937_64 random(9);
  for (const Setting& s : settings()) {
    const auto v = field<T>(3000, 1);
    OneStage stage = quantizer_for(v);
    stage.set("error_bound_mode", s.mode).set("error_bound", s.bound);
    for (const auto& [key, value] : s.keys) stage.set(key, value);
    ASSERT_TRUE(stage.resolve().ok());
    if (!stage.observe(bytes_of(v), 1000).ok()) continue;
    Coded coded = stage.encode(bytes_of(v), 3000);
    for (uint8_t& b : coded.array) b = static_cast<uint8_t>(random());
    for (uint8_t& b : coded.piece[1]) b = static_cast<uint8_t>(random());
    coded.piece[0].push_back(1);
    uint32_t fault = 0;
    EXPECT_EQ(stage.decode(coded, 1000, &fault).size(), v.size() * sizeof(T));
  }
}

TEST(Quantizer, an_index_outside_the_block_is_reported_and_left_out) {
  const std::vector<float> v = {1, 2, NAN, 4};
  OneStage stage = quantizer_for(v);
  ASSERT_TRUE(stage.resolve().ok());
  ASSERT_TRUE(stage.observe({}, 4).ok());
  Coded coded = stage.encode(bytes_of(v), 4);
  BlockIo io;
  std::vector<float> out(4);
  Bytes scratch(4 * 4 + 64);
  uint32_t index = 4, fault = 0;
  io.count = 4, io.in = coded.array.data(), io.out = out.data(), io.scratch = scratch.data();
  io.piece[0] = coded.piece[0].data(), io.piece_bytes[0] = 4;
  io.piece[1] = reinterpret_cast<uint8_t*>(&index), io.piece_bytes[1] = 4;
  stage.code().decode(io, stage.context(), &fault);
  EXPECT_EQ(fault, 1u << static_cast<uint32_t>(Fault::bad_index));
  EXPECT_EQ(out[2], 0.0f);
  io.piece_bytes[0] = 3, fault = 0;
  stage.code().decode(io, stage.context(), &fault);
  EXPECT_EQ(fault, 1u << static_cast<uint32_t>(Fault::bad_payload));
}

}  // namespace
}  // namespace fzm
