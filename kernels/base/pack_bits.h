// Bodies of the verbs pack_bits and unpack_bits for one CPU thread: eight values of `width` bits are `width` bytes, so
// that groups of eight depend on nothing.
#pragma once
#include "kernels/base/bits.h"

FZM_CODECS_BEGIN

// Eight bytes, `width` <= 7 bits of each, next to each other.
FZM_HD uint64_t pack8_bytes(uint64_t x, uint32_t width) {
  x &= 0x0101010101010101ull * ((1u << width) - 1);
  x = (x & 0x00FF00FF00FF00FFull) | (x >> 8 & 0x00FF00FF00FF00FFull) << width;
  x = (x & 0x0000FFFF0000FFFFull) | (x >> 16 & 0x0000FFFF0000FFFFull) << (2 * width);
  return (x & 0xFFFFFFFFull) | (x >> 32) << (4 * width);
}
FZM_HD uint64_t unpack8_bytes(uint64_t x, uint32_t width) {
  x = (x & ((1ull << (4 * width)) - 1)) | (x >> (4 * width)) << 32;
  x = (x & 0x0000000100000001ull * ((1u << (2 * width)) - 1)) | (x >> (2 * width) & 0x0000000100000001ull * ((1u << (2 * width)) - 1)) << 16;
  x = (x & 0x0001000100010001ull * ((1u << width) - 1)) | (x >> width & 0x0001000100010001ull * ((1u << width) - 1)) << 8;
  return x & 0x0101010101010101ull * ((1u << width) - 1);
}

// n values, `width` bits each (1..64, at most those of U), lowest bit first.
template <class U>
FZM_HD void pack_run(const U* v, uint32_t n, uint32_t width, uint8_t* out) {
  const uint64_t mask = ~0ull >> (64 - width);
  uint64_t word = 0;
  uint32_t filled = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t x = static_cast<uint64_t>(v[i]) & mask;
    word |= x << filled;
    filled += width;
    if (filled >= 64) {
      store_le(out, word);
      out += 8;
      filled -= 64;
      word = filled ? x >> (width - filled) : 0;
    }
  }
  for (; filled > 0; filled = filled > 8 ? filled - 8 : 0, word >>= 8) *out++ = static_cast<uint8_t>(word);
}
template <class U>
FZM_HD void pack_values(const U* v, uint32_t n, uint32_t width, uint8_t* out) {
  if (width == 0) return;
  uint32_t i = 0;
  if constexpr (sizeof(U) == 1) {
    // Eight bytes are written for every group; the last ones go through pack_run, which stops where the bits end.
    if (width < 8)
      for (; n - i >= 72; i += 8) store_le(out + i / 8 * width, pack8_bytes(load_le<uint64_t>(v + i), width));
  }
  pack_run(v + i, n - i, width, out + i / 8 * width);
}

// 9 bytes from the one that holds the first bit of a value are readable.
template <class U>
FZM_HD U bits_at(const uint8_t* in, uint64_t bit, uint32_t width) {
  const uint8_t* const p = in + bit / 8;
  const uint32_t shift = static_cast<uint32_t>(bit % 8);
  uint64_t x = load_le<uint64_t>(p) >> shift;
  if constexpr (sizeof(U) == 8) x |= static_cast<uint64_t>(p[8]) << 1 << (63 - shift);
  return static_cast<U>(x & (~0ull >> (64 - width)));
}
template <class U>
FZM_HD void unpack_values(const uint8_t* in, uint32_t n, uint32_t width, U* v) {
  if (width == 0) {
    for (uint32_t i = 0; i < n; ++i) v[i] = 0;
    return;
  }
  uint32_t i = 0;
  if constexpr (sizeof(U) == 1) {
    if (width < 8)
      for (; n - i >= 8; i += 8) store_le(v + i, unpack8_bytes(load_le<uint64_t>(in + i / 8 * width), width));
  }
  for (; i < n; ++i) v[i] = bits_at<U>(in, static_cast<uint64_t>(i) * width, width);
}

FZM_CODECS_END
