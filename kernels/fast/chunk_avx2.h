// Bitshuffle(4) and RZE(1) of one chunk of 4096 values, all of it in L1.
#pragma once
#if defined(__AVX2__)
#include "kernels/fast/vectors_avx2.h"

namespace fzm::fast {
namespace {

constexpr uint32_t kChunkValues = 4096, kChunkBytes = 16384;
constexpr uint32_t kRzeRoom = 18944;  // what encode_rze may touch: all bytes, all levels, and slack

// Shuffles of eight bytes, one for each mask.
struct ByteTables {
  alignas(64) uint8_t keep[256][8];  // kept bytes to the front
  alignas(64)
      uint8_t spread[256][8];  // byte i takes source popcount(m & below i), 0 where the bit is 0
  alignas(64)
      uint8_t repeat[256][8];  // byte i takes source popcount(m & up to i): 0 is the byte before
};
constexpr ByteTables byte_tables() {
  ByteTables t{};
  for (uint32_t m = 0; m < 256; ++m) {
    uint8_t k = 0;
    for (uint8_t i = 0; i < 8; ++i) {
      const bool one = (m >> i & 1) != 0;
      t.spread[m][i] = one ? k : 0x80;
      if (one) t.keep[m][k++] = i;
      t.repeat[m][i] = k;
    }
  }
  return t;
}
constexpr ByteTables kTables = byte_tables();

inline __m128i load8(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
inline void store8(void* p, __m128i v) { _mm_storel_epi64(static_cast<__m128i*>(p), v); }
inline uint32_t ones(uint32_t v) { return static_cast<uint32_t>(_mm_popcnt_u32(v)); }

// --- bit shuffle ---
// Where bytes of planes are, plane 0 (the highest bit) first.
constexpr uint32_t kPlaneBytes = kChunkBytes / 32;

// Planes of byte k of 32 values, the last value first; `to` is the group's word in plane 0.
inline void put_shuffled(V v, uint8_t* to, uint32_t k) {
  uint8_t* w = to + (24 - 8 * k) * kPlaneBytes;
  for (uint32_t i = 0; i < 8; ++i, w += kPlaneBytes) {
    put(w, _mm256_movemask_epi8(v));
    v = _mm256_add_epi8(v, v);
  }
}
// From packs order: the format wants value 0 at bit 31, movemask takes byte 31 there. Turning bytes
// round is cheaper.
inline V last_first(V v) {
  const V reverse = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1,
                                     0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return _mm256_shuffle_epi8(
      _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 3, 6, 2, 5, 1, 4, 0)), reverse);
}
// Planes of the low Bytes bytes (1, 2 or 4); the others are not written.
template <uint32_t Bytes>
__attribute__((noinline)) inline void bit_shuffle(const uint32_t* u, uint8_t* to) {
  for (uint32_t g = 0; g < kChunkValues / 32; ++g, u += 32, to += 4) {
    const V a = load(u), b = load(u + 8), c = load(u + 16), d = load(u + 24);
    if constexpr (Bytes == 4) {
      const ByteColumns columns = byte_columns(a, b, c, d);
      for (uint32_t k = 0; k < 4; ++k) put_shuffled(last_first(columns.byte[k]), to, k);
    } else {
      const V p = _mm256_packus_epi32(a, b), q = _mm256_packus_epi32(c, d);
      if constexpr (Bytes == 1) {
        put_shuffled(last_first(_mm256_packus_epi16(p, q)), to, 0);
      } else {
        const V low = _mm256_set1_epi16(255);
        put_shuffled(
            last_first(_mm256_packus_epi16(_mm256_and_si256(p, low), _mm256_and_si256(q, low))), to,
            0);
        put_shuffled(
            last_first(_mm256_packus_epi16(_mm256_srli_epi16(p, 8), _mm256_srli_epi16(q, 8))), to,
            1);
      }
    }
  }
}
// Eight planes -> one byte of each of the 4096 values.
__attribute__((noinline)) inline void bit_unshuffle(const uint8_t* planes, uint8_t* to) {
  const V by = _mm256_setr_epi8(3, 7, 11, 15, 2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15,
                                2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12);
  for (uint32_t q = 0; q < 16; ++q, planes += 32, to += 256) {
    V r[8], t[8];
    for (uint32_t i = 0; i < 8; ++i) r[i] = load(planes + kPlaneBytes * i);
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
    for (uint32_t i = 0; i < 8; ++i)
      store(to + 32 * i, anti_transpose8(in_order(_mm256_shuffle_epi8(t[i], by))));
  }
}

// --- RZE ---
constexpr uint32_t kFront = 32;  // before a level: its byte -1, which is 0
struct BitLevels {
  alignas(32) uint8_t l0[kFront + 2048], l1[kFront + 256], l2[kFront + 32], l3[32];
};

// The bytes of m's bits to the front; writes up to 32 bytes, returns the end.
inline uint8_t* keep_bytes(uint8_t* to, V v, uint32_t m, const uint8_t* from) {
  if (m == 0) return to;
  if (m == ~0u) {
    store(to, v);
    return to + 32;
  }
  for (uint32_t i = 0; i < 4; ++i, m >>= 8) {
    store8(to, _mm_shuffle_epi8(load8(from + 8 * i), load8(kTables.keep[m & 255])));
    to += ones(m & 255);
  }
  return to;
}
// Bytes of `level` that differ from the one before, from byte `from` on (all are 0 before it);
// their bitmap is `next`.
inline uint8_t* keep_changes(const uint8_t* level, uint32_t from, uint32_t bytes, uint8_t* next,
                             uint8_t* to) {
  for (uint32_t i = from; i < bytes; i += 32) {
    const V v = load(level + i);
    const uint32_t m =
        ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, load(level + i - 1))));
    put(next + i / 8, m);
    to = keep_bytes(to, v, m, level + i);
  }
  return to;
}

// A whole chunk, of which the first `skip` bytes (whole planes) are zero whatever is in memory.
// `to` has kRzeRoom bytes. Returns the bytes written, or 0: to be stored as it is.
__attribute__((noinline)) inline uint32_t encode_rze(const uint8_t* chunk, uint32_t skip,
                                                     BitLevels& w, uint8_t* to) {
  uint8_t* o = to;
  __builtin_memset(w.l0, 0, kFront + skip / 8);
  __builtin_memset(w.l1, 0, kFront + skip / 64);
  __builtin_memset(w.l2, 0, kFront);
  for (uint32_t i = skip; i < kChunkBytes; i += 32) {
    const V v = load(chunk + i);
    const uint32_t m = ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, zero())));
    put(w.l0 + kFront + i / 8, m);
    o = keep_bytes(o, v, m, chunk + i);
  }
  if (o != to) {
    o = keep_changes(w.l0 + kFront, skip / 8 / 32 * 32, 2048, w.l1 + kFront, o);
    o = keep_changes(w.l1 + kFront, 0, 256, w.l2 + kFront, o);
    o = keep_changes(w.l2 + kFront, 0, 32, w.l3, o);
    put(o, get<uint32_t>(w.l3));
    o += 4;
  }
  if (o - to + 2 >= static_cast<int32_t>(kChunkBytes)) return 0;
  put(o, static_cast<uint16_t>(kChunkBytes));
  return static_cast<uint32_t>(o - to) + 2;
}

// The bytes of m's bits from `from`, the others 0; reads up to 32 bytes.
inline const uint8_t* spread_bytes(uint32_t m, const uint8_t* from, uint8_t* to) {
  if (m == 0) {
    store(to, zero());
    return from;
  }
  if (m == ~0u) {
    store(to, load(from));
    return from + 32;
  }
  for (uint32_t i = 0; i < 4; ++i, m >>= 8) {
    store8(to + 8 * i, _mm_shuffle_epi8(load8(from), load8(kTables.spread[m & 255])));
    from += ones(m & 255);
  }
  return from;
}
inline uint32_t ones_in(const uint8_t* bits, uint32_t bytes) {  // a multiple of 8
  uint64_t n = 0;
  for (uint32_t i = 0; i < bytes; i += 8)
    n += static_cast<uint64_t>(_mm_popcnt_u64(get<uint64_t>(bits + i)));
  return static_cast<uint32_t>(n);
}
// `bytes` bytes at `to`: the one before repeated where the bit is 0. kept[0] is 0, the kept ones
// follow.
inline void repeat_bytes(const uint8_t* bits, uint32_t bytes, const uint8_t* kept, uint8_t* to) {
  for (uint32_t i = 0; i < bytes; i += 8) {
    const uint32_t m = bits[i / 8];
    store8(to + i, _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kept)),
                                    load8(kTables.repeat[m])));
    kept += ones(m);
  }
}

struct RzeRead {
  bool good;      // false: not a chunk; nothing may be assumed about `to`
  uint32_t zero;  // so many whole groups of 8 planes at the front are zero, and were not written
};
// A stored (not raw) chunk of `stored` bytes, readable 32 bytes beyond. `kept` has 2048 + 64 bytes.
__attribute__((noinline)) inline RzeRead decode_rze(const uint8_t* in, uint32_t stored,
                                                    BitLevels& w, uint8_t* kept, uint8_t* to) {
  if (stored < 2 || stored > kChunkBytes || get<uint16_t>(in + stored - 2) != kChunkBytes)
    return {false, 0};
  if (stored == 2) return {true, 4};
  if (stored < 6) return {false, 0};
  uint32_t end = stored - 6;
  put(w.l3, get<uint32_t>(in + end));
  const auto level = [&](const uint8_t* bits, uint32_t bytes, uint32_t n, uint8_t* out) {
    if (n > end) return false;
    end -= n;
    kept[0] = 0;
    __builtin_memcpy(kept + 1, in + end, n);
    repeat_bytes(bits, bytes, kept, out);
    return true;
  };
  if (!level(w.l3, 32, ones(get<uint32_t>(w.l3)), w.l2) ||
      !level(w.l2, 256, ones_in(w.l2, 32), w.l1) || !level(w.l1, 2048, ones_in(w.l1, 256), w.l0) ||
      ones_in(w.l0, 2048) != end)
    return {false, 0};
  uint32_t empty = 0;  // bytes of the bitmap that are 0 at its front
  while (empty < 2048 && _mm256_testz_si256(load(w.l0 + empty), load(w.l0 + empty))) empty += 32;
  const uint32_t groups = empty / (8 * kPlaneBytes / 8);
  const uint8_t* from = in;
  for (uint32_t i = 8 * kPlaneBytes * groups; i < kChunkBytes; i += 32)
    from = spread_bytes(get<uint32_t>(w.l0 + i / 8), from, to + i);
  return {true, groups};
}

}  // namespace
}  // namespace fzm::fast
#endif
