// The payload of one AdaptiveBitpack block of 32 G values: a plane of signs, then planes of the
// magnitudes, lowest first; a plane is 4 G bytes. Sign and magnitude together are the bit planes of
// v = 2|d| + (d < 0).
#pragma once
#if defined(__AVX2__)
#include "kernels/fast/vectors_avx2.h"

namespace fzm::fast {
namespace {

// Planes 0..7 of 32 bytes, `stride` words apart.
template <uint32_t Stride>
inline void put_planes8(V v, uint32_t* w) {
  for (int p = 7; p >= 0; --p) {
    put(w + static_cast<uint32_t>(p) * Stride, _mm256_movemask_epi8(v));
    v = _mm256_add_epi8(v, v);
  }
}

inline V signed_magnitude8(V d) {
  const V m = _mm256_abs_epi8(d);
  return _mm256_sub_epi8(_mm256_add_epi8(m, m), _mm256_cmpgt_epi8(zero(), d));
}
inline V signed_magnitude16(V d) {
  const V m = _mm256_abs_epi16(d);
  return _mm256_sub_epi16(_mm256_add_epi16(m, m), _mm256_cmpgt_epi16(zero(), d));
}
inline V signed_magnitude32(V d) {
  const V m = _mm256_abs_epi32(d);
  return _mm256_sub_epi32(_mm256_add_epi32(m, m), _mm256_srai_epi32(d, 31));
}

template <uint32_t G>
__attribute__((noinline)) void put_many_planes(const int32_t* d, uint32_t* w) {
  for (uint32_t g = 0; g < G; ++g, d += 32) {
    const ByteColumns c =
        byte_columns(signed_magnitude32(load(d)), signed_magnitude32(load(d + 8)),
                     signed_magnitude32(load(d + 16)), signed_magnitude32(load(d + 24)));
    for (uint32_t k = 0; k < 4; ++k) put_planes8<G>(in_order(c.byte[k]), w + 8 * k * G + g);
  }
}

// `words`: sign plane and magnitude planes together, 0..32, enough for every |d| < 2^31. Writes 8,
// 16 or 32 planes whatever `words` says (the next block overwrites the rest): no branch on the
// number of planes.
template <uint32_t G>
inline void put_planes(const int32_t* d, uint32_t words, uint8_t* to) {
  uint32_t* const w = reinterpret_cast<uint32_t*>(to);
  if (words <= 8) {  // packs saturate only what has more planes
    for (uint32_t g = 0; g < G; ++g, d += 32) {
      const V a = _mm256_packs_epi32(load(d), load(d + 8)),
              b = _mm256_packs_epi32(load(d + 16), load(d + 24));
      put_planes8<G>(signed_magnitude8(in_order(_mm256_packs_epi16(a, b))), w + g);
    }
  } else if (words <= 16) {
    const V low = _mm256_set1_epi16(255);
    for (uint32_t g = 0; g < G; ++g, d += 32) {
      const V a = signed_magnitude16(_mm256_packs_epi32(load(d), load(d + 8)));
      const V b = signed_magnitude16(_mm256_packs_epi32(load(d + 16), load(d + 24)));
      put_planes8<G>(
          in_order(_mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low))), w + g);
      put_planes8<G>(
          in_order(_mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8))),
          w + 8 * G + g);
    }
  } else {
    put_many_planes<G>(d, w);
  }
}

// Eight planes of 32 G values as rows: dword p of row[g] is plane p of group g. Reads 32 G bytes.
template <uint32_t G>
inline void get_rows8(const uint8_t* p, V* row) {
  if constexpr (G == 1) {
    row[0] = load(p);
  } else if constexpr (G == 2) {
    const __m256 a = _mm256_castsi256_ps(load_halves(p, p + 32)),
                 b = _mm256_castsi256_ps(load_halves(p + 16, p + 48));
    row[0] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    row[1] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD));
  } else {
    static_assert(G == 4);
    const V a = load_halves(p, p + 64), b = load_halves(p + 16, p + 80);
    const V c = load_halves(p + 32, p + 96), d = load_halves(p + 48, p + 112);
    const V ab = _mm256_unpacklo_epi32(a, b), AB = _mm256_unpackhi_epi32(a, b);
    const V cd = _mm256_unpacklo_epi32(c, d), CD = _mm256_unpackhi_epi32(c, d);
    row[0] = _mm256_unpacklo_epi64(ab, cd);
    row[1] = _mm256_unpackhi_epi64(ab, cd);
    row[2] = _mm256_unpacklo_epi64(AB, CD);
    row[3] = _mm256_unpackhi_epi64(AB, CD);
  }
}
// Byte i = bits i of the eight dwords.
inline V columns8(V row) {
  const V by = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12,
                                1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return transpose8(in_order(_mm256_shuffle_epi8(row, by)));
}
// Dwords below n.
inline V first_dwords(uint32_t n) {
  return _mm256_cmpgt_epi32(all(static_cast<int32_t>(n)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// Signs and magnitudes as one number -> residuals.
inline V residuals(V v) {
  const V s = _mm256_sub_epi32(zero(), _mm256_and_si256(v, all(1)));
  return _mm256_sub_epi32(_mm256_xor_si256(_mm256_srli_epi32(v, 1), s), s);
}

// 17 to 33 planes; reads 32 or 33.
template <uint32_t G>
__attribute__((noinline)) void get_many_planes(const uint8_t* p, uint32_t words, int32_t* d) {
  alignas(32) uint8_t byte[4][32 * G];
  for (uint32_t k = 0; k < 4; ++k) {
    const V live = first_dwords(words > 8 * k ? words - 8 * k : 0);
    V row[G];
    get_rows8<G>(p + 32 * G * k, row);
    for (uint32_t g = 0; g < G; ++g)
      store(byte[k] + 32 * g, columns8(_mm256_and_si256(row[g], live)));
  }
  for (uint32_t i = 0; i < 32 * G; i += 8) {
    const auto column = [&](uint32_t k) {
      return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(byte[k] + i));
    };
    const __m128i low = _mm_unpacklo_epi8(column(0), column(1)),
                  high = _mm_unpacklo_epi8(column(2), column(3));
    store(d + i, residuals(_mm256_set_m128i(_mm_unpackhi_epi16(low, high),
                                            _mm_unpacklo_epi16(low, high))));
  }
  if (words <= 32) return;
  // Plane 32: magnitudes have bit 31, so that the sign makes no difference to it.
  for (uint32_t i = 0; i < 32 * G; ++i)
    if (p[4 * G * 32 + i / 8] >> (i % 8) & 1)
      d[i] = static_cast<int32_t>(static_cast<uint32_t>(d[i]) ^ (1u << 31));
}

// `words` is 0..33. Reads 8, 16, 32 or 33 planes: up to 64 G bytes beyond those that there are.
template <uint32_t G>
inline void get_planes(const uint8_t* p, uint32_t words, int32_t* d) {
  V row[G];
  if (words <= 8) {
    const V live = first_dwords(words);
    get_rows8<G>(p, row);
    for (uint32_t g = 0; g < G; ++g, d += 32) {
      const V v = columns8(_mm256_and_si256(row[g], live));
      const V s = _mm256_sub_epi8(zero(), _mm256_and_si256(v, _mm256_set1_epi8(1)));
      const V m = _mm256_and_si256(_mm256_srli_epi16(v, 1), _mm256_set1_epi8(127));
      const V r = _mm256_sub_epi8(_mm256_xor_si256(m, s), s);
      const __m128i l = _mm256_castsi256_si128(r), h = _mm256_extracti128_si256(r, 1);
      store(d, _mm256_cvtepi8_epi32(l));
      store(d + 8, _mm256_cvtepi8_epi32(_mm_srli_si128(l, 8)));
      store(d + 16, _mm256_cvtepi8_epi32(h));
      store(d + 24, _mm256_cvtepi8_epi32(_mm_srli_si128(h, 8)));
    }
  } else if (words <= 16) {
    V high[G];
    get_rows8<G>(p, row);
    get_rows8<G>(p + 32 * G, high);
    const V live = first_dwords(words - 8), one = _mm256_set1_epi16(1);
    const auto value = [one](V v) {
      const V s = _mm256_sub_epi16(zero(), _mm256_and_si256(v, one));
      return _mm256_sub_epi16(_mm256_xor_si256(_mm256_srli_epi16(v, 1), s), s);
    };
    for (uint32_t g = 0; g < G; ++g, d += 32) {
      const V l = columns8(row[g]), h = columns8(_mm256_and_si256(high[g], live));
      const V a = value(_mm256_unpacklo_epi8(l, h)),
              b = value(_mm256_unpackhi_epi8(l, h));  // 0-7, 16-23; 8-15, 24-31
      store(d, _mm256_cvtepi16_epi32(_mm256_castsi256_si128(a)));
      store(d + 8, _mm256_cvtepi16_epi32(_mm256_castsi256_si128(b)));
      store(d + 16, _mm256_cvtepi16_epi32(_mm256_extracti128_si256(a, 1)));
      store(d + 24, _mm256_cvtepi16_epi32(_mm256_extracti128_si256(b, 1)));
    }
  } else {
    get_many_planes<G>(p, words, d);
  }
}

}  // namespace
}  // namespace fzm::fast
#endif
