// Every verb gives the same result in the three groups, for any size and any number of workers.
#include "tests/support/groups.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

namespace fzm::test {
namespace {

using namespace generic;

constexpr uint32_t kSizes[] = {0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 2049};
constexpr Shape kShapes[] = {{32, 1}, {96, 2}, {256, 3}};
constexpr size_t kGuard = 80;  // more than any verb may write beyond its result

std::vector<uint8_t> random_bytes(size_t n, uint32_t seed, uint32_t zeros_of_8 = 0) {
  std::mt19937 random(seed);
  std::vector<uint8_t> v(n);
  for (uint8_t& b : v) {
    const uint32_t r = static_cast<uint32_t>(random());
    b = (r >> 8 & 7) < zeros_of_8 ? 0 : static_cast<uint8_t>(r);
  }
  return v;
}
template <class U>
std::vector<U> random_values(size_t n, uint32_t seed) {
  const std::vector<uint8_t> bytes = random_bytes(n * sizeof(U), seed);
  std::vector<U> v(n);
  if (n) std::memcpy(v.data(), bytes.data(), bytes.size());
  return v;
}

// body(group, out) writes `bytes` bytes at out (and perhaps garbage beyond) and returns a number: the same from all groups.
template <class Body>
void expect_equal(const std::string& what, size_t bytes, Body body) {
  const auto fresh = [=] { return std::vector<uint8_t>(bytes + kGuard, 0x5A); };
  std::vector<uint8_t> want = fresh();
  const uint64_t value = static_cast<uint64_t>(body(SerialGroup{}, want.data()));
  want.resize(bytes);

  std::vector<uint8_t> got = fresh();
  EXPECT_EQ(static_cast<uint64_t>(body(ScrambledGroup{}, got.data())), value) << what << ", scrambled";
  got.resize(bytes);
  EXPECT_EQ(got, want) << what << ", scrambled";

  for (const Shape shape : kShapes) {
    const std::string where = what + ", block of " + std::to_string(shape.workers);
    std::vector<uint8_t> out = fresh();
    bool agree = false;
    const auto all = [&](CtaGroup g) { return static_cast<uint64_t>(body(g, out.data())); };
    EXPECT_EQ(in_block(shape, nullptr, all, &agree), value) << where;
    EXPECT_TRUE(agree) << where;
    out.resize(bytes);
    EXPECT_EQ(out, want) << where;
  }
}

std::string name(const char* verb, uint32_t n, uint32_t more = 0) {
  return std::string(verb) + " of " + std::to_string(n) + ", " + std::to_string(more);
}

TEST(Group, each_visits_every_index_once) {
  for (const uint32_t n : kSizes) {
    const auto in = random_bytes(n, n);
    const uint8_t* const v = in.data();
    expect_equal(name("each", n), n, [=](auto g, uint8_t* out) {
      g.each(n, [=](uint32_t i) { out[i] = static_cast<uint8_t>(v[i] + i); });
      g.each_item(n, [=](uint32_t i) { out[i] = static_cast<uint8_t>(out[i] * 3 + 1); });
      return 0;
    });
  }
}

TEST(Group, reduce_and_any_return_the_same_to_all_workers) {
  struct Span { int64_t low, high; uint32_t count; };
  for (const uint32_t n : kSizes) {
    const auto in = random_values<int32_t>(n, n);
    const int32_t* const v = in.data();
    expect_equal(name("reduce", n), 0, [=](auto g, uint8_t*) {
      const uint32_t sum = g.reduce(n, 0u, [=](uint32_t i) { return static_cast<uint32_t>(v[i]); }, [](uint32_t a, uint32_t b) { return a + b; });
      const uint8_t all = g.reduce(n, uint8_t{0}, [=](uint32_t i) { return static_cast<uint8_t>(v[i] & 16); }, [](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a | b); });
      const Span s = g.reduce(
          n, Span{1ll << 40, -(1ll << 40), 0}, [=](uint32_t i) { return Span{v[i], v[i], 1}; },
          [](const Span& a, const Span& b) { return Span{least(a.low, b.low), greatest(a.high, b.high), a.count + b.count}; });
      const bool has = g.any(n, [=](uint32_t i) { return v[i] % 64 == 5; }), none = g.any(n, [=](uint32_t) { return false; });
      return sum + all + static_cast<uint64_t>(s.low * 31 + s.high * 7 + s.count) + (has ? 1u << 20 : 0) + (none ? 1u << 21 : 0);
    });
  }
}

template <class T>
void expect_equal_offsets() {
  for (const uint32_t n : kSizes) {
    const auto in = random_values<T>(n, n);
    const T* const v = in.data();
    expect_equal(name("offsets", n, sizeof(T)), n * sizeof(T), [=](auto g, uint8_t* out) {
      const T total = g.template offsets<T>(n, [=](uint32_t i) { return v[i]; }, [=](uint32_t i, T before) { store_le<T>(out + i * sizeof(T), before); });
      // In place, at the same index.
      return total + g.template offsets<T>(n, [=](uint32_t i) { return load_le<T>(out + i * sizeof(T)); },
                                           [=](uint32_t i, T before) { store_le<T>(out + i * sizeof(T), before); });
    });
  }
}
TEST(Group, offsets_are_sums_of_what_comes_before) {
  expect_equal_offsets<uint8_t>();
  expect_equal_offsets<uint16_t>();
  expect_equal_offsets<uint32_t>();
  expect_equal_offsets<uint64_t>();
}

template <class U>
void expect_equal_prefix_sums() {
  for (const uint32_t n : kSizes)
    for (const uint32_t segment : {1u, 3u, 8u, 32u, 33u, 100u, 256u, 500u, 1024u, 5000u}) {
      const auto in = random_values<U>(n, n + segment);
      const U* const v = in.data();
      expect_equal(name("prefix_sums", n, segment), n * sizeof(U), [=](auto g, uint8_t* out) {
        U* const a = reinterpret_cast<U*>(out);
        g.each(n, [=](uint32_t i) { a[i] = v[i]; });
        g.prefix_sums(a, n, segment);
        return 0;
      });
    }
}
TEST(Group, prefix_sums_restart_at_every_segment) {
  expect_equal_prefix_sums<uint8_t>();
  expect_equal_prefix_sums<uint32_t>();
  expect_equal_prefix_sums<uint64_t>();
}

TEST(Group, compact_ranks_the_kept_in_order) {
  for (const uint32_t n : kSizes) {
    const auto in = random_bytes(n, n, 4);
    const uint8_t* const v = in.data();
    uint32_t kept = 0;
    for (const uint8_t b : in) kept += b != 0;
    expect_equal(name("compact", n), 4 * kept, [=](auto g, uint8_t* out) {
      return g.compact(n, [=](uint32_t i) { return v[i] != 0; }, [=](uint32_t i, uint32_t rank) { store_le<uint32_t>(out + 4 * rank, i); });
    });
  }
}

TEST(Group, bitmap_writes_whole_bytes_at_any_address) {
  for (const uint32_t n : kSizes)
    for (const uint32_t shift : {0u, 1u, 3u}) {
      const auto in = random_bytes(n, n, 4);
      const uint8_t* const v = in.data();
      expect_equal(name("bitmap", n, shift), shift + ceil_div(n, 8), [=](auto g, uint8_t* out) {
        g.bitmap(n, [=](uint32_t i) { return v[i] != 0; }, out + shift);
        return 0;
      });
    }
}

TEST(Group, copy_and_clear_take_any_address_and_touch_nothing_else) {
  for (const uint32_t n : {0u, 1u, 3u, 4u, 5u, 15u, 16u, 17u, 31u, 63u, 64u, 255u, 1000u})
    for (uint32_t to = 0; to < 17; to += 1 + to / 4)
      for (uint32_t from = 0; from < 17; from += 1 + from / 4) {
        auto in = std::make_unique<uint8_t[]>(from + n);  // ends where the source ends, for AddressSanitizer
        const auto random = random_bytes(from + n, n + from);
        std::copy(random.begin(), random.end(), in.get());
        const uint8_t* const v = in.get() + from;
        expect_equal(name("copy", n, 100 * to + from), to + n + kGuard, [=](auto g, uint8_t* out) {
          g.copy(out + to, v, n);
          g.clear(out + to + n + from, n % 40);
          return 0;
        });
      }
}

struct Layout {
  std::vector<PlaneJob> jobs;
  uint32_t values = 0, bytes = 0;
};
Layout random_layout(uint32_t jobs, uint32_t longest, uint32_t width, uint32_t seed) {
  std::mt19937 random(seed);
  Layout l;
  for (uint32_t i = 0; i < jobs; ++i) {
    const uint32_t values = static_cast<uint32_t>(random() % (longest + 1)), planes = static_cast<uint32_t>(random() % (width + 1));
    l.jobs.push_back({l.values, values, planes, l.bytes});
    l.values += (values + 7) / 8 * 8;
    l.bytes += planes * ceil_div(values, 8);
  }
  return l;
}
template <class U>
void expect_equal_planes() {
  for (const uint32_t jobs : {0u, 1u, 3u, 40u})
    for (const uint32_t longest : {7u, 32u, 100u, 700u}) {
      if (jobs * longest > 5000) continue;
      const Layout layout = random_layout(jobs, longest, 8 * sizeof(U), jobs + longest);
      const PlaneJob* const list = layout.jobs.data();
      const auto job = [=](uint32_t i) { return list[i]; };
      const auto in = random_values<U>(layout.values + 8, 5);
      const U* const v = in.data();
      expect_equal(name("planes", jobs, longest), layout.bytes, [=](auto g, uint8_t* out) {
        g.planes(v, jobs, job, out);
        return 0;
      });
      const auto bytes = random_bytes(layout.bytes, 6);
      const uint8_t* const planes = bytes.data();
      expect_equal(name("unplanes", jobs, longest), layout.values * sizeof(U), [=](auto g, uint8_t* out) {
        U* const a = reinterpret_cast<U*>(out);
        g.unplanes(planes, jobs, job, a);
        g.each(jobs, [=](uint32_t i) {  // what stands between jobs is nobody's
          for (uint32_t k = list[i].values; k % 8 != 0; ++k) a[list[i].first + k] = 0;
        });
        return 0;
      });
    }
}
TEST(Group, planes_and_unplanes) {
  expect_equal_planes<uint8_t>();
  expect_equal_planes<uint16_t>();
  expect_equal_planes<uint32_t>();
  expect_equal_planes<uint64_t>();
}

TEST(Group, fold_segments_emits_one_fold_a_segment) {
  for (const uint32_t n : kSizes)
    for (const uint32_t segment : {1u, 8u, 31u, 32u, 64u, 100u, 3000u}) {
      const auto in = random_values<uint32_t>(n, n + segment);
      const uint32_t* const v = in.data();
      expect_equal(name("fold_segments", n, segment), 4 * ceil_div(n, segment), [=](auto g, uint8_t* out) {
        g.fold_segments(
            n, segment, 0u, [=](uint32_t i) { return v[i] >> 7; }, [](uint32_t a, uint32_t b) { return greatest(a, b); },
            [=](uint32_t s, uint32_t most) { store_le(out + 4 * s, most); });
        return 0;
      });
    }
}

template <class U>
void expect_equal_picks() {
  for (const uint32_t n : kSizes) {
    const auto bits = random_bytes(ceil_div(n, 8), n, 3);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; ++i) kept += bits[i / 8] >> (i % 8) & 1;
    const auto in = random_bytes((n + 1) * sizeof(U) + kGuard, n + 1);
    const uint8_t *const map = bits.data(), *const values = in.data() + sizeof(U);
    expect_equal(name("keep", n, sizeof(U)), kept * sizeof(U), [=](auto g, uint8_t* out) {
      g.template keep<U>(values, n, map, out);
      return 0;
    });
    expect_equal(name("spread, repeat", n, sizeof(U)), 2 * n * sizeof(U), [=](auto g, uint8_t* out) {
      g.template spread<U>(values, map, n, out);
      g.template repeat<U>(values, map, n, out + n * sizeof(U));
      return 0;
    });
  }
}
TEST(Group, keep_spread_and_repeat) {
  expect_equal_picks<uint8_t>();
  expect_equal_picks<uint16_t>();
  expect_equal_picks<uint32_t>();
  expect_equal_picks<uint64_t>();
}

template <class U>
void expect_equal_bit_streams() {
  for (const uint32_t n : {0u, 1u, 7u, 8u, 33u, 300u})
    for (uint32_t width = 0; width <= 8 * sizeof(U); ++width) {
      const auto in = random_values<U>(n, n + width);
      const U* const v = in.data();
      const uint32_t bytes = ceil_div(n * width, 8);
      expect_equal(name("pack_bits", n, width), bytes, [=](auto g, uint8_t* out) {
        g.pack_bits(v, n, width, out);
        return 0;
      });
      const auto stream = random_bytes(bytes + 16, width);
      const uint8_t* const s = stream.data();
      expect_equal(name("unpack_bits", n, width), n * sizeof(U), [=](auto g, uint8_t* out) {
        g.unpack_bits(s, n, width, reinterpret_cast<U*>(out));
        return 0;
      });
    }
}
TEST(Group, pack_bits_and_unpack_bits) {
  expect_equal_bit_streams<uint8_t>();
  expect_equal_bit_streams<uint16_t>();
  expect_equal_bit_streams<uint32_t>();
  expect_equal_bit_streams<uint64_t>();
}

template <class U, bool LastFirst>
void expect_equal_shuffles() {
  for (const uint32_t n : {0u, 64u, 128u, 1024u}) {
    const auto in = random_bytes(n * sizeof(U), n);
    const uint8_t* const v = in.data();
    expect_equal(name("shuffle_bits", n, sizeof(U)), 2 * n * sizeof(U), [=](auto g, uint8_t* out) {
      g.template shuffle_bits<U, LastFirst>(v, n, out);
      g.template unshuffle_bits<U, LastFirst>(v, n, out + n * sizeof(U));
      return 0;
    });
  }
}
template <class U>
void expect_equal_shuffles() {
  expect_equal_shuffles<U, false>();
  expect_equal_shuffles<U, true>();
}
TEST(Group, shuffle_bits_and_unshuffle_bits) {
  expect_equal_shuffles<uint8_t>();
  expect_equal_shuffles<uint16_t>();
  expect_equal_shuffles<uint32_t>();
  expect_equal_shuffles<uint64_t>();
}

TEST(Group, the_largest_block_works) {
  const uint32_t n = 5000;
  const auto in = random_values<uint32_t>(n, n);
  std::vector<uint32_t> sums(in), places(n);
  const uint32_t *const v = in.data();
  uint32_t *const s = sums.data(), *const p = places.data();
  const uint32_t total = in_block({1024, 5}, nullptr, [=](CtaGroup g) {
    g.prefix_sums(s, n, 700);
    const uint32_t kept = g.compact(n, [=](uint32_t i) { return v[i] % 3 == 0; }, [=](uint32_t i, uint32_t rank) { p[rank] = i; });
    return kept + g.reduce(n, 0u, [=](uint32_t i) { return v[i]; }, [](uint32_t a, uint32_t b) { return a + b; });
  });
  uint32_t want = 0, kept = 0;
  for (uint32_t i = 0, sum = 0; i < n; ++i) {
    sum = i % 700 == 0 ? in[i] : sum + in[i];
    EXPECT_EQ(sums[i], sum);
    want += in[i];
    if (in[i] % 3 == 0) { EXPECT_EQ(places[kept++], i); }
  }
  EXPECT_EQ(total, want + kept);
}

TEST(Group, faults_and_once_work_without_a_race) {
  for (const Shape shape : kShapes) {
    uint32_t word = 0, count = 0;
    in_block(shape, &word, [&](CtaGroup g) {
      g.each(100, [=](uint32_t i) { g.fault_if(i == 7, Fault::bad_index); });
      g.fault(Fault::bad_record);
      g.once([&] { ++count; });
      return count;
    });
    EXPECT_EQ(word, 1u << static_cast<uint32_t>(Fault::bad_index) | 1u << static_cast<uint32_t>(Fault::bad_record));
    EXPECT_EQ(count, 1u);
  }
}

// What the emulated block and ScrambledGroup are there to find.
TEST(GroupDeathTest, verb_in_divergent_code_is_found) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(in_block({64, 1}, nullptr, [](CtaGroup g) {
    if (threadIdx.x < 32) g.sync();
    return 0;
  }), "workers wait for others");
  EXPECT_DEATH(ScrambledGroup{}.each(3, [](uint32_t) { ScrambledGroup{}.sync(); }), "");
}

}  // namespace
}  // namespace fzm::test
