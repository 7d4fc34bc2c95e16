// Verbs that work on bits: the tuned bodies against the plain meaning that ScrambledGroup has.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/base/scrambled_group.h"

namespace fzm::generic {
namespace {

const SerialGroup serial;
const ScrambledGroup plain;
constexpr uint32_t kSizes[] = {0, 1, 7, 8, 9, 31, 32, 33, 40, 63, 64, 65, 100, 256, 257, 1024};

template <class U>
std::vector<U> numbers(size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<U> v(n);
  for (U& x : v) x = static_cast<U>(random() >> (random() % 64));
  return v;
}
// Runs of zeros, of ones, and mixtures.
std::vector<uint8_t> bitmap_of(size_t bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bits(bytes);
  for (size_t i = 0; i < bytes;) {
    const size_t run = 1 + random() % 9;
    const uint64_t kind = random() % 4;
    for (size_t k = 0; k < run && i < bytes; ++k) bits[i++] = static_cast<uint8_t>(kind == 0 ? 0 : kind == 1 ? 255 : random());
  }
  return bits;
}

TEST(Segments, end_where_values_do_even_at_the_end_of_32_bits) {
  std::vector<std::pair<uint32_t, uint32_t>> seen;
  const auto note = [&seen](uint32_t first, uint32_t end) { seen.emplace_back(first, end); };
  using Runs = std::vector<std::pair<uint32_t, uint32_t>>;
  constexpr uint32_t kHalf = 1u << 31, kAll = ~uint32_t{0};
  for_segments(kAll, kHalf + 4096, note);
  EXPECT_EQ(seen, (Runs{{0, kHalf + 4096}, {kHalf + 4096, kAll}}));
  seen.clear();
  for_segments(kAll, kHalf, note);
  EXPECT_EQ(seen, (Runs{{0, kHalf}, {kHalf, kAll}}));
  seen.clear();
  for_segments(10, kAll, note);
  for_segments(0, 7, note);
  EXPECT_EQ(seen, (Runs{{0, 10}}));
}

template <class U>
class BitVerbs : public ::testing::Test {};
using Words = ::testing::Types<uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(BitVerbs, Words);

TYPED_TEST(BitVerbs, planes_are_the_bits_of_the_values) {
  using U = TypeParam;
  constexpr uint32_t kWidth = 8 * sizeof(U);
  for (const uint32_t size : {1u, 3u, 8u, 12u, 32u, 36u, 64u, 100u, 256u}) {
    constexpr uint32_t kJobs = 5;
    const std::vector<U> v = numbers<U>(kJobs * size + 8, size);
    const uint32_t stride = (size + 7) / 8, room = stride * kWidth;
    const auto job = [=](uint32_t i) { return PlaneJob{i * size, size, i == 0 ? 0 : i == 1 ? kWidth : (7 * i) % kWidth, i * room}; };
    std::vector<uint8_t> a(kJobs * room), b(kJobs * room);
    serial.planes(v.data(), kJobs, job, a.data());
    plain.planes(v.data(), kJobs, job, b.data());
    ASSERT_EQ(a, b) << size;
    std::vector<U> x(kJobs * size + 8), y(kJobs * size + 8);
    serial.unplanes(a.data(), kJobs, job, x.data());
    plain.unplanes(a.data(), kJobs, job, y.data());
    x.resize(kJobs * size), y.resize(kJobs * size);
    ASSERT_EQ(x, y) << size;
    for (uint32_t i = size; i < 2 * size; ++i) ASSERT_EQ(x[i], v[i]);
  }
}

TYPED_TEST(BitVerbs, unplanes_reads_nothing_beyond_the_last_plane) {
  using U = TypeParam;
  for (uint32_t planes = 0; planes <= 8 * sizeof(U); ++planes) {
    std::vector<uint8_t> exact(4 * planes, 0xFF);  // a sanitizer sees a byte more
    std::vector<U> v(40, U(9));
    serial.unplanes(exact.data(), 1, [=](uint32_t) { return PlaneJob{0, 32, planes, 0}; }, v.data());
    const U all = planes == 0 ? U(0) : static_cast<U>(~0ull >> (64 - planes));
    for (uint32_t i = 0; i < 32; ++i) ASSERT_EQ(v[i], all);
  }
}

TYPED_TEST(BitVerbs, keep_spread_and_repeat_follow_the_bitmap) {
  using U = TypeParam;
  for (const uint32_t n : kSizes)
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const std::vector<uint8_t> bits = bitmap_of(n / 8 + 1, seed * 1000 + n);
      const std::vector<U> v = numbers<U>(n + 1, seed);
      uint32_t kept = 0;
      for (uint32_t i = 0; i < n; ++i) kept += bits[i / 8] >> (i % 8) & 1;
      const size_t bytes = kept * sizeof(U), slack = 32 > 8 * sizeof(U) ? 32 : 8 * sizeof(U);
      std::vector<uint8_t> a(bytes + slack), b(bytes + slack);
      serial.template keep<U>(reinterpret_cast<const uint8_t*>(v.data()), n, bits.data(), a.data());
      plain.template keep<U>(reinterpret_cast<const uint8_t*>(v.data()), n, bits.data(), b.data());
      a.resize(bytes), b.resize(bytes);
      ASSERT_EQ(a, b) << n;

      std::vector<uint8_t> in(sizeof(U) + bytes + 64, 0x5A);
      std::copy(a.begin(), a.end(), in.begin() + sizeof(U));
      std::vector<uint8_t> x(n * sizeof(U)), y(n * sizeof(U));
      serial.template spread<U>(in.data() + sizeof(U), bits.data(), n, x.data());
      plain.template spread<U>(in.data() + sizeof(U), bits.data(), n, y.data());
      ASSERT_EQ(x, y) << n;
      serial.template repeat<U>(in.data() + sizeof(U), bits.data(), n, x.data());
      plain.template repeat<U>(in.data() + sizeof(U), bits.data(), n, y.data());
      ASSERT_EQ(x, y) << n;
    }
}

TYPED_TEST(BitVerbs, packed_bits_stand_end_to_end) {
  using U = TypeParam;
  for (const uint32_t n : kSizes)
    for (uint32_t width = 0; width <= 8 * sizeof(U); ++width) {
      const std::vector<U> v = numbers<U>(n, width);
      const uint32_t bytes = (n * width + 7) / 8;
      std::vector<uint8_t> a(bytes), b(bytes);
      serial.pack_bits(v.data(), n, width, a.data());
      plain.pack_bits(v.data(), n, width, b.data());
      ASSERT_EQ(a, b) << n << " values of " << width << " bits";
      a.resize(bytes + 16, 0xFF);
      std::vector<U> x(n), y(n);
      serial.template unpack_bits<U>(a.data(), n, width, x.data());
      plain.template unpack_bits<U>(a.data(), n, width, y.data());
      ASSERT_EQ(x, y) << n << " values of " << width << " bits";
    }
}

template <class U, bool LastFirst>
void shuffle_both_ways() {
  for (const uint32_t n : {64u, 128u, 1024u}) {
    const std::vector<U> v = numbers<U>(n, n);
    const uint8_t* const in = reinterpret_cast<const uint8_t*>(v.data());
    std::vector<uint8_t> a(n * sizeof(U)), b(a.size()), x(a.size()), y(a.size());
    serial.template shuffle_bits<U, LastFirst>(in, n, a.data());
    plain.template shuffle_bits<U, LastFirst>(in, n, b.data());
    ASSERT_EQ(a, b);
    serial.template unshuffle_bits<U, LastFirst>(a.data(), n, x.data());
    plain.template unshuffle_bits<U, LastFirst>(a.data(), n, y.data());
    ASSERT_EQ(x, y);
    ASSERT_EQ(x, std::vector<uint8_t>(in, in + x.size()));
  }
}
TYPED_TEST(BitVerbs, shuffled_bits_are_planes_from_the_highest) {
  shuffle_both_ways<TypeParam, false>();
  shuffle_both_ways<TypeParam, true>();
}

TEST(bitmap, is_the_predicate) {
  for (const uint32_t n : kSizes) {
    const std::vector<uint8_t> v = numbers<uint8_t>(n, n);
    const auto predicate = [in = v.data()](uint32_t i) { return in[i] % 3 == 0; };
    std::vector<uint8_t> a((n + 7) / 8), b((n + 7) / 8);
    serial.bitmap(n, predicate, a.data());
    plain.bitmap(n, predicate, b.data());
    ASSERT_EQ(a, b) << n;
  }
}

TEST(fold_segments, folds_each_segment_alone) {
  for (const uint32_t n : kSizes)
    for (const uint32_t segment : {1u, 5u, 32u, 2000u}) {
      const std::vector<uint16_t> v = numbers<uint16_t>(n, n);
      std::vector<uint32_t> a(n / segment + 1), b(n / segment + 1);
      const auto value = [in = v.data()](uint32_t i) { return uint32_t{in[i]}; };
      const auto add = [](uint32_t p, uint32_t q) { return p + q; };
      serial.fold_segments(n, segment, 0u, value, add, [out = a.data()](uint32_t s, uint32_t sum) { out[s] = sum; });
      plain.fold_segments(n, segment, 0u, value, add, [out = b.data()](uint32_t s, uint32_t sum) { out[s] = sum; });
      ASSERT_EQ(a, b) << n;
    }
}

}  // namespace
}  // namespace fzm::generic
