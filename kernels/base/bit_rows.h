// 32 bytes as 8 rows of bits and back: bit j of row p = bit p of byte j. What planes, bitmaps and bit shuffles are
// made of. SWAR everywhere, movemask where there is one; the results are the same.
#pragma once
#include "kernels/base/bits.h"

#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define FZM_SSE2 1
#else
#define FZM_SSE2 0
#endif
#if defined(__AVX2__) && FZM_SSE2
#define FZM_AVX2 1
#include <immintrin.h>
#else
#define FZM_AVX2 0
#endif

FZM_CODECS_BEGIN

// Rows are bytes, columns bits: bit j of byte i becomes bit i of byte j.
FZM_HD uint64_t transpose8(uint64_t x) {
  uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAull;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCull;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ull;
  return x ^ t ^ (t << 28);
}

#if FZM_SSE2
using Bytes16 = unsigned char __attribute__((vector_size(16)));
using Chars16 = char __attribute__((vector_size(16)));
inline Bytes16 load16(const uint8_t* b) {
  Bytes16 v;
  __builtin_memcpy(&v, b, 16);
  return v;
}
inline uint32_t top_bits16(Bytes16 v) { return static_cast<uint32_t>(__builtin_ia32_pmovmskb128(reinterpret_cast<Chars16>(v))); }
#endif

// Bit j = the highest bit of byte j.
FZM_HD uint32_t top_bits(const uint8_t* b) {
#if FZM_AVX2
  return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(b))));
#elif FZM_SSE2
  return top_bits16(load16(b)) | top_bits16(load16(b + 16)) << 16;
#else
  uint32_t bits = 0;
  for (uint32_t k = 0; k < 4; ++k)  // the product moves the eight top bits next to each other, into the top byte
    bits |= static_cast<uint32_t>((((load_le<uint64_t>(b + 8 * k) >> 7) & 0x0101010101010101ull) * 0x0102040810204080ull) >> 56) << (8 * k);
  return bits;
#endif
}

FZM_HD void bit_rows(const uint8_t* b, uint32_t (&row)[8]) {
#if FZM_AVX2
  __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
  for (uint32_t p = 8; p-- > 0;) {
    row[p] = static_cast<uint32_t>(_mm256_movemask_epi8(v));
    v = _mm256_add_epi8(v, v);
  }
#elif FZM_SSE2
  Bytes16 low = load16(b), high = load16(b + 16);
  for (uint32_t p = 8; p-- > 0;) {
    row[p] = top_bits16(low) | top_bits16(high) << 16;
    low += low;
    high += high;
  }
#else
  for (uint32_t p = 0; p < 8; ++p) row[p] = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint64_t t = transpose8(load_le<uint64_t>(b + 8 * k));
    for (uint32_t p = 0; p < 8; ++p) row[p] |= static_cast<uint32_t>(static_cast<uint8_t>(t >> (8 * p))) << (8 * k);
  }
#endif
}

#if FZM_AVX2
// Lane i: row i of the result of bit_rows; result: the 32 bytes.
inline __m256i bytes_of_rows(__m256i rows) {
  const __m256i gather = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
                                          14, 3, 7, 11, 15);
  __m256i x = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(rows, gather), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  __m256i t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, 7)), _mm256_set1_epi64x(0x00AA00AA00AA00AAll));
  x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, 7)));
  t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, 14)), _mm256_set1_epi64x(0x0000CCCC0000CCCCll));
  x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, 14)));
  t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, 28)), _mm256_set1_epi64x(0x00000000F0F0F0F0ll));
  return _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, 28)));
}
#endif

// The inverse of bit_rows for `rows` rows (at most 8, the others are 0), `stride` bytes apart at `in`.
FZM_HD void unbit_rows(const uint8_t* in, uint32_t stride, uint32_t rows, uint8_t* b) {
#if FZM_AVX2
  __m256i v;
  if (stride == 4) {
    static constexpr int32_t kFirst[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kFirst + 8 - rows));
    v = _mm256_maskload_epi32(reinterpret_cast<const int*>(in), mask);  // touches no row beyond the last
  } else {
    const auto row = [=](uint32_t p) { return p < rows ? load_le<int32_t>(in + p * stride) : 0; };
    v = _mm256_setr_epi32(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(b), bytes_of_rows(v));
#else
  // Bytes 0..3 of t[k], then 4..7: column k of rows 0..3, 4..7. Two 4x4 byte transposes, four bit transposes.
  uint64_t t[4] = {0, 0, 0, 0};
  for (uint32_t p = 0; p < rows; ++p) {
    const uint32_t row = load_le<uint32_t>(in + p * stride);
    for (uint32_t k = 0; k < 4; ++k) t[k] |= static_cast<uint64_t>(static_cast<uint8_t>(row >> (8 * k))) << (8 * p);
  }
  for (uint32_t k = 0; k < 4; ++k) store_le(b + 8 * k, transpose8(t[k]));
#endif
}

FZM_CODECS_END
