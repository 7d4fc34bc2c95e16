// Bodies of the verbs that pick values by a bitmap (keep, spread, repeat) for one CPU thread: bit i of `bits` says
// whether value i is kept. Eight values at a time; runs of zeros and ones, which are most of a typical bitmap, at once.
#pragma once
#include "kernels/base/bit_rows.h"
#include "kernels/base/pick_avx2.h"

FZM_CODECS_BEGIN

// The kept ones of eight values; may write eight.
template <class U>
FZM_HD uint8_t* keep8(const uint8_t* in, uint32_t bits, uint8_t* out) {
#if FZM_AVX2
  return keep8_avx2<U>(in, bits, out);
#else
  for (uint32_t j = 0; j < 8; ++j) {
    store_le(out, load_le<U>(in + j * sizeof(U)));
    out += (bits >> j & 1) * sizeof(U);
  }
  return out;
#endif
}
// Eight values from the kept ones at `in`, of which eight can be read; returns the next one to use.
template <class U>
FZM_HD const uint8_t* spread8(const uint8_t* in, uint32_t bits, uint8_t* out) {
#if FZM_AVX2
  return spread8_avx2<U>(in, bits, out);
#else
  for (uint32_t j = 0; j < 8; ++j) {
    const uint32_t bit = bits >> j & 1;
    store_le(out + j * sizeof(U), static_cast<U>(load_le<U>(in) & static_cast<U>(0 - static_cast<U>(bit))));
    in += bit * sizeof(U);
  }
  return in;
#endif
}
template <class U>
FZM_HD const uint8_t* repeat8(const uint8_t* in, uint32_t bits, uint8_t* out) {
#if FZM_AVX2
  return repeat8_avx2<U>(in, bits, out);
#else
  for (uint32_t j = 0; j < 8; ++j) {
    in += (bits >> j & 1) * sizeof(U);
    store_le(out + j * sizeof(U), load_le<U>(in - sizeof(U)));
  }
  return in;
#endif
}

template <class U>
FZM_HD void keep_by_bits(const uint8_t* in, uint32_t n, const uint8_t* bits, uint8_t* out) {
  uint32_t k = 0;
  for (; k + 4 <= n / 8; k += 4) {
    const uint32_t four = load_le<uint32_t>(bits + k);
    const uint8_t* const v = in + 8 * k * sizeof(U);
    if (four == 0) continue;
    if (four == ~0u) {
      __builtin_memcpy(out, v, 32 * sizeof(U));
      out += 32 * sizeof(U);
      continue;
    }
    for (uint32_t b = 0; b < 4; ++b) out = keep8<U>(v + 8 * b * sizeof(U), four >> (8 * b) & 255, out);
  }
  for (uint32_t i = 8 * k; i < n; ++i)
    if (bits[i / 8] >> (i % 8) & 1) {
      store_le(out, load_le<U>(in + i * sizeof(U)));
      out += sizeof(U);
    }
}
template <class U>
FZM_HD void spread_by_bits(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) {
  uint32_t k = 0;
  for (; k + 4 <= n / 8; k += 4) {
    const uint32_t four = load_le<uint32_t>(bits + k);
    uint8_t* const v = out + 8 * k * sizeof(U);
    if (four == 0) {
      __builtin_memset(v, 0, 32 * sizeof(U));
    } else if (four == ~0u) {
      __builtin_memcpy(v, in, 32 * sizeof(U));
      in += 32 * sizeof(U);
    } else {
      for (uint32_t b = 0; b < 4; ++b) in = spread8<U>(in, four >> (8 * b) & 255, v + 8 * b * sizeof(U));
    }
  }
  for (uint32_t i = 8 * k; i < n; ++i) {
    const bool kept = bits[i / 8] >> (i % 8) & 1;
    store_le(out + i * sizeof(U), kept ? load_le<U>(in) : U(0));
    in += kept ? sizeof(U) : 0;
  }
}
template <class U>
FZM_HD void repeat_by_bits(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) {
  uint32_t k = 0;
  for (; k + 4 <= n / 8; k += 4) {
    const uint32_t four = load_le<uint32_t>(bits + k);
    uint8_t* const v = out + 8 * k * sizeof(U);
    if (four == 0) {
      const U last = load_le<U>(in - sizeof(U));
      for (uint32_t j = 0; j < 32; ++j) store_le(v + j * sizeof(U), last);
    } else if (four == ~0u) {
      __builtin_memcpy(v, in, 32 * sizeof(U));
      in += 32 * sizeof(U);
    } else {
      for (uint32_t b = 0; b < 4; ++b) in = repeat8<U>(in, four >> (8 * b) & 255, v + 8 * b * sizeof(U));
    }
  }
  for (uint32_t i = 8 * k; i < n; ++i) {
    in += (bits[i / 8] >> (i % 8) & 1) * sizeof(U);
    store_le(out + i * sizeof(U), load_le<U>(in - sizeof(U)));
  }
}

FZM_CODECS_END
