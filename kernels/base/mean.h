// The integer mean that predictors subtract: rounded to nearest, halves away from zero.
#pragma once
#include "kernels/base/bits.h"

FZM_CODECS_BEGIN

// `sum` is that of `count` values, modulo 2^64: exact up to 2^31 values of 32 bits; for int64 any result is as valid.
template <class T>
FZM_HD T rounded_mean(uint64_t sum, uint32_t count) {
  const bool negative = static_cast<int64_t>(sum) < 0;
  const uint64_t size = negative ? 0 - sum : sum;
  const uint64_t mean = (size + count / 2) / count;
  return static_cast<T>(negative ? 0 - mean : mean);
}

// A term of such a sum.
template <class T>
FZM_HD uint64_t widened(T v) { return static_cast<uint64_t>(static_cast<int64_t>(v)); }

FZM_CODECS_END
