#include "kernels/adaptive_bitpack/adaptive_bitpack.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "kernels/base/scrambled_group.h"
#include "tests/support/hex.h"
#include "tests/support/one_stage.h"

namespace fzm {

const Stage& adaptive_bitpack_stage();

namespace {

using testing::Bytes;
using testing::bytes_of;
using testing::Coded;
using testing::from_hex;
using testing::OneStage;
using testing::to_hex;
using testing::values_of;

constexpr uint32_t kSizes[] = {0, 1, 2, 7, 8, 31, 32, 33, 255, 256, 257, 1000, 4096, 4097, 16384};
constexpr uint32_t kBlockSizes[] = {1, 3, 8, 20, 32, 64, 100, 256, 1024};

Extent line(size_t n) { return {static_cast<uint32_t>(n), 1, static_cast<uint32_t>(n), 1, 1}; }
template <class T>
OneStage stage_for(const std::vector<T>& v, uint32_t block, bool outlier) {
  OneStage s(adaptive_bitpack_stage(), kDType<T>, line(v.size()));
  s.set("block_size", std::to_string(block)).set("outlier_selection", outlier ? "true" : "false");
  EXPECT_TRUE(s.resolve().ok());
  return s;
}

// Residuals: mostly small, jumps every 32 values, zeros, and the ends of the range.
template <class T>
std::vector<T> residuals(size_t n, uint64_t kind) {
  std::mt19937_64 random(n * 8 + kind);
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) {
    const int bits = kind == 3 ? 64 : static_cast<int>(i / 40 % 5);
    const int64_t wide = bits == 0 ? 0 : static_cast<int64_t>(random()) >> (64 - bits);
    v[i] = static_cast<T>(wide);
    if (kind == 1 && i % 32 == 0) v[i] = static_cast<T>(random());
    if (kind == 2 && random() % 200 == 0) v[i] = random() % 2 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
  return v;
}

template <class T>
class AdaptiveBitpackOf : public ::testing::Test {};
using Types = ::testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(AdaptiveBitpackOf, Types);

std::vector<int32_t> vector_of_the_definition() {
  std::vector<int32_t> v(32);
  v[0] = -1000, v[1] = 1, v[2] = -1, v[3] = 2;
  return v;
}

TEST(adaptive_bitpack, the_bytes_are_those_of_the_definition) {
  std::vector<int32_t> v = vector_of_the_definition();
  const std::string plain = "05000000060000000800000000000000010000000000000001000000010000000100000001000000" "01000000";
  Coded c = stage_for(v, 32, false).encode(bytes_of(v), 32);
  EXPECT_EQ(to_hex(c.records), "0a");
  EXPECT_EQ(to_hex(c.piece[0]), plain);
  const std::string apart = "e803" "05000000" "06000000" "08000000";
  c = stage_for(v, 32, true).encode(bytes_of(v), 32);
  EXPECT_EQ(to_hex(c.records), "0203");
  EXPECT_EQ(to_hex(c.piece[0]), apart);

  v.insert(v.end(), {5, -3});
  c = stage_for(v, 32, false).encode(bytes_of(v), 64);
  EXPECT_EQ(to_hex(c.records), "0a03");
  EXPECT_EQ(to_hex(c.piece[0]), plain + "02000000" "03000000" "02000000" "01000000");
  c = stage_for(v, 32, true).encode(bytes_of(v), 64);
  EXPECT_EQ(to_hex(c.records), "02030201");
  EXPECT_EQ(to_hex(c.piece[0]), apart + "05" "02000000" "02000000" "02000000");
}

TYPED_TEST(AdaptiveBitpackOf, arrays_come_back_however_they_are_cut) {
  using T = TypeParam;
  for (const uint32_t n : kSizes)
    for (const uint32_t block : kBlockSizes)
      for (const bool outlier : {false, true})
        for (uint64_t kind = 0; kind < 4; ++kind) {
          const std::vector<T> v = residuals<T>(n, kind);
          OneStage stage = stage_for(v, block, outlier);
          const Coded whole = stage.encode(bytes_of(v), 1u << 20);
          ASSERT_EQ(whole, stage.encode(bytes_of(v), 1024)) << n << ' ' << block;
          uint32_t fault = 0;
          ASSERT_EQ(values_of<T>(stage.decode(whole, 1u << 20, &fault)), v) << n << ' ' << block << ' ' << outlier;
          ASSERT_EQ(values_of<T>(stage.decode(whole, 300, &fault)), v) << n << ' ' << block << ' ' << outlier;
          ASSERT_EQ(fault, 0u);
        }
}

TYPED_TEST(AdaptiveBitpackOf, the_lowest_value_takes_a_plane_of_its_own) {
  using T = TypeParam;
  std::vector<T> v(32, T(3));
  v[5] = std::numeric_limits<T>::min();
  const Coded c = stage_for(v, 32, false).encode(bytes_of(v), 32);
  ASSERT_EQ(c.records[0], 8 * sizeof(T));
  ASSERT_EQ(c.piece[0].size(), 4 * (8 * sizeof(T) + 1));
  EXPECT_EQ(to_hex(Bytes(c.piece[0].end() - 4, c.piece[0].end())), "20000000");
}

TYPED_TEST(AdaptiveBitpackOf, no_order_of_workers_changes_a_byte) {
  using T = TypeParam;
  using K = generic::AdaptiveBitpack<T>;
  for (const bool outlier : {false, true})
    for (const uint32_t block : {5u, 32u})
      for (uint64_t kind = 0; kind < 4; ++kind) {
        const std::vector<T> v = residuals<T>(1000, kind);
        OneStage stage = stage_for(v, block, outlier);
        const Coded c = stage.encode(bytes_of(v), 1u << 20);
        const auto& context = *static_cast<const typename K::C*>(stage.context());
        Bytes scratch(K::scratch_bytes(1000, context) + 64, 0xAA), records(K::record_bytes(1000, context)),
            piece(K::max_piece_bytes(0, 1000, context));
        BlockIo io;
        io.count = 1000;
        io.in = v.data();
        io.records = records.data();
        io.piece[0] = piece.data();
        io.scratch = scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64) % 64;
        piece.resize(K::encode(generic::ScrambledGroup(), io, context).bytes[0]);
        ASSERT_EQ(records, c.records);
        ASSERT_EQ(piece, c.piece[0]);
        std::vector<T> out(1000);
        io.in = nullptr;
        io.out = out.data();
        io.piece_bytes[0] = static_cast<uint32_t>(piece.size());
        K::decode(generic::ScrambledGroup(), io, context);
        ASSERT_EQ(out, v);
      }
}

TYPED_TEST(AdaptiveBitpackOf, hostile_metadata_is_reported) {
  using T = TypeParam;
  std::mt19937_64 random(3);
  for (const bool outlier : {false, true}) {
    const std::vector<T> v = residuals<T>(1000, 1);
    OneStage stage = stage_for(v, 32, outlier);
    const Coded good = stage.encode(bytes_of(v), 1u << 20);
    uint32_t fault = 0;
    Coded bad = good;
    bad.records[0] = 8 * sizeof(T) + 1;
    stage.decode(bad, 1u << 20, &fault);
    EXPECT_TRUE(fault & 1u << static_cast<uint32_t>(Fault::bad_record));
    if (outlier) {
      for (const uint8_t select : {uint8_t(2), uint8_t(2 * sizeof(T) + 1), uint8_t(255)}) {
        bad = good;
        bad.records[1] = select;
        stage.decode(bad, 1u << 20, &fault);
        EXPECT_TRUE(fault & 1u << static_cast<uint32_t>(Fault::bad_record)) << int(select);
      }
    }
    bad = good;
    bad.piece[0].pop_back();
    stage.decode(bad, 1u << 20, &fault);
    EXPECT_TRUE(fault & 1u << static_cast<uint32_t>(Fault::bad_payload));
    for (int round = 0; round < 200; ++round) {
      bad = good;
      for (uint8_t& b : bad.records)
        if (random() % 4 == 0) b = static_cast<uint8_t>(random());
      if (round % 2) bad.piece[0].resize(bad.piece[0].size() + 8000);
      stage.decode(bad, round % 3 ? 1u << 20 : 128, &fault);
    }
  }
}

TEST(adaptive_bitpack, block_sizes_out_of_range_are_refused) {
  const Param& row = adaptive_bitpack_stage().params[0];
  EXPECT_FALSE(from_text(row, "0").ok());
  EXPECT_FALSE(from_text(row, "1025").ok());
  EXPECT_TRUE(from_text(row, "1024").ok());
}

}  // namespace
}  // namespace fzm
