// Bodies of the verbs planes, unplanes, shuffle_bits and unshuffle_bits for one CPU thread: 32 values at a time, the
// rest (of planes and unplanes) 8 at a time.
#pragma once
#include "kernels/base/bit_rows.h"
#include "kernels/base/shuffle_avx2.h"

FZM_CODECS_BEGIN

// The values from their bytes: b[k][j] is byte k of value j, k < Bytes; higher bytes are 0.
template <class U, uint32_t Bytes, uint32_t Values>
FZM_HD void join_bytes(const uint8_t (*b)[Values], U* v) {
  for (uint32_t j = 0; j < Values; ++j) {
    // Halves, because bytes widen to 32 bits in fewer steps than to 64; 16 bits, where that is all there is.
    using Half = typename WordOf<(sizeof(U) < 8 ? sizeof(U) : 4)>::U;
    Half low = 0, high = 0;
    if constexpr (Bytes > 0) low = b[0][j];
    if constexpr (Bytes > 1) low = static_cast<Half>(low | static_cast<Half>(b[1][j]) << 8);
    if constexpr (Bytes > 2) low = static_cast<Half>(low | static_cast<Half>(b[2][j]) << 16);
    if constexpr (Bytes > 3) low = static_cast<Half>(low | static_cast<Half>(b[3][j]) << 24);
    if constexpr (Bytes > 4) high = b[4][j];
    if constexpr (Bytes > 5) high = static_cast<Half>(high | static_cast<Half>(b[5][j]) << 8);
    if constexpr (Bytes > 6) high = static_cast<Half>(high | static_cast<Half>(b[6][j]) << 16);
    if constexpr (Bytes > 7) high = static_cast<Half>(high | static_cast<Half>(b[7][j]) << 24);
    if constexpr (sizeof(U) == 8) v[j] = low | static_cast<uint64_t>(high) << 32;
    else v[j] = static_cast<U>(low);
  }
}
template <class U>
FZM_HD void join_bytes(const uint8_t (*b)[32], uint32_t bytes, U* v) {
  if (bytes == 0) return join_bytes<U, 0, 32>(b, v);
  if (bytes == 1) return join_bytes<U, 1, 32>(b, v);
  if constexpr (sizeof(U) >= 2)
    if (bytes == 2) return join_bytes<U, 2, 32>(b, v);
  if constexpr (sizeof(U) >= 4) {
    if (bytes == 3) return join_bytes<U, 3, 32>(b, v);
    if (bytes == 4) return join_bytes<U, 4, 32>(b, v);
  }
  if constexpr (sizeof(U) == 8) {
    if (bytes == 5) return join_bytes<U, 5, 32>(b, v);
    if (bytes == 6) return join_bytes<U, 6, 32>(b, v);
    if (bytes == 7) return join_bytes<U, 7, 32>(b, v);
    return join_bytes<U, 8, 32>(b, v);
  }
}

// `planes` bits of 32 values, planes `stride` bytes apart.
template <class U>
FZM_HD void write_planes32(const U* v, uint32_t planes, uint8_t* out, uint32_t stride) {
  for (uint32_t low = 0; low < planes; low += 8) {
    uint8_t b[32];
    for (uint32_t j = 0; j < 32; ++j) b[j] = static_cast<uint8_t>(v[j] >> low);
    uint32_t row[8];
    bit_rows(b, row);
    const uint32_t n = planes - low < 8 ? planes - low : 8;
    for (uint32_t p = 0; p < n; ++p) store_le(out + (low + p) * stride, row[p]);
  }
}
template <class U>
FZM_HD void read_planes32(const uint8_t* in, uint32_t stride, uint32_t planes, U* v) {
  uint8_t b[sizeof(U)][32];
  uint32_t k = 0;
  for (uint32_t low = 0; low < planes; low += 8, ++k)
    unbit_rows(in + low * stride, stride, planes - low < 8 ? planes - low : 8, b[k]);
  join_bytes(b, k, v);
}

// The same for at most 8 values.
template <class U>
FZM_HD void write_planes8(const U* v, uint32_t live, uint32_t planes, uint8_t* out, uint32_t stride) {
  for (uint32_t low = 0; low < planes; low += 8) {
    uint64_t rows = 0;
    for (uint32_t j = 0; j < live; ++j) rows |= static_cast<uint64_t>(static_cast<uint8_t>(v[j] >> low)) << (8 * j);
    rows = transpose8(rows);
    const uint32_t n = planes - low < 8 ? planes - low : 8;
    for (uint32_t p = 0; p < n; ++p) out[(low + p) * stride] = static_cast<uint8_t>(rows >> (8 * p));
  }
}
template <class U>
FZM_HD void read_planes8(const uint8_t* in, uint32_t stride, uint32_t planes, U* v, uint32_t live) {
  U value[8] = {};
  for (uint32_t low = 0; low < planes; low += 8) {
    uint64_t rows = 0;
    const uint32_t n = planes - low < 8 ? planes - low : 8;
    for (uint32_t p = 0; p < n; ++p) rows |= static_cast<uint64_t>(in[(low + p) * stride]) << (8 * p);
    rows = transpose8(rows);
    for (uint32_t j = 0; j < 8; ++j)
      value[j] = static_cast<U>(value[j] | static_cast<U>(static_cast<U>(static_cast<uint8_t>(rows >> (8 * j))) << low));
  }
  for (uint32_t j = 0; j < live; ++j) v[j] = value[j];
}

template <class U>
FZM_HD void write_planes(const U* v, uint32_t values, uint32_t planes, uint8_t* out) {
  const uint32_t stride = ceil_div(values, 8);
  uint32_t k = 0;
  for (; values - 8 * k >= 32; k += 4) write_planes32(v + 8 * k, planes, out + k, stride);
  for (; k < stride; ++k) write_planes8(v + 8 * k, values - 8 * k < 8 ? values - 8 * k : 8, planes, out + k, stride);
}
template <class U>
FZM_HD void read_planes(const uint8_t* in, uint32_t values, uint32_t planes, U* v) {
  const uint32_t stride = ceil_div(values, 8);
  uint32_t k = 0;
  for (; values - 8 * k >= 32; k += 4) read_planes32(in + k, stride, planes, v + 8 * k);
  for (; k < stride; ++k) read_planes8(in + k, stride, planes, v + 8 * k, values - 8 * k < 8 ? values - 8 * k : 8);
}

// Which word of a plane the g-th group of 32 values goes to: with the last value first, a word of 8-byte values is 64 bits.
template <class U, bool LastFirst>
FZM_HD uint32_t word_of_group(uint32_t g) { return LastFirst && sizeof(U) == 8 ? g ^ 1 : g; }

template <class U, bool LastFirst>
FZM_HD void shuffle32(const uint8_t* in, uint8_t* out, uint32_t plane_bytes) {
#if FZM_AVX2
  shuffle32_avx2<U, LastFirst>(in, out, plane_bytes);
#else
  U v[32];
  for (uint32_t j = 0; j < 32; ++j) v[j] = load_le<U>(in + j * sizeof(U));
  for (uint32_t k = sizeof(U); k-- > 0; out += 8 * plane_bytes) {
    uint8_t b[32];
    for (uint32_t j = 0; j < 32; ++j) b[j] = static_cast<uint8_t>(v[LastFirst ? 31 - j : j] >> (8 * k));
    uint32_t row[8];
    bit_rows(b, row);
    for (uint32_t p = 0; p < 8; ++p) store_le(out + (7 - p) * plane_bytes, row[p]);
  }
#endif
}
template <class U, bool LastFirst>
FZM_HD void unshuffle32(const uint8_t* in, uint8_t* out, uint32_t plane_bytes) {
  uint8_t b[sizeof(U)][32];
  for (uint32_t k = sizeof(U); k-- > 0; in += 8 * plane_bytes) {
    uint8_t row[32];
    for (uint32_t p = 0; p < 8; ++p) store_le(row + 4 * p, load_le<uint32_t>(in + (7 - p) * plane_bytes));
    unbit_rows(row, 4, 8, b[k]);
  }
  U v[32];
  join_bytes<U, sizeof(U), 32>(b, v);
  for (uint32_t j = 0; j < 32; ++j) store_le(out + j * sizeof(U), v[LastFirst ? 31 - j : j]);
}

template <class U, bool LastFirst>
FZM_HD void write_shuffled(const uint8_t* in, uint32_t values, uint8_t* out) {
  for (uint32_t g = 0; g < values / 32; ++g)
    shuffle32<U, LastFirst>(in + 32 * g * sizeof(U), out + 4 * word_of_group<U, LastFirst>(g), values / 8);
}
template <class U, bool LastFirst>
FZM_HD void read_shuffled(const uint8_t* in, uint32_t values, uint8_t* out) {
  uint32_t g = 0;
#if FZM_AVX2
  for (; values - 32 * g >= 256; g += 8) {
    uint8_t b[sizeof(U)][256];
    for (uint32_t k = 0; k < sizeof(U); ++k)
      unshuffle256_avx2<U, LastFirst>(in + 4 * g + (sizeof(U) - 1 - k) * values, values / 8, b[k]);
    U v[256];
    join_bytes<U, sizeof(U), 256>(b, v);
    __builtin_memcpy(out + 32 * g * sizeof(U), v, sizeof(v));
  }
#endif
  for (; g < values / 32; ++g)
    unshuffle32<U, LastFirst>(in + 4 * word_of_group<U, LastFirst>(g), out + 32 * g * sizeof(U), values / 8);
}

FZM_CODECS_END
