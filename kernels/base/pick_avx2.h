// keep8, spread8 and repeat8 (pick.h) as one table look-up and one shuffle. 6 KiB of tables for all widths.
#pragma once
#include "kernels/base/bit_rows.h"

#if FZM_AVX2
FZM_CODECS_BEGIN

struct PickTables {
  alignas(64) uint8_t keep[256][8];    // the kept ones to the front
  alignas(64) uint8_t spread[256][8];  // value i takes the one numbered by the kept ones before i; 0x80 where it is not kept
  alignas(64) uint8_t repeat[256][8];  // value i takes the one numbered by the kept ones up to i; 0: the one before
};
constexpr PickTables make_pick_tables() {
  PickTables t{};
  for (uint32_t m = 0; m < 256; ++m) {
    uint8_t rank = 0;
    for (uint8_t i = 0; i < 8; ++i) {
      const bool kept = m >> i & 1;
      t.spread[m][i] = kept ? rank : 0x80;
      if (kept) t.keep[m][rank++] = i;
      t.repeat[m][i] = rank;
    }
  }
  return t;
}
inline constexpr PickTables kPick = make_pick_tables();

inline __m128i load8_bytes(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
inline __m128i load16_bytes(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
inline __m256i load32_bytes(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
inline void store32_bytes(void* p, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }

// Eight values at `in`, each picked by its index; indices with the top bit set give 0.
template <class U>
inline void pick8(const uint8_t* in, const uint8_t* index, uint8_t* out) {
  const __m128i at = load8_bytes(index);
  if constexpr (sizeof(U) == 1) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(load8_bytes(in), at));
  } else if constexpr (sizeof(U) == 2) {
    const __m128i twice = _mm_adds_epu8(at, at);  // saturates: the top bit stays
    const __m128i bytes = _mm_unpacklo_epi8(twice, _mm_adds_epu8(twice, _mm_set1_epi8(1)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(load16_bytes(in), bytes));
  } else if constexpr (sizeof(U) == 4) {
    const __m256i lane = _mm256_cvtepi8_epi32(at);
    const __m256i v = _mm256_permutevar8x32_epi32(load32_bytes(in), lane);
    store32_bytes(out, _mm256_andnot_si256(_mm256_srai_epi32(lane, 31), v));
  } else {
    for (uint32_t i = 0; i < 8; ++i) {
      const uint64_t v = load_le<uint64_t>(in + 8 * (index[i] & 7));
      store_le(out + 8 * i, index[i] & 0x80 ? uint64_t(0) : v);
    }
  }
}

template <class U>
inline uint8_t* keep8_avx2(const uint8_t* in, uint32_t bits, uint8_t* out) {
  pick8<U>(in, kPick.keep[bits], out);
  return out + count_ones(bits) * sizeof(U);
}
template <class U>
inline const uint8_t* spread8_avx2(const uint8_t* in, uint32_t bits, uint8_t* out) {
  pick8<U>(in, kPick.spread[bits], out);
  return in + count_ones(bits) * sizeof(U);
}
template <class U>
inline const uint8_t* repeat8_avx2(const uint8_t* in, uint32_t bits, uint8_t* out) {
  if (bits == 255) {
    __builtin_memcpy(out, in, 8 * sizeof(U));
    return in + 8 * sizeof(U);
  }
  pick8<U>(in - sizeof(U), kPick.repeat[bits], out);
  return in + count_ones(bits) * sizeof(U);
}

FZM_CODECS_END
#endif
