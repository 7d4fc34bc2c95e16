// Whole pipelines through the façade: every preset and random chains, over types, shapes, inputs and bounds.
#include <gtest/gtest.h>

#include <random>

#include "core/fzm.h"
#include "tests/support/bounds.h"
#include "tests/support/fields.h"
#include "tests/support/random_chain.h"

namespace fzm {
namespace {

constexpr DType kTypes[] = {DType::u8, DType::u16, DType::u32, DType::u64, DType::i8, DType::i16, DType::i32, DType::i64, DType::f32, DType::f64};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{{1},          {2},       {31},       {257},       {4096},      {5003},        {1, 1, 7},
                                      {3, 1, 129},  {64, 65},  {1, 97},    {127, 3},    {5, 6, 7},   {4, 4, 4},     {17, 19, 23},
                                      {2, 3, 4, 5}, {70000},   {130, 131, 5}, Shape(32, 1)};
  return all;
}

uint32_t items(const Shape& shape) { return *count_values(shape); }

std::vector<uint8_t> bytes_of(const EncodedFrame& frame) {
  std::vector<uint8_t> bytes(frame.size());
  frame.copy_to(bytes.data());
  return bytes;
}

// Encodes, decodes, checks the promises that hold for every frame, and gives what came back.
std::vector<uint8_t> round_trip(const Request& request, const ArrayInfo& array, const std::vector<uint8_t>& data, std::vector<uint8_t>* frame_out = nullptr) {
  const auto frame = encode(request, array, data.data());
  EXPECT_TRUE(frame.ok()) << frame.status().message();
  if (!frame.ok()) return {};
  const std::vector<uint8_t> bytes = bytes_of(*frame);
  EXPECT_NE(bytes.size(), data.size());
  EXPECT_LE(bytes.size(), data.size() + 128);
  EXPECT_EQ(bytes, bytes_of(*encode(request, array, data.data(), Options{.threads = 3}))) << "with three threads";
  std::vector<uint8_t> back(data.size(), 0xA5);
  const Status s = decode(bytes, back.data(), back.size());
  EXPECT_TRUE(s.ok()) << s.message();
  std::vector<uint8_t> again(data.size(), 0x5A);
  EXPECT_TRUE(decode(bytes, again.data(), again.size(), Options{.threads = 3}).ok());
  EXPECT_EQ(back, again) << "with three threads";
  if (frame_out) *frame_out = bytes;
  return back;
}

class Presets : public testing::TestWithParam<const char*> {};

TEST_P(Presets, keep_every_bound_for_every_type_shape_and_input) {
  const Request preset = *Request::from_preset(GetParam());
  uint32_t cases = 0;
  for (const DType type : kTypes)
    for (const Shape& shape : shapes())
      for (const std::string& name : test::field_names()) {
        const std::vector<uint8_t> data = test::field(type, name, items(shape));
        const ArrayInfo array{.type = type, .shape = shape};
        const uint32_t turn = cases++;
        constexpr double kBounds[] = {1e-1, 1e-3, 1e-6, 5, 1e9, 1e-12};
        constexpr BoundMode kModes[] = {BoundMode::abs, BoundMode::noa, BoundMode::prel};
        const double bound = kBounds[turn % 6];
        const BoundMode mode = kModes[turn / 6 % 3];
        SCOPED_TRACE(std::string(dtype_name(type)) + " " + to_string(shape) + " " + name + " bound " + std::to_string(bound) + " mode " +
                     std::to_string(static_cast<int>(mode)));
        Request request = preset;
        if (!preset.is_lossy()) {
          ASSERT_EQ(round_trip(request, array, data), data);
          continue;
        }
        ASSERT_TRUE(request.set_bound(mode, bound).ok());
        const std::vector<uint8_t> back = round_trip(request, array, data);
        ASSERT_EQ(back.size(), data.size());
        const auto miss = test::first_miss(type, mode, bound, data, back);
        ASSERT_FALSE(miss) << *miss;
        if (mode != BoundMode::abs) continue;
        ASSERT_EQ(round_trip(request, array, back), back) << "encoding what was decoded changes it";
      }
  EXPECT_EQ(cases, std::size(kTypes) * shapes().size() * test::field_names().size());
}

TEST_P(Presets, keep_point_wise_relative_bounds) {
  Request request = *Request::from_preset(GetParam());
  if (!request.is_lossy()) return;
  for (const DType type : {DType::f32, DType::f64})
    for (const std::string& name : test::field_names())
      for (const double bound : {1e-1, 1e-3, 1e-5}) {
        SCOPED_TRACE(std::string(dtype_name(type)) + " " + name + " " + std::to_string(bound));
        ASSERT_TRUE(request.set_bound(BoundMode::rel, bound).ok());
        const ArrayInfo array{.type = type, .shape = {41, 100}};
        const auto data = test::field(type, name, 4100);
        const auto plan = explain(request, array);
        ASSERT_TRUE(plan.ok()) << plan.status().message();
        const auto back = round_trip(request, array, data);
        const auto miss = test::first_miss(type, BoundMode::rel, bound, data, back);
        ASSERT_FALSE(miss) << *miss;
      }
}

TEST_P(Presets, give_back_big_endian_arrays_in_their_order) {
  const Request request = *Request::from_preset(GetParam());
  for (const DType type : {DType::f32, DType::f64, DType::i16}) {
    const ArrayInfo array{.type = type, .big_endian = true, .shape = {50, 21}};
    std::vector<uint8_t> native = test::field(type, "gaps", 1050), swapped = native;
    const uint32_t w = dtype_bytes(type);
    for (size_t i = 0; i < native.size(); ++i) swapped[i / w * w + w - 1 - i % w] = native[i];
    const auto back = round_trip(request, array, swapped);
    std::vector<uint8_t> back_native = back;
    for (size_t i = 0; i < back.size(); ++i) back_native[i / w * w + w - 1 - i % w] = back[i];
    const auto [mode, bound] = request.bound();
    const auto miss = request.is_lossy() ? test::first_miss(type, mode, bound, native, back_native)
                                         : back == swapped ? std::nullopt : std::optional<std::string>("bytes differ");
    EXPECT_FALSE(miss) << *miss;
  }
}

TEST_P(Presets, bring_special_values_back_bit_for_bit) {
  const Request request = *Request::from_preset(GetParam());
  const ArrayInfo array{.type = DType::f32, .shape = {300, 301}, .has_fill = true, .fill_bits = std::bit_cast<uint32_t>(-9999.0f)};
  std::vector<uint8_t> data = test::field(DType::f32, "gaps", 300 * 301);
  std::vector<float> x(300 * 301), y(x.size());
  std::memcpy(x.data(), data.data(), data.size());
  for (size_t i = 0; i < x.size(); ++i) {
    if (i % 301 > 200) x[i] = -9999.0f;
    if (i % 5000 == 7) x[i] = std::bit_cast<float>(0x7F812345u);  // a signalling NaN with a payload
  }
  std::memcpy(data.data(), x.data(), data.size());
  const auto back = round_trip(request, array, data);
  std::memcpy(y.data(), back.data(), back.size());
  for (size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || x[i] == -9999.0f || x[i] >= 1e30f) {
      ASSERT_EQ(std::bit_cast<uint32_t>(x[i]), std::bit_cast<uint32_t>(y[i])) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Presets,
                         testing::Values("lossless", "fsz", "cuszp", "cuszp2", "cuszp3", "cuszp3_outlier", "cuszp3_fixed", "szp", "pfpl"),
                         [](const auto& which) { return std::string(which.param); });

// Escapes, spread evenly, whose values take a quarter of the chunk: from one more on the pipeline is given up.
TEST(Limits, of_pieces_are_the_same_for_every_number_of_threads) {
  constexpr uint32_t kValues = 1u << 19, kMostEscapes = kValues / 4;
  Request request = *Request::from_preset("fsz");
  ASSERT_TRUE(request.set_bound(BoundMode::abs, 1e-3).ok());
  for (const uint32_t escapes : {kMostEscapes, kMostEscapes + 1, kMostEscapes + kMostEscapes / 3}) {
    std::vector<float> x(kValues);
    for (uint32_t i = 0, n = 0; i < kValues; ++i) {
      const bool is_escape = uint64_t{i + 1} * escapes / kValues > n;
      n += is_escape;
      x[i] = is_escape ? 1e20f + 1e15f * static_cast<float>(i) : static_cast<float>(i % 100) * 0.01f;
    }
    const ArrayInfo array{.type = DType::f32, .shape = {kValues}};
    const std::vector<uint8_t> frame = bytes_of(*encode(request, array, x.data()));
    for (const uint32_t threads : {2u, 3u, 4u})
      EXPECT_TRUE(frame == bytes_of(*encode(request, array, x.data(), {.threads = threads}))) << threads << " threads, " << escapes;
    const bool is_given_up = read_frame_info(frame)->stages[0].name != "Quantizer";
    EXPECT_EQ(is_given_up, escapes > kMostEscapes) << escapes;
  }
}

TEST(OpaqueItems, of_any_size_come_back) {
  for (const uint32_t item : {1u, 2u, 3u, 4u, 7u, 8u, 12u, 16u, 1000u})
    for (const char* preset : {"fsz", "lossless", "pfpl"}) {
      const ArrayInfo array{.type = DType::unknown, .item_bytes = item, .shape = {13, 31}};
      const auto data = test::field(DType::u8, "steps", 13 * 31 * item);
      EXPECT_EQ(round_trip(*Request::from_preset(preset), array, data), data) << preset << " " << item;
    }
}

TEST(RandomChains, come_back_within_their_bound_or_are_refused_with_a_sentence) {
  std::mt19937 random(11);
  uint32_t ran = 0, refused = 0;
  for (uint32_t turn = 0; turn < 1500; ++turn) {
    const bool lossy = turn % 2;
    const auto [text, type, shape, name] = test::random_chain_case(random, lossy, shapes(), test::field_names());
    SCOPED_TRACE(text + std::string(dtype_name(type)) + " " + to_string(shape) + " " + name);
    const auto request = Request::from_toml(text, "chain.toml");
    ASSERT_TRUE(request.ok()) << request.status().message();
    const ArrayInfo array{.type = type, .shape = shape};
    if (const auto plan = explain(*request, array); !plan.ok()) {
      ASSERT_GT(plan.status().message().size(), 20u);
      ++refused;
      continue;
    }
    ++ran;
    const auto data = test::field(type, name, items(shape));
    const auto back = round_trip(*request, array, data);
    ASSERT_EQ(back.size(), data.size());
    if (!lossy) { ASSERT_EQ(back, data); }
    const auto miss = test::first_miss(type, BoundMode::abs, lossy ? 0.01 : 0, data, back);
    ASSERT_FALSE(miss) << *miss;
  }
  EXPECT_GT(ran, 500u) << refused << " refused";
}

TEST(EmptyChunks, are_frames_too) {
  const ArrayInfo array{.type = DType::f32, .shape = {0, 5}};
  const auto frame = encode(*Request::from_preset("fsz"), array, nullptr);
  ASSERT_TRUE(frame.ok());
  const auto bytes = bytes_of(*frame);
  EXPECT_TRUE(decode(bytes, nullptr, 0).ok());
}

TEST(LargeChunks, of_four_gibibytes_are_refused_with_a_sentence) {
  const ArrayInfo array{.type = DType::f64, .shape = {1u << 15, 1u << 14}};
  const auto frame = encode(*Request::from_preset("fsz"), array, nullptr);
  ASSERT_FALSE(frame.ok());
  EXPECT_EQ(frame.status().code(), Code::too_large);
  EXPECT_NE(frame.status().message().find("4 GiB"), std::string::npos);
}

TEST(Frames, are_compact_around_three_stages_on_a_3d_chunk) {
  const ArrayInfo array{.type = DType::f32, .shape = {16, 128, 128}};
  const auto data = test::field(DType::f32, "smooth", 16 * 128 * 128);
  std::vector<uint8_t> frame;
  round_trip(*Request::from_preset("fsz"), array, data, &frame);
  const auto info = read_frame_info(frame);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->stages.size(), 3u);
  EXPECT_LE(info->header_bytes, 96u);
}

}  // namespace
}  // namespace fzm
