// Where a tile's integers come from: quantized on the way, or already quantized. next(i) gives
// values 8i .. 8i+7.
#pragma once
#if defined(__AVX2__)
#include "kernels/fast/vectors_avx2.h"
#include "kernels/quantizer/quantizer.h"

namespace fzm::fast {
namespace {

using Grid = FZM_TARGET::Grid<float>;

inline __m256 magnitudes(__m256 v) {
  return _mm256_and_ps(v, _mm256_castsi256_ps(all(0x7FFFFFFF)));
}

// quick() of kernels/quantizer/grid.h on eight values, without its test of the range: that is
// proved for a tile at once.
class Floats {
 public:
  Floats(const float* x, const Grid& g)
      : x_(x),
        quick_(g.quick),
        inverse_(_mm256_set1_ps(g.inverse)),
        step_(_mm256_set1_ps(g.step)),
        bound_(_mm256_set1_ps(g.bound)) {}
  // Numbers far out of range come out as INT32_MIN.
  V next(uint32_t i) {
    const __m256 f = _mm256_loadu_ps(x_ + 8 * i);
    const V q = _mm256_cvtps_epi32(_mm256_mul_ps(f, inverse_));
    const __m256 error = magnitudes(_mm256_sub_ps(f, _mm256_mul_ps(_mm256_cvtepi32_ps(q), step_)));
    bad_ = _mm256_or_ps(bad_, _mm256_cmp_ps(error, bound_, _CMP_NLE_UQ));  // NaN is bad
    return q;
  }
  // Every value so far is within the bound.
  bool is_kept() const { return _mm256_movemask_ps(bad_) == 0; }
  // The first 8 n values are all quick.
  __attribute__((noinline)) bool in_range(uint32_t n) const {
    __m256 over = _mm256_setzero_ps();
    for (uint32_t i = 0; i < n; ++i)
      over = _mm256_or_ps(over, _mm256_cmp_ps(magnitudes(_mm256_loadu_ps(x_ + 8 * i)),
                                              _mm256_set1_ps(quick_), _CMP_NLT_UQ));
    return _mm256_movemask_ps(over) == 0;
  }

 private:
  const float* x_;
  float quick_;
  __m256 inverse_, step_, bound_, bad_ = _mm256_setzero_ps();
};

// Codes of which it is known that |q| < 2^21.
class Ints {
 public:
  explicit Ints(const int32_t* q) : q_(q) {}
  V next(uint32_t i) { return load(q_ + 8 * i); }
  bool is_kept() const { return true; }
  bool in_range(uint32_t) const { return true; }

 private:
  const int32_t* q_;
};
inline constexpr int32_t kIntsRange = 1 << 21;

// The Quantizer's list, as far as it is written.
struct EscapeSink {
  uint8_t* values;
  uint8_t* indices;
  uint64_t entries, room;
};

// reconstruct() of kernels/quantizer/grid.h: the double product rounded once. Up to 2^24, which
// kSmall promises, the float product is the same.
template <bool kSmall>
inline __m256 reconstructed(V q, const Grid& g) {
  if constexpr (kSmall) {
    return _mm256_mul_ps(_mm256_cvtepi32_ps(q), _mm256_set1_ps(g.step));
  } else {
    const __m256d step = _mm256_set1_pd(g.wide_step);
    const __m128 low =
        _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(q)), step));
    const __m128 high =
        _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_extracti128_si256(q, 1)), step));
    return _mm256_set_m128(high, low);
  }
}

enum class Exactness { all_quick, repaired, impossible };

// n values (a multiple of 8), each by the full rules, escapes listed. Impossible where a code is
// too large for Ints or the list has no room; the entries added then have to be forgotten.
__attribute__((noinline)) inline Exactness quantize_exactly(const float* x, uint32_t n,
                                                            uint32_t index, const Grid& g,
                                                            EscapeSink& list, int32_t* q) {
  const __m256 quick = _mm256_set1_ps(g.quick), inverse = _mm256_set1_ps(g.inverse),
               step = _mm256_set1_ps(g.step), bound = _mm256_set1_ps(g.bound);
  Exactness result = Exactness::all_quick;
  for (uint32_t i = 0; i < n; i += 8) {
    const __m256 f = _mm256_loadu_ps(x + i);
    const V whole = _mm256_cvtps_epi32(_mm256_mul_ps(f, inverse));
    const __m256 error =
        magnitudes(_mm256_sub_ps(f, _mm256_mul_ps(_mm256_cvtepi32_ps(whole), step)));
    const __m256 hit = _mm256_and_ps(_mm256_cmp_ps(error, bound, _CMP_LE_OQ),
                                     _mm256_cmp_ps(magnitudes(f), quick, _CMP_LT_OQ));
    store(q + i, whole);
    for (uint32_t missed = ~static_cast<uint32_t>(_mm256_movemask_ps(hit)) & 255; missed != 0;
         missed &= missed - 1) {
      const uint32_t k = i + static_cast<uint32_t>(__builtin_ctz(missed));
      const FZM_TARGET::Quantized r = FZM_TARGET::quantize(x[k], g);
      result = Exactness::repaired;
      if (r.q >= kIntsRange || r.q <= -kIntsRange) return Exactness::impossible;
      q[k] = static_cast<int32_t>(r.q);
      if (r.kept) continue;
      if (list.entries == list.room) return Exactness::impossible;
      put(list.values + 4 * list.entries, x[k]);
      put(list.indices + 4 * list.entries, index + k);
      ++list.entries;
    }
  }
  return result;
}

}  // namespace
}  // namespace fzm::fast
#endif
