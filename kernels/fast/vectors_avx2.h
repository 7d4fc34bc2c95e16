// Eight 32-bit lanes, and what the hand-fused tiles do with them. For files built with AVX2 only
// (*_avx2.cpp): every name is local to the file, so that the linker never keeps an AVX2 copy for
// everybody.
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>

#include <cstdint>

namespace fzm::fast {
namespace {

using V = __m256i;

inline V load(const void* p) { return _mm256_loadu_si256(static_cast<const V*>(p)); }
inline void store(void* p, V v) { _mm256_storeu_si256(static_cast<V*>(p), v); }
inline V zero() { return _mm256_setzero_si256(); }
inline V all(int32_t v) { return _mm256_set1_epi32(v); }
// a's lane 0 at p[0..3], b's at p[16..]: for rows of 16 bytes that belong to the two halves.
inline V load_halves(const uint8_t* low, const uint8_t* high) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

// Lanes move up by one; lane 0 comes from the top of `before`.
inline V shift_in(V before, V v) {
  return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 12);
}

// Inclusive sums of the lanes, wrapping.
inline V sums(V v) {
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
  return _mm256_add_epi32(v, _mm256_shuffle_epi32(_mm256_permute2x128_si256(v, v, 0x08), 0xFF));
}
inline V last_lane(V v) { return _mm256_permutevar8x32_epi32(v, all(7)); }

inline int32_t total(V v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1)));
}
inline uint32_t or_lanes(V v) {
  __m128i s = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_or_si128(s, _mm_shuffle_epi32(s, 0x4E));
  return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_or_si128(s, _mm_shuffle_epi32(s, 0xB1))));
}
inline uint32_t total_bytes(V v) {
  return static_cast<uint32_t>(total(_mm256_sad_epu8(v, zero())));
}
// Lane b = OR of the lanes of o[b].
inline V or_each(const V* o) {
  const auto low = [](V a, V b) {
    return _mm256_or_si256(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
  };
  const auto high = [](V a, V b) {
    return _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
  };
  const V a = high(low(o[0], o[1]), low(o[2], o[3])), b = high(low(o[4], o[5]), low(o[6], o[7]));
  return _mm256_or_si256(_mm256_permute2x128_si256(a, b, 0x20),
                         _mm256_permute2x128_si256(a, b, 0x31));
}

// Bit lengths, exact for lanes below 2^24: the exponent of the converted number.
inline V bit_lengths(V v) {
  const V exponent = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(v)), 23);
  return _mm256_max_epi32(_mm256_sub_epi32(exponent, all(126)), zero());
}
// 1 for lanes above 0.
inline V one_if_positive(V v) { return _mm256_sub_epi32(zero(), _mm256_cmpgt_epi32(v, zero())); }

// The low byte of each of eight lanes, in order.
inline uint64_t low_bytes(V v) {
  const __m128i w = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  return static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(w, _mm_setzero_si128())));
}

// From the order that packs leaves (quarters of a and b alternating) to the natural one.
inline V in_order(V v) {
  return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

// In every 64 bits: bit 8i+j <-> bit 8j+i.
inline V transpose8(V v) {
  const auto swap = [](V x, int64_t mask, int by) {
    const V t =
        _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, by)), _mm256_set1_epi64x(mask));
    return _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, by)));
  };
  return swap(swap(swap(v, 0x00AA00AA00AA00AA, 7), 0x0000CCCC0000CCCC, 14), 0x00000000F0F0F0F0, 28);
}
// In every 64 bits: bit 8i+j <-> bit 8(7-j)+(7-i).
inline V anti_transpose8(V v) {
  const auto swap = [](V x, int64_t mask, int by) {
    const V t =
        _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, by)), _mm256_set1_epi64x(mask));
    return _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, by)));
  };
  return swap(swap(swap(v, 0x0055005500550055, 9), 0x0000333300003333, 18), 0x000000000F0F0F0F, 36);
}

// Bytes 0, 1, 2, 3 of 32 values (four vectors), each as 32 bytes in packs order (see in_order).
struct ByteColumns {
  V byte[4];
};
inline ByteColumns byte_columns(V a, V b, V c, V d) {
  const V by = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12,
                                1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  a = _mm256_shuffle_epi8(a, by);
  b = _mm256_shuffle_epi8(b, by);
  c = _mm256_shuffle_epi8(c, by);
  d = _mm256_shuffle_epi8(d, by);
  const V ab = _mm256_unpacklo_epi32(a, b), AB = _mm256_unpackhi_epi32(a, b);
  const V cd = _mm256_unpacklo_epi32(c, d), CD = _mm256_unpackhi_epi32(c, d);
  return {{_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd),
           _mm256_unpacklo_epi64(AB, CD), _mm256_unpackhi_epi64(AB, CD)}};
}

template <class T>
inline T get(const void* p) {
  T v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
inline void put(void* p, T v) {
  __builtin_memcpy(p, &v, sizeof v);
}

}  // namespace
}  // namespace fzm::fast
#endif
