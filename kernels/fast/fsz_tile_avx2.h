// One tile of AdaptiveLorenzo and AdaptiveBitpack(32): 256 values, in registers and L1.
#pragma once
#if defined(__AVX2__)
#include "kernels/fast/fronts_avx2.h"
#include "kernels/fast/planes_avx2.h"

namespace fzm::fast {
namespace {

constexpr uint32_t kTile = 256;
constexpr uint32_t kTilePayload = 8 * 33 * 4;  // the most a tile may have

// Where the next tile goes.
struct TileSink {
  uint8_t* rates;
  uint8_t* means;
  uint8_t* payload;
};

inline uint32_t size_of(int32_t v) { return static_cast<uint32_t>(v < 0 ? -v : v); }
// Planes of a block, signs included, from the OR of its magnitudes.
inline uint32_t planes_of(uint32_t bits) {
  return bits ? 33u - static_cast<uint32_t>(__builtin_clz(bits)) : 0;
}
inline V planes_each(V bits) {
  const V n = bit_lengths(bits);
  return _mm256_add_epi32(n, one_if_positive(n));
}

// Returns the tile's mode, or -1 where the proofs do not hold (nothing was written then). ban[k] is
// 1 << 31 for modes that are switched off.
template <class Front>
__attribute__((always_inline)) inline int32_t encode_tile(Front front, const uint32_t* ban,
                                                          TileSink& o) {
  alignas(32) int32_t d[2][kTile];  // first and second differences
  V o1[8], o2[8], sum = zero(), before = zero(), before1 = zero();
  const auto step = [&](uint32_t i, V& bits1, V& bits2, V keep1, V keep2) {
    const V q = front.next(i);
    sum = _mm256_add_epi32(sum, q);
    const V d1 = _mm256_sub_epi32(q, shift_in(before, q));
    const V d2 = _mm256_sub_epi32(d1, shift_in(before1, d1));
    before = q;
    before1 = d1;
    store(d[0] + 8 * i, d1);
    store(d[1] + 8 * i, d2);
    bits1 = _mm256_or_si256(bits1, _mm256_and_si256(_mm256_abs_epi32(d1), keep1));
    bits2 = _mm256_or_si256(bits2, _mm256_and_si256(_mm256_abs_epi32(d2), keep2));
  };
  const V every = all(-1), not0 = _mm256_setr_epi32(0, -1, -1, -1, -1, -1, -1, -1);
  // Block 0 without its first one (two) values, the only ones that centering changes.
  o1[0] = o2[0] = zero();
  step(0, o1[0], o2[0], not0, _mm256_setr_epi32(0, 0, -1, -1, -1, -1, -1, -1));
  for (uint32_t i = 1; i < 4; ++i) step(i, o1[0], o2[0], every, every);
  for (uint32_t b = 1; b < 8; ++b) {
    V bits1 = zero(), bits2 = zero();
    for (uint32_t i = 0; i < 4; ++i) step(4 * b + i, bits1, bits2, every, every);
    o1[b] = bits1;
    o2[b] = bits2;
  }
  const V bits1 = or_each(o1), bits2 = or_each(o2);
  const int32_t q0 = d[0][0], d11 = d[0][1];
  // |q0| < 2^20 and every |d1| < 2^12 prove |q| < 2^21 and that nothing wrapped or saturated. Else
  // the values are looked at.
  const bool small =
      _mm256_testz_si256(bits1, all(-4096)) && static_cast<uint32_t>(q0 + (1 << 20)) < (2u << 20);
  if (__builtin_expect(!front.is_kept() || !(small || front.in_range(kTile / 8)), 0)) return -1;

  const int32_t s = total(sum), mean = (s >= 0 ? s + 128 : s - 128) / 256, q0m = q0 - mean;
  const uint32_t first1 = static_cast<uint32_t>(_mm256_cvtsi256_si32(bits1));
  const uint32_t first2 = static_cast<uint32_t>(_mm256_cvtsi256_si32(bits2));
  V w1 = planes_each(bits1), w2 = planes_each(bits2);
  const uint32_t t1 = static_cast<uint32_t>(total(_mm256_and_si256(w1, not0)));
  const uint32_t t2 = static_cast<uint32_t>(total(_mm256_and_si256(w2, not0)));
  const uint32_t head[4] = {
      planes_of(first1 | size_of(q0)), planes_of(first2 | size_of(q0) | size_of(d11 - q0)),
      planes_of(first1 | size_of(q0m)), planes_of(first2 | size_of(q0m) | size_of(d11 - q0m))};
  // Cost in words, then the mode: the minimum is the cheapest, the earlier among equals.
  uint32_t best = (t1 + head[0]) << 2;
  const auto take = [&](uint32_t k) { best = k < best ? k : best; };
  take(((t2 + head[1]) << 2 | 1) | ban[1]);
  take(((t1 + head[2] + 1) << 2 | 2) | ban[2]);
  take(((t2 + head[3] + 1) << 2 | 3) | ban[3]);
  const uint32_t mode = best & 3;
  int32_t* const e = d[mode & 1];
  if (mode & 2) {
    e[0] = q0m;
    if (mode & 1) e[1] = d11 - q0m;
    put(o.means, mean);
    o.means += 4;
  }
  alignas(32) uint32_t w[8];
  store(w, mode & 1 ? w2 : w1);
  w[0] = head[mode];
  const V words = load(w);
  put(o.rates, low_bytes(_mm256_sub_epi32(words, one_if_positive(words))));
  o.rates += 8;
  uint8_t* p = o.payload;
  for (uint32_t b = 0; b < 8; ++b) {
    put_planes<1>(e + 32 * b, w[b], p);
    p += 4 * w[b];
  }
  o.payload = p;
  return static_cast<int32_t>(mode);
}

}  // namespace
}  // namespace fzm::fast
#endif
