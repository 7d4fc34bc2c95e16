// Eight blocks of 32 G values of AdaptiveBitpack, plain or with the first value apart, behind first
// differences that start anew in every block, or behind nothing.
#pragma once
#if defined(__AVX2__)
#include "kernels/fast/planes_avx2.h"

namespace fzm::fast {
namespace {

// What an instantiation is for.
template <uint32_t kGroups, bool kDifferences, bool kFirstApart>
struct BlockShape {
  static constexpr uint32_t G = kGroups;
  static constexpr bool differences = kDifferences, first_apart = kFirstApart;
  static constexpr uint32_t block = 32 * G, tile = 8 * block;
  static constexpr uint32_t plane_bytes = 4 * G, record_bytes = first_apart ? 2 : 1;
  static constexpr uint32_t tile_payload =
      8 * (33 * plane_bytes + 4);  // the most a tile may have, and slack
};

// Magnitudes of the blocks, lane b for block b: without the first value if that may be stored
// apart.
struct BlockBits {
  V rest, first;
};

template <class S>
inline V first_magnitudes(const int32_t* d) {
  constexpr uint32_t n = S::block;
  return _mm256_abs_epi32(
      _mm256_setr_epi32(d[0], d[n], d[2 * n], d[3 * n], d[4 * n], d[5 * n], d[6 * n], d[7 * n]));
}

// Records and payload of eight blocks whose |d| are below 2^24. `d` may be changed.
template <class S>
__attribute__((noinline)) void put_blocks(int32_t* d, const BlockBits& bits, uint8_t* records,
                                          uint8_t*& payload) {
  alignas(32) uint32_t words[8];
  const V every = _mm256_or_si256(bits.rest, bits.first);
  const V rate = bit_lengths(every), plain_words = _mm256_add_epi32(rate, one_if_positive(rate));
  uint8_t* p = payload;
  if constexpr (!S::first_apart) {
    put(records, low_bytes(rate));
    store(words, plain_words);
    for (uint32_t b = 0; b < 8; ++b) {
      put_planes<S::G>(d + S::block * b, words[b], p);
      p += S::plane_bytes * words[b];
    }
  } else {
    alignas(32) uint32_t apart[8];  // bytes of the first value, 0 where the block is plain
    const V rest = bit_lengths(bits.rest), rest_words = _mm256_add_epi32(rest, all(1));
    const V first_bytes = _mm256_srli_epi32(_mm256_add_epi32(bit_lengths(bits.first), all(7)), 3);
    const V plane = all(S::plane_bytes);
    const V cost = _mm256_mullo_epi32(plain_words, plane);
    const V cost_apart = _mm256_add_epi32(_mm256_mullo_epi32(rest_words, plane), first_bytes);
    const V is_apart = _mm256_cmpgt_epi32(cost, cost_apart);
    const V selection = _mm256_and_si256(
        is_apart, _mm256_sub_epi32(_mm256_add_epi32(first_bytes, first_bytes), all(1)));
    const V record =
        _mm256_or_si256(_mm256_blendv_epi8(rate, rest, is_apart), _mm256_slli_epi32(selection, 8));
    const __m128i pairs =
        _mm_packus_epi32(_mm256_castsi256_si128(record), _mm256_extracti128_si256(record, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(records), pairs);
    store(words, _mm256_blendv_epi8(plain_words, rest_words, is_apart));
    store(apart, _mm256_and_si256(is_apart, first_bytes));
    for (uint32_t b = 0; b < 8; ++b) {
      int32_t* const e = d + S::block * b;
      if (apart[b] != 0) {
        put(p, e[0] < 0 ? 0u - static_cast<uint32_t>(e[0]) : static_cast<uint32_t>(e[0]));
        p += apart[b];
        // Only its sign stays: -1 has that and the bit in plane 0 that is cleared again (if there
        // is a plane 0).
        e[0] = e[0] < 0 ? -1 : 0;
        put_planes<S::G>(e, words[b], p);
        p[S::plane_bytes] &= 0xFE;
      } else {
        put_planes<S::G>(e, words[b], p);
      }
      p += S::plane_bytes * words[b];
    }
  }
  payload = p;
}

// A tile of values. False where the proofs do not hold (nothing was written then).
template <class S, class Front>
__attribute__((always_inline)) inline bool encode_blocks(Front front, uint8_t* records,
                                                         uint8_t*& payload) {
  alignas(32) int32_t d[S::tile];
  V ors[8];
  const V not0 = _mm256_setr_epi32(0, -1, -1, -1, -1, -1, -1, -1);
  for (uint32_t b = 0; b < 8; ++b) {
    V before = zero(), bits = zero();
    for (uint32_t i = 0; i < S::block / 8; ++i) {
      const uint32_t at = b * (S::block / 8) + i;
      const V q = front.next(at);
      V v = q;
      if constexpr (S::differences) v = _mm256_sub_epi32(q, shift_in(before, q));
      before = q;
      store(d + 8 * at, v);
      V m = _mm256_abs_epi32(v);
      if (S::first_apart && i == 0) m = _mm256_and_si256(m, not0);
      bits = _mm256_or_si256(bits, m);
    }
    ors[b] = bits;
  }
  BlockBits bits{or_each(ors), zero()};
  if (S::first_apart) bits.first = first_magnitudes<S>(d);
  // Sums of so many differences stay below 2^21, so that nothing wrapped or saturated. Else the
  // values are looked at.
  constexpr int32_t kSmall = (1 << 21) / static_cast<int32_t>(S::differences ? S::block : 1);
  const bool small = _mm256_testz_si256(_mm256_or_si256(bits.rest, bits.first), all(-kSmall));
  if (__builtin_expect(!front.is_kept() || !(small || front.in_range(S::tile / 8)), 0))
    return false;
  put_blocks<S>(d, bits, records, payload);
  return true;
}

// What the records of a tile say. Not `regular`: the codec has to look at it.
struct BlockSizes {
  bool regular;
  uint32_t bytes;
};
template <class S>
inline BlockSizes sizes_of(const uint8_t* records) {
  if constexpr (!S::first_apart) {
    const __m128i r = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(records));
    const __m128i over = _mm_subs_epu8(r, _mm_set1_epi8(32));
    const __m128i words = _mm_add_epi8(r, _mm_min_epu8(r, _mm_set1_epi8(1)));
    const uint32_t n =
        static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_sad_epu8(words, _mm_setzero_si128())));
    return {_mm_testz_si128(over, over) != 0, S::plane_bytes * n};
  } else {
    uint32_t bytes = 0, odd = 0;
    for (uint32_t b = 0; b < 8; ++b) {
      const uint32_t rate = records[2 * b], selection = records[2 * b + 1];
      const uint32_t is_apart = selection & 1;
      odd |= static_cast<uint32_t>(rate > 32) | static_cast<uint32_t>(selection > 7) |
             (is_apart ^ static_cast<uint32_t>(selection != 0));
      bytes += S::plane_bytes * (rate + (is_apart | static_cast<uint32_t>(rate != 0))) +
               is_apart * ((selection >> 1) + 1);
    }
    return {odd == 0, bytes};
  }
}

// The residuals of one block; p moves on. False: they may sum to 2^24 or more. Reads up to 64 G
// bytes.
template <class S>
inline bool get_block(const uint8_t* record, const uint8_t*& p, int32_t* d) {
  const uint32_t rate = record[0];
  uint32_t words = rate + (rate > 0), apart = 0;
  if (S::first_apart && record[1] != 0) {
    words = rate + 1;
    apart = (record[1] >> 1) + 1;
    uint32_t first = 0;
    for (uint32_t k = 0; k < apart; ++k) first |= static_cast<uint32_t>(p[k]) << (8 * k);
    p += apart;
    const bool negative = (p[0] & 1) != 0;
    get_planes<S::G>(p, words, d);
    d[0] = static_cast<int32_t>(negative ? 0u - first : first);
  } else {
    get_planes<S::G>(p, words, d);
  }
  p += S::plane_bytes * words;
  return rate <= (S::differences ? 16 : 24) && apart < 3;
}

}  // namespace
}  // namespace fzm::fast
#endif
