// The grid of a float or double quantizer, and the decision on one value. Normative: every faster path must give the
// results of quantize() and reconstruct() bit for bit.
#pragma once
#include "kernels/base/bits.h"

FZM_CODECS_BEGIN

template <class T>
struct GridLimits;
template <>
struct GridLimits<float> {
  static constexpr uint32_t kSignificand = 23;
  static constexpr uint32_t kSmallestNormal = 0x00800000;
  static constexpr uint32_t kLargestBound = 0x7D800000;  // 2^124: the step and its inverse are normal numbers
  // Below this |p| one float product, inverse and reconstruction together are off by less than 0.375.
  static constexpr int64_t kNarrow = int64_t{1} << 21;
  // From here on neighbouring floats are further apart than half a step: a value is on the grid or escapes.
  static constexpr int64_t kExact = int64_t{1} << 23;
};
template <>
struct GridLimits<double> {
  static constexpr uint32_t kSignificand = 52;
  static constexpr uint64_t kSmallestNormal = 0x0010000000000000;
  static constexpr uint64_t kLargestBound = 0x7FB0000000000000;  // 2^1020
  static constexpr int64_t kNarrow = int64_t{1} << 50;
  static constexpr int64_t kExact = kNarrow;
};

template <class T>
FZM_HD T absolute(T v) {
  using U = Unsigned<T>;
  return bit_cast<T>(static_cast<U>(bit_cast<U>(v) & (~U(0) >> 1)));
}

// p to the nearest integer, halves to even; |p| < 2^(significand bits - 1).
template <class T>
struct Nearest {
  Signed<T> whole;
  T real;
};
template <class T>
FZM_HD Nearest<T> nearest(T p) {
  using U = Unsigned<T>;
  constexpr T kShift = T(3) * static_cast<T>(uint64_t{1} << (GridLimits<T>::kSignificand - 1));
  const T shifted = p + kShift;
  return {static_cast<Signed<T>>(static_cast<U>(bit_cast<U>(shifted) - bit_cast<U>(kShift))), shifted - kShift};
}

// Positive numbers only.
template <class T>
FZM_HD T rounded_down(double v) {
  const T t = static_cast<T>(v);
  return static_cast<double>(t) > v ? bit_cast<T>(static_cast<Unsigned<T>>(bit_cast<Unsigned<T>>(t) - 1)) : t;
}
template <class T>
FZM_HD T rounded_up(double v) {
  const T t = static_cast<T>(v);
  return static_cast<double>(t) < v ? bit_cast<T>(static_cast<Unsigned<T>>(bit_cast<Unsigned<T>>(t) + 1)) : t;
}

FZM_HD double power_of_two_below(double v) { return bit_cast<double>(bit_cast<uint64_t>(v) & 0x7FF0000000000000ull); }

// The bound that the test fl(|x - x'|) <= bound in T compares with. It lies one number below abs_bound, since
// fl may round down; a power of two needs no such margin, because then x' and x - x' are exact.
// A bound that is not a normal number of T comes back as 0: too small to be used.
template <class T>
FZM_HD T tested_bound(double abs_bound, bool power_of_two) {
  using U = Unsigned<T>;
  using L = GridLimits<T>;
  const T largest = bit_cast<T>(static_cast<U>(L::kLargestBound));
  const T smallest = bit_cast<T>(static_cast<U>(L::kSmallestNormal));
  if (abs_bound >= static_cast<double>(largest)) return largest;
  if (!(abs_bound > static_cast<double>(smallest))) return 0;
  T t = rounded_down<T>(abs_bound);
  if (!power_of_two) t = bit_cast<T>(static_cast<U>(bit_cast<U>(t) - 1));
  return t < smallest ? T(0) : t;
}

template <class T>
struct Grid {
  T bound;               // tested_bound()
  T step, inverse;       // 2 * bound (exact), fl(1 / step)
  double wide_step, wide_inverse;  // the same in double
  T threshold;           // |x| from here on escapes
  T quick;               // |x| below may take quick()
  int64_t limit;         // largest |q| of the code
  bool narrow;           // small |p| are rounded in T
};

// `limit` is the largest |q| that the code can hold.
template <class T>
FZM_HD Grid<T> make_grid(T bound, double threshold, int64_t limit, bool high_precision) {
  Grid<T> g;
  g.bound = bound;
  g.step = bound + bound;
  g.inverse = T(1) / g.step;
  g.wide_step = static_cast<double>(g.step);
  g.wide_inverse = 1.0 / g.wide_step;
  g.threshold = rounded_up<T>(threshold);
  g.narrow = sizeof(T) == 8 || !high_precision;
  g.limit = sizeof(T) == 8 ? least(limit, GridLimits<T>::kNarrow - 1) : limit;
  const double reach = static_cast<double>(least(g.limit, GridLimits<T>::kNarrow - 1)) * g.wide_step;
  g.quick = g.narrow ? least(g.threshold, rounded_down<T>(reach)) : T(0);
  return g;
}

template <class T>
FZM_HD T reconstruct(int64_t q, const Grid<T>& g) {
  return static_cast<T>(static_cast<double>(q) * g.wide_step);
}

// The nearest q, true; or 0, false where there is none that the code can hold.
struct Rounded {
  int64_t q;
  bool in_range;
};
template <class T>
FZM_HD Rounded nearest_code(T x, const Grid<T>& g) {
  const T p = x * g.inverse;
  int64_t q = 0;
  if (g.narrow && absolute(p) < static_cast<T>(GridLimits<T>::kNarrow)) {
    q = nearest(p).whole;
  } else {
    const double w = static_cast<double>(x) * g.wide_inverse;
    if (sizeof(T) == 8 || !(absolute(w) < static_cast<double>(GridLimits<double>::kNarrow))) return {0, false};
    q = nearest(w).whole;
  }
  return q >= -g.limit && q <= g.limit ? Rounded{q, true} : Rounded{0, false};
}

template <class T>
FZM_HD bool is_near(T x, int64_t q, const Grid<T>& g) {
  const T allowed = q < GridLimits<T>::kExact && q > -GridLimits<T>::kExact ? g.bound : T(0);
  return absolute(x - reconstruct(q, g)) <= allowed;
}

// `kept`: q stands for x. Otherwise x escapes, and q is its nearest code where that is in range, else 0.
struct Quantized {
  int64_t q;
  bool kept;
};
template <class T>
FZM_HD Quantized quantize(T x, const Grid<T>& g) {
  const Rounded r = nearest_code(x, g);
  if (!r.in_range || !(absolute(x) < g.threshold)) return {r.q, false};
  if (is_near(x, r.q, g)) return {r.q, true};
  const int64_t beside = x > reconstruct(r.q, g) ? r.q + 1 : r.q - 1;
  if (beside >= -g.limit && beside <= g.limit && is_near(x, beside, g)) return {beside, true};
  return {r.q, false};
}

// The common case without a branch: where missed is 0, whole is quantize()'s q and x is kept. (Members of one width: a
// bool among them keeps compilers from vectorising.)
template <class T>
struct Quick {
  Signed<T> whole;
  Unsigned<T> missed;
};
template <class T>
FZM_HD Quick<T> quick(T x, const Grid<T>& g) {
  const Nearest<T> q = nearest(x * g.inverse);
  const bool hit = (absolute(x) < g.quick) & (absolute(x - q.real * g.step) <= g.bound);
  return {q.whole, static_cast<Unsigned<T>>(hit ? 0 : 1)};
}

FZM_CODECS_END
