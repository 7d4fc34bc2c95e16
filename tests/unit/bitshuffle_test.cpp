#include "kernels/bitshuffle/bitshuffle.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/one_stage.h"

namespace fzm {

const Stage& bitshuffle_stage();

namespace {

using testing::Bytes;
using testing::bytes_of;
using testing::Coded;
using testing::OneStage;
using testing::values_of;

Extent line(size_t n) { return {static_cast<uint32_t>(n), 1, static_cast<uint32_t>(n), 1, 1}; }
Bytes noise(size_t n) {
  std::mt19937_64 random(n);
  Bytes v(n);
  for (uint8_t& b : v) b = static_cast<uint8_t>(random());
  return v;
}
template <class T>
std::vector<uint32_t> shuffled_words(const std::vector<T>& v) {
  OneStage stage(bitshuffle_stage(), kDType<T>, line(v.size()));
  EXPECT_TRUE(stage.resolve().ok());
  return values_of<uint32_t>(stage.encode(bytes_of(v), 1u << 20).array);
}
std::vector<uint32_t> only(size_t at, uint32_t word) {
  std::vector<uint32_t> v(4096);
  v[at] = word;
  return v;
}

TEST(bitshuffle, words_are_those_of_the_definition) {
  std::vector<uint32_t> four(4096);
  four[0] = 1;
  EXPECT_EQ(shuffled_words(four), only(31 * 128, 0x80000000u));
  four[0] = 0, four[1] = 0x80000000u;
  EXPECT_EQ(shuffled_words(four), only(0, 0x40000000u));
  std::vector<uint16_t> two(8192);
  two[0] = 1;
  EXPECT_EQ(shuffled_words(two), only(15 * 256, 1));
}

TEST(bitshuffle, every_bit_goes_to_its_place) {
  std::mt19937_64 random(9);
  for (const uint32_t width : {1u, 2u, 4u, 8u}) {
    OneStage stage(bitshuffle_stage(), DType::u8, line(16384));
    stage.set("element_width", std::to_string(width));
    ASSERT_TRUE(stage.resolve().ok());
    const uint32_t n = 16384 / width, word = width == 8 ? 64 : 32;
    for (int round = 0; round < 200; ++round) {
      const uint32_t element = static_cast<uint32_t>(random()) % n, bit = static_cast<uint32_t>(random()) % (8 * width);
      Bytes in(16384), expected(16384);
      in[element * width + bit / 8] = static_cast<uint8_t>(1 << (bit % 8));
      const uint32_t plane = 8 * width - 1 - bit, in_word = width >= 4 ? word - 1 - element % word : element % word;
      const uint32_t place = plane * n + element / word * word + in_word;
      expected[place / 8] = static_cast<uint8_t>(1 << (place % 8));
      ASSERT_EQ(stage.encode(in, 1u << 20).array, expected) << width << ": element " << element << ", bit " << bit;
    }
  }
}

TEST(bitshuffle, arrays_come_back_however_they_are_cut) {
  for (const DType type : {DType::u8, DType::i16, DType::f32, DType::u64, DType::f64})
    for (const char* const width : {"0", "1", "2", "4", "8"})
      for (const size_t n : {0, 1, 2, 7, 8, 31, 32, 33, 255, 256, 257, 1000, 4096, 4097, 16384, 20000})
        for (const char* const block : {"8192", "16384", "24576"}) {
          OneStage stage(bitshuffle_stage(), type, line(n));
          stage.set("element_width", width).set("block_size", block);
          ASSERT_TRUE(stage.resolve().ok());
          const Bytes in = noise(n * dtype_bytes(type));
          const Coded c = stage.encode(in, 1u << 20);
          ASSERT_EQ(c, stage.encode(in, 1));
          uint32_t fault = 0;
          ASSERT_EQ(stage.decode(c, 5000, &fault), in);
          ASSERT_EQ(fault, 0u);
        }
}

TEST(bitshuffle, a_tail_shorter_than_a_block_stays_as_it_is) {
  const Bytes in = noise(16384 + 999);
  OneStage stage(bitshuffle_stage(), DType::u8, line(in.size()));
  ASSERT_TRUE(stage.resolve().ok());
  const Bytes out = stage.encode(in, 1u << 20).array;
  EXPECT_TRUE(std::equal(in.begin() + 16384, in.end(), out.begin() + 16384));
  EXPECT_FALSE(std::equal(in.begin(), in.begin() + 16384, out.begin()));
}

TEST(bitshuffle, blocks_that_do_not_fit_the_width_are_refused) {
  OneStage stage(bitshuffle_stage(), DType::f64, line(10));
  stage.set("block_size", "4096");
  EXPECT_EQ(stage.resolve().message(), "block_size = 4096: must be a multiple of 8192 (1024 * element_width)");
}

}  // namespace
}  // namespace fzm
