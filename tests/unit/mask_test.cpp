#include "kernels/mask/mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/stage/registry.h"
#include "kernels/base/scrambled_group.h"
#include "tests/support/one_stage.h"

namespace fzm {
namespace {

using testing::Bytes;
using testing::bytes_of;
using testing::Coded;
using testing::OneStage;
using testing::values_of;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

const Stage& mask() { return *find_stage(uint16_t{43}); }
Extent line(size_t n) { return {static_cast<uint32_t>(n), 1, static_cast<uint32_t>(n), 1, 1}; }
Extent volume(uint32_t nz, uint32_t ny, uint32_t nx) { return {nx * ny * nz, nz > 1 ? 3u : 2u, nx, ny, nz}; }
template <class T>
std::string bits_text(T v) {
  uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return std::to_string(bits);
}

// What a stage object needs: extent, then has_fill.
template <class T>
OneStage mask_for(const Extent& e, const T* fill = nullptr) {
  OneStage stage(mask(), kDType<T>, e);
  if (fill) stage.set("has_fill", "true").set("fill_bits", bits_text(*fill));
  EXPECT_TRUE(stage.resolve().ok());
  return stage;
}
template <class T>
bool is_present(OneStage& stage, const std::vector<T>& v) {
  EXPECT_TRUE(stage.observe(bytes_of(v), 65536).ok());
  return stage.fact("present").whole == 1;
}
// Encodes, checks that decoding gives the bits back in any cut, and returns the bytes of records and piece.
template <class T>
size_t round_trip(OneStage& stage, const std::vector<T>& v, Coded* result = nullptr) {
  EXPECT_TRUE(is_present(stage, v));
  const Coded coded = stage.encode(bytes_of(v), static_cast<uint32_t>(v.size()));
  for (const uint32_t cut : {65536u, 131072u, 1u << 30}) {
    uint32_t fault = 0;
    EXPECT_TRUE(stage.encode(bytes_of(v), cut) == coded) << "cut " << cut;
    EXPECT_EQ(stage.decode(coded, cut, &fault), bytes_of(v)) << "cut " << cut;
    EXPECT_EQ(fault, 0u);
  }
  if (result) *result = coded;
  return coded.records.size() + coded.piece[0].size();
}

TEST(Mask, ordinary_values_leave_no_trace) {
  const std::vector<float> v = {0, -0.0f, 1, 9e29f, 2e30f, -3e30f, std::numeric_limits<float>::denorm_min()};
  OneStage stage = mask_for<float>(line(v.size()));
  EXPECT_FALSE(is_present(stage, v));
  EXPECT_TRUE(mask().is_identity(stage.facts()));
}

TEST(Mask, gaps_are_filled_with_the_value_before_or_the_first_one) {
  const std::vector<float> v = {kNan, -kInf, 5, kNan, 1e34f, 7, 8, 1e34f, -3e33f, -3e33f, 2e29f};
  OneStage stage = mask_for<float>(line(v.size()));
  Coded coded;
  round_trip(stage, v, &coded);
  EXPECT_EQ(values_of<float>(coded.array), (std::vector<float>{5, 5, 5, 5, 5, 7, 8, 8, 8, 8, 2e29f}));
}

TEST(Mask, a_block_without_ordinary_values_gets_the_first_of_the_array) {
  std::vector<float> v(3 * 65536 + 5, kNan);
  v[65536 + 10] = 42;
  OneStage stage = mask_for<float>(line(v.size()));
  Coded coded;
  EXPECT_LT(round_trip(stage, v, &coded), 100u);
  for (const float x : values_of<float>(coded.array)) ASSERT_EQ(x, 42);
}

TEST(Mask, nothing_but_specials_is_filled_with_zero) {
  const std::vector<float> v(100, kNan);
  OneStage stage = mask_for<float>(line(v.size()));
  Coded coded;
  round_trip(stage, v, &coded);
  EXPECT_EQ(values_of<float>(coded.array), std::vector<float>(100, 0.0f));
}

TEST(Mask, where_everything_is_huge_huge_is_ordinary) {
  const std::vector<float> v = {2e33f, 2e33f, 3e33f, 3e33f};
  OneStage stage = mask_for<float>(line(v.size()));
  EXPECT_FALSE(is_present(stage, v));
}

TEST(Mask, fill_values_of_integers_are_found) {
  const int16_t fill = -9999;
  std::vector<int16_t> v(1000, 7);
  v[3] = v[4] = v[999] = fill;
  OneStage stage = mask_for<int16_t>(line(v.size()), &fill);
  Coded coded;
  EXPECT_LT(round_trip(stage, v, &coded), 30u);
  EXPECT_EQ(values_of<int16_t>(coded.array), std::vector<int16_t>(1000, 7));
  OneStage without = mask_for<int16_t>(line(v.size()));
  EXPECT_FALSE(is_present(without, v));
}

TEST(Mask, a_fill_value_of_zero_is_ordinary) {
  for (const float zero : {0.0f, -0.0f}) {
    const std::vector<float> v = {1, 0, 0, -0.0f, 2};
    OneStage stage = mask_for<float>(line(v.size()), &zero);
    EXPECT_FALSE(is_present(stage, v));
  }
}

TEST(Mask, a_fill_value_too_wide_for_the_type_is_refused) {
  OneStage stage(mask(), DType::i16, line(4));
  stage.set("has_fill", "true").set("fill_bits", "65536");
  EXPECT_EQ(stage.resolve().code(), Code::bad_request);
}

TEST(Mask, without_specials_only_the_fill_value_is_taken_out) {
  const float fill = -99;
  const std::vector<float> v = {1, kNan, -99, kInf, 1e34f, 1e34f};
  OneStage stage(mask(), DType::f32, line(v.size()));
  stage.set("specials", "false").set("has_fill", "true").set("fill_bits", bits_text(fill));
  ASSERT_TRUE(stage.resolve().ok());
  Coded coded;
  round_trip(stage, v, &coded);
  EXPECT_TRUE(std::isnan(values_of<float>(coded.array)[1]));
  EXPECT_TRUE(std::isnan(values_of<float>(coded.array)[2]));
}

template <class T>
class MaskOf : public ::testing::Test {};
using Types = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>;
TYPED_TEST_SUITE(MaskOf, Types);

template <class T>
T special(uint64_t random, T fill) {
  if constexpr (std::is_floating_point_v<T>) {
    const T odd[] = {fill, std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                     -std::numeric_limits<T>::infinity(), T(-1e34)};
    return odd[random % std::size(odd)];
  }
  return fill;
}

TYPED_TEST(MaskOf, every_size_and_density_comes_back_bit_for_bit) {
  using T = TypeParam;
  const T fill = static_cast<T>(101);
  for (const uint32_t n : {1u, 2u, 7u, 8u, 31u, 32u, 33u, 63u, 64u, 65u, 255u, 256u, 257u, 1000u, 4096u, 4097u, 16384u, 65535u, 65536u, 65537u,
                           140000u})
    for (const double density : {0.0001, 0.01, 0.3, 0.7, 1.0})
      for (const uint32_t run : {1u, 40u}) {
        if (n > 60000 && density != (run == 1 ? 0.01 : 0.3)) continue;
        std::mt19937_64 random(n + run);
        std::vector<T> v(n);
        for (uint32_t i = 0; i < n; ++i) v[i] = static_cast<T>(i % 100);
        for (uint32_t i = 0; i < n; i += run) {
          const uint64_t r = random();
          if (static_cast<double>(r % 1000000) < density * 1e6)
            for (uint32_t j = i; j < std::min(n, i + run); ++j) v[j] = special<T>(run == 1 ? random() : 0, fill);
        }
        for (const Extent& e : {line(n), n % 64 == 0 ? volume(1, n / 64, 64) : line(n), n % 512 == 0 ? volume(n / 512, 16, 32) : line(n)}) {
          OneStage stage = mask_for<T>(e, &fill);
          if (!is_present(stage, v)) continue;
          round_trip(stage, v);
        }
      }
}

TEST(Mask, payloads_of_nans_come_back) {
  std::mt19937 random(1);
  std::vector<float> v(100000);
  for (float& x : v) {
    uint32_t bits = static_cast<uint32_t>(random());
    if (random() % 2) bits |= 0x7F800000;
    std::memcpy(&x, &bits, 4);
  }
  OneStage stage = mask_for<float>(line(v.size()));
  const size_t specials = static_cast<size_t>(std::count_if(v.begin(), v.end(), [](float x) { return !std::isfinite(x); }));
  EXPECT_LE(round_trip(stage, v), 100000 / 8 + specials * 4 + 100);
}

// A round continent in every plane: one pattern, the same positions.
TEST(Mask, a_land_mask_costs_little) {
  std::vector<float> v;
  for (int z = 0; z < 12; ++z)
    for (int y = 0; y < 90; ++y)
      for (int x = 0; x < 180; ++x)
        v.push_back((x - 80) * (x - 80) + (y - 40) * (y - 40) < 1600 ? -1e34f : static_cast<float>(x + y));
  OneStage stage = mask_for<float>(volume(12, 90, 180));
  const size_t specials = static_cast<size_t>(std::count(v.begin(), v.end(), -1e34f));
  EXPECT_LT(static_cast<double>(round_trip(stage, v)) * 8, 0.1 * static_cast<double>(specials));
}

TEST(Mask, the_example_in_the_page) {
  std::vector<float> v(40, 1.5f);
  v[5] = v[6] = v[7] = kNan;
  v[20] = kInf;
  OneStage stage = mask_for<float>(line(v.size()));
  Coded coded;
  round_trip(stage, v, &coded);
  EXPECT_EQ(coded.records, (Bytes{0x0D, 0, 0, 0}));
  EXPECT_EQ(coded.piece[0], (Bytes{0x00, 0x01, 0xE0, 0x00, 0x10, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x80, 0x7F}));
}

TEST(Mask, order_of_work_does_not_change_the_bytes) {
  using K = generic::Mask<float>;
  std::mt19937 random(2);
  std::vector<float> v(70000, 3);
  for (float& x : v)
    if (random() % 50 == 0) x = random() % 10 ? kNan : kInf;
  OneStage stage = mask_for<float>(volume(1, 700, 100));
  Coded serial;
  round_trip(stage, v, &serial);
  const auto& c = *static_cast<const K::C*>(stage.context());
  const uint32_t n = static_cast<uint32_t>(v.size());
  Coded coded;
  coded.array.resize(n * 4), coded.records.resize(8), coded.piece[0].resize(K::max_piece_bytes(0, n, c));
  std::vector<uint64_t> scratch(K::scratch_bytes(n, c) / 8);
  BlockIo io;
  io.count = n, io.in = v.data(), io.out = coded.array.data(), io.records = coded.records.data(), io.piece[0] = coded.piece[0].data();
  io.scratch = reinterpret_cast<uint8_t*>(scratch.data());
  coded.piece[0].resize(K::encode(generic::ScrambledGroup{}, io, c).bytes[0]);
  EXPECT_TRUE(coded == serial);
  std::vector<float> back(n);
  io.in = coded.array.data(), io.out = back.data(), io.piece[0] = coded.piece[0].data(),
  io.piece_bytes[0] = static_cast<uint32_t>(coded.piece[0].size());
  K::decode(generic::ScrambledGroup{}, io, c);
  EXPECT_EQ(bytes_of(back), bytes_of(v));
}

TEST(Mask, damaged_records_and_pieces_do_no_harm) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 1500; ++trial) {
    const uint32_t n = trial % 50 == 0 ? 66000 : static_cast<uint32_t>(1 + random() % 3000);
    std::vector<double> v(n, 1.0);
    for (double& x : v)
      if (random() % (1 + random() % 100) == 0) x = random() % 3 ? NAN : INFINITY;
    v[0] = NAN;
    OneStage stage = mask_for<double>(trial % 2 ? line(n) : volume(1, 1, n));
    ASSERT_TRUE(is_present(stage, v));
    Coded coded = stage.encode(bytes_of(v), n);
    Bytes& piece = coded.piece[0];
    for (int k = 0; k < 3; ++k) piece[random() % std::min<size_t>(piece.size(), k == 0 ? 4 : piece.size())] ^= static_cast<uint8_t>(1u << random() % 8);
    if (trial % 5 == 0) coded.records[random() % coded.records.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    if (trial % 7 == 0) piece.resize(random() % piece.size());
    uint32_t fault = 0;
    EXPECT_EQ(stage.decode(coded, 1 << 20, &fault).size(), size_t{n} * 8);
  }
}

TEST(Mask, truncation_and_tails_are_reported) {
  std::vector<float> v(1000, 1);
  for (size_t i = 0; i < v.size(); i += 10) v[i] = i % 20 ? kNan : kInf;
  OneStage stage = mask_for<float>(line(v.size()));
  Coded coded;
  round_trip(stage, v, &coded);
  const Bytes piece = coded.piece[0];
  for (size_t n = 1; n < piece.size(); ++n) {
    coded.piece[0].assign(piece.begin(), piece.begin() + static_cast<ptrdiff_t>(n));
    const uint32_t bytes = static_cast<uint32_t>(n);
    std::memcpy(coded.records.data(), &bytes, 4);
    uint32_t fault = 0;
    stage.decode(coded, 65536, &fault);
    EXPECT_NE(fault, 0u) << n << " of " << piece.size() << " bytes";
  }
  coded.piece[0] = piece;
  coded.piece[0].push_back(0);
  const uint32_t bytes = static_cast<uint32_t>(coded.piece[0].size());
  std::memcpy(coded.records.data(), &bytes, 4);
  uint32_t fault = 0;
  stage.decode(coded, 65536, &fault);
  EXPECT_NE(fault, 0u);
}

}  // namespace
}  // namespace fzm
