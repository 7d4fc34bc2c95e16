// write_shuffled and read_shuffled (planes.h) at AVX2: whole bytes are gathered in registers, then taken apart by movemask
// or put together eight groups at a time.
#pragma once
#include "kernels/base/bit_rows.h"

#if FZM_AVX2
FZM_CODECS_BEGIN

inline __m256i load_vector(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
inline void store_vector(void* p, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }

inline __m256i last_first(__m256i v) {
  const __m256i back = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4,
                                        3, 2, 1, 0);
  return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, back), 0x4E);
}

// byte[k]: byte k of each of 32 values.
inline void split_bytes(const __m256i (&v)[4], __m256i* byte) {  // 4-byte values
  const __m256i by = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7,
                                      11, 15);
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i a = _mm256_shuffle_epi8(v[0], by), b = _mm256_shuffle_epi8(v[1], by), c = _mm256_shuffle_epi8(v[2], by),
                d = _mm256_shuffle_epi8(v[3], by);
  const __m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d);
  const __m256i ab_high = _mm256_unpackhi_epi32(a, b), cd_high = _mm256_unpackhi_epi32(c, d);
  // A lane has four values each of a, b, c, d: the order of packs.
  byte[0] = _mm256_permutevar8x32_epi32(_mm256_unpacklo_epi64(ab, cd), order);
  byte[1] = _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi64(ab, cd), order);
  byte[2] = _mm256_permutevar8x32_epi32(_mm256_unpacklo_epi64(ab_high, cd_high), order);
  byte[3] = _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi64(ab_high, cd_high), order);
}
template <class U>
inline void split_bytes(const uint8_t* in, __m256i (&byte)[sizeof(U)]) {
  if constexpr (sizeof(U) == 1) {
    byte[0] = load_vector(in);
  } else if constexpr (sizeof(U) == 2) {
    const __m256i a = load_vector(in), b = load_vector(in + 32), low = _mm256_set1_epi16(255);
    byte[0] = _mm256_permute4x64_epi64(_mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low)), 0xD8);
    byte[1] = _mm256_permute4x64_epi64(_mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8)), 0xD8);
  } else if constexpr (sizeof(U) == 4) {
    const __m256i v[4] = {load_vector(in), load_vector(in + 32), load_vector(in + 64), load_vector(in + 96)};
    split_bytes(v, byte);
  } else {
    __m256i low[4], high[4];
    for (uint32_t i = 0; i < 4; ++i) {
      const __m256 a = _mm256_castsi256_ps(load_vector(in + 64 * i)), b = _mm256_castsi256_ps(load_vector(in + 64 * i + 32));
      low[i] = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), 0xD8);
      high[i] = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD)), 0xD8);
    }
    split_bytes(low, byte);
    split_bytes(high, byte + 4);
  }
}

// 32 values, from plane 0 (the highest) at `out`.
template <class U, bool LastFirst>
inline void shuffle32_avx2(const uint8_t* in, uint8_t* out, uint32_t plane_bytes) {
  __m256i byte[sizeof(U)];
  split_bytes<U>(in, byte);
  for (uint32_t k = sizeof(U); k-- > 0;) {
    __m256i v = LastFirst ? last_first(byte[k]) : byte[k];
    for (uint32_t p = 0; p < 8; ++p, out += plane_bytes) {
      store_le(out, _mm256_movemask_epi8(v));
      v = _mm256_add_epi8(v, v);
    }
  }
}

// Row i, lane j becomes row j, lane i.
inline void transpose_words(__m256i (&r)[8]) {
  __m256i t[8];
  for (uint32_t i = 0; i < 8; i += 2) {
    t[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
  }
  for (uint32_t i = 0; i < 8; i += 4) {
    r[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    t[i] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x20);
    t[i + 4] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x31);
  }
  for (uint32_t i = 0; i < 8; ++i) r[i] = t[i];
}
// One byte of each of 256 values from its eight planes, the highest at `in`: b[32 * g] is group g's.
template <class U, bool LastFirst>
inline void unshuffle256_avx2(const uint8_t* in, uint32_t plane_bytes, uint8_t (&b)[256]) {
  __m256i row[8];
  for (uint32_t p = 0; p < 8; ++p) row[7 - p] = load_vector(in + p * plane_bytes);
  transpose_words(row);
  for (uint32_t g = 0; g < 8; ++g) {
    const __m256i v = bytes_of_rows(row[LastFirst && sizeof(U) == 8 ? g ^ 1 : g]);
    store_vector(b + 32 * g, LastFirst ? last_first(v) : v);
  }
}

FZM_CODECS_END
#endif
