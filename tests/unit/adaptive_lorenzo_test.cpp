#include "kernels/adaptive_lorenzo/adaptive_lorenzo.h"

#include "tests/support/round_trip.h"

namespace fzm {
namespace {

using namespace testing;

const Stage& adaptive_lorenzo() { return *find_stage("AdaptiveLorenzo"); }

struct Settings {
  uint32_t blocks = 8;
  bool order2 = true, centering = true, outlier = false;
};

template <class T>
uint64_t size_of(T v) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(v < 0 ? U(0) - static_cast<U>(v) : static_cast<U>(v));
}
uint32_t bits_of(uint64_t v) {
  uint32_t n = 0;
  for (; v; v >>= 1) ++n;
  return n;
}

// Bytes that AdaptiveBitpack writes for 32 residuals, metadata left out.
template <class T>
uint32_t coded_bytes(const T* r, bool outlier) {
  uint64_t rest = 0;
  for (int i = 1; i < 32; ++i) rest |= size_of(r[i]);
  const uint64_t first = size_of(r[0]);
  const uint32_t rate = bits_of(rest | first), together = rate ? 4 * (rate + 1) : 0;
  const uint32_t apart = (bits_of(first) + 7) / 8 + 4 * (bits_of(rest) + 1);
  return outlier && apart < together ? apart : together;
}

// A tile as the sheet describes it: all four candidates written out, the first of the shortest taken.
template <class T>
struct ReferenceTile {
  using U = std::make_unsigned_t<T>;
  std::vector<T> residuals;
  uint8_t mode = 0;
  T mean = 0;

  ReferenceTile(const T* q, size_t live, const Settings& s) {
    __int128 sum = 0;
    for (size_t i = 0; i < live; ++i) sum += q[i];
    const __int128 c = static_cast<__int128>(live), wrapped = static_cast<int64_t>(sum);
    mean = static_cast<T>(wrapped >= 0 ? (wrapped + c / 2) / c : (wrapped - c / 2) / c);
    uint32_t least = UINT32_MAX;
    for (uint8_t m = 0; m < 4; ++m) {
      if (((m & 1) && !s.order2) || ((m & 2) && !s.centering)) continue;
      std::vector<T> r(q, q + live);
      if (m & 2)
        for (T& v : r) v = static_cast<T>(static_cast<U>(v) - static_cast<U>(mean));
      for (int order = 0; order < ((m & 1) ? 2 : 1); ++order)
        for (size_t i = live; --i > 0;) r[i] = static_cast<T>(static_cast<U>(r[i]) - static_cast<U>(r[i - 1]));
      std::vector<T> full = r;
      full.resize(32 * s.blocks);
      uint32_t bytes = (m & 2) ? sizeof(T) : 0;
      for (uint32_t b = 0; b < s.blocks; ++b) bytes += coded_bytes(full.data() + 32 * b, s.outlier);
      if (bytes < least) least = bytes, mode = m, residuals = r;
    }
  }
};

template <class T>
Coded reference(const std::vector<T>& v, const Settings& s) {
  Coded coded;
  std::vector<T> residuals, means;
  const size_t tile = 32 * s.blocks;
  for (size_t t = 0; t * tile < v.size(); ++t) {
    const ReferenceTile<T> r(v.data() + t * tile, std::min(tile, v.size() - t * tile), s);
    residuals.insert(residuals.end(), r.residuals.begin(), r.residuals.end());
    if (t % 4 == 0) coded.records.push_back(0);
    coded.records.back() = static_cast<uint8_t>(coded.records.back() | r.mode << (2 * (t % 4)));
    if (r.mode & 2) means.push_back(r.mean);
  }
  coded.array = bytes_of(residuals);
  coded.piece[0] = bytes_of(means);
  return coded;
}

template <class T>
OneStage stage_for(size_t n, const Settings& s) {
  OneStage stage(adaptive_lorenzo(), kDType<T>, line(n));
  stage.set("blocks_per_tile", std::to_string(s.blocks)).set("enable_order2", s.order2 ? "true" : "false");
  stage.set("enable_centering", s.centering ? "true" : "false").set("outlier_cost", s.outlier ? "true" : "false");
  EXPECT_TRUE(stage.resolve().ok());
  return stage;
}

// Tiles of different tastes, side by side.
template <class T>
std::vector<T> patchwork(size_t n, int kind) {
  std::mt19937_64 random(n + static_cast<size_t>(kind));
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t patch = i / 160;
    const uint64_t noise = random() % (1 + patch % 5);
    v[i] = static_cast<T>(patch % 7 * 1000 + noise + (patch % 2 ? i * (patch % 3) : 0) + (patch % 4 == 3 ? i * i / 16 : 0));
  }
  return v;
}

template <class T>
void expect_reference(const std::vector<T>& v, const Settings& s) {
  OneStage stage = stage_for<T>(v.size(), s);
  const Coded coded = expect_round_trip<generic::AdaptiveLorenzoVariants>(adaptive_lorenzo(), stage, bytes_of(v));
  EXPECT_TRUE(coded == reference(v, s)) << v.size() << " values, tiles of " << s.blocks << " blocks";
}
template <class T>
void expect_all_kinds(size_t n, const Settings& s) {
  for (int kind = 0; kind < kKinds; ++kind) expect_reference(values_of<T>(numbers(sizeof(T), n, kind)), s);
  expect_reference(patchwork<T>(n, 0), s);
}

TEST(AdaptiveLorenzo, bytes_are_those_of_the_reference_for_every_type_and_size) {
  for (const uint32_t n : kSizes) {
    expect_all_kinds<int8_t>(n, {});
    expect_all_kinds<int16_t>(n, {});
    expect_all_kinds<int32_t>(n, {});
    expect_all_kinds<int64_t>(n, {});
  }
}
TEST(AdaptiveLorenzo, bytes_are_those_of_the_reference_for_every_setting) {
  for (const uint32_t blocks : {1u, 2u, 3u, 8u, 16u, 31u, 32u})
    for (const bool order2 : {false, true})
      for (const bool centering : {false, true})
        for (const bool outlier : {false, true})
          for (const size_t n : {1u, 33u, 4097u, 9001u}) {
            expect_reference(patchwork<int32_t>(n, 1), {blocks, order2, centering, outlier});
            expect_reference(values_of<int32_t>(numbers(4, n, 3)), {blocks, order2, centering, outlier});
            expect_reference(values_of<int16_t>(numbers(2, n, 2)), {blocks, order2, centering, outlier});
          }
}
TEST(AdaptiveLorenzo, all_four_modes_are_chosen) {
  const Coded coded = reference(patchwork<int32_t>(16384, 0), {});
  bool seen[4] = {};
  for (size_t t = 0; t < 64; ++t) seen[coded.records[t / 4] >> (2 * (t % 4)) & 3] = true;
  for (const bool s : seen) EXPECT_TRUE(s);
}

TEST(AdaptiveLorenzo, example_of_the_page) {
  std::vector<int32_t> v(64, 1000);
  v[40] = 1001;
  OneStage stage = stage_for<int32_t>(64, {1});
  const Coded coded = stage.encode(bytes_of(v), 4096);
  const auto r = values_of<int32_t>(coded.array);
  EXPECT_EQ(coded.records, Bytes{0x0A});
  EXPECT_EQ(values_of<int32_t>(coded.piece[0]), (std::vector<int32_t>{1000, 1000}));
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(r[i], i == 40 ? 1 : i == 41 ? -1 : 0) << i;
}

TEST(AdaptiveLorenzo, hostile_modes_and_means_are_faults_and_nothing_worse) {
  const auto v = patchwork<int32_t>(9001, 0);
  OneStage stage = stage_for<int32_t>(v.size(), {});
  const Coded good = stage.encode(bytes_of(v), 4096);
  std::mt19937 random(1);
  uint32_t fault = 0;
  for (int round = 0; round < 200; ++round) {
    Coded bad = good;
    for (uint8_t& b : bad.records)
      if (random() % 3 == 0) b = static_cast<uint8_t>(random());
    if (round % 2) bad.piece[0].resize(random() % (bad.piece[0].size() + 1));
    EXPECT_EQ(stage.decode(bad, 4096, &fault).size(), v.size() * 4);
  }
  Coded short_means = good;
  short_means.piece[0].pop_back();
  stage.decode(short_means, 4096, &fault);
  EXPECT_EQ(fault, 1u << static_cast<uint32_t>(Fault::bad_payload));
  // 9001 values are 36 tiles: no bits are left over; with 9217 there are 37.
  OneStage odd = stage_for<int32_t>(9217, {});
  Coded extra = odd.encode(bytes_of(patchwork<int32_t>(9217, 0)), 4096);
  extra.records.back() |= 0x40;
  odd.decode(extra, 4096, &fault);
  EXPECT_EQ(fault, 1u << static_cast<uint32_t>(Fault::bad_record));
}

TEST(AdaptiveLorenzo, only_integers_are_taken) {
  OneStage stage(adaptive_lorenzo(), DType::f64, line(8));
  EXPECT_EQ(stage.resolve().message(), "data_type = auto: needs integers, the input is float64 (a Quantizer makes integers)");
}

}  // namespace
}  // namespace fzm
