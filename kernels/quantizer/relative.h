// Quantizer for float and double with a pointwise relative bound: values 2^(bin * log_step), mode rel.
#pragma once
#include "kernels/quantizer/escapes.h"
#include "kernels/quantizer/grid.h"
#include "kernels/quantizer/observe.h"

FZM_CODECS_BEGIN

// The three functions below exist in two lengths, enough for float and for double results. Their terms and the order of
// the operations are part of the format.

// 2^y for -1000 <= y <= 1024 (others are held at the ends): the Taylor polynomial around the nearest integer.
template <class T>
FZM_HD double exp2_of(double y) {
  const double held = least(greatest(y, -1000.0), 1024.0);
  const Nearest<double> n = nearest(held);
  const double f = held - n.real;
  double p = 1.5252733804059841e-05;
  if constexpr (sizeof(T) == 8) {
    p = 1.3691488853904128e-12;
    p = p * f + 2.5678435993488206e-11;
    p = p * f + 4.4455382718708116e-10;
    p = p * f + 7.054911620801123e-09;
    p = p * f + 1.01780860092397e-07;
    p = p * f + 1.321548679014431e-06;
    p = p * f + 1.5252733804059841e-05;
  }
  p = p * f + 0.0001540353039338161;
  p = p * f + 0.0013333558146428443;
  p = p * f + 0.009618129107628477;
  p = p * f + 0.05550410866482158;
  p = p * f + 0.24022650695910072;
  p = p * f + 0.6931471805599453;
  p = p * f + 1.0;
  // 2^n as 2 * 2^(n-1), which is a normal number for all n above.
  return p * 2.0 * bit_cast<double>((static_cast<uint64_t>(n.whole) + 1022) << 52);
}

// The sum of s^(2k+1) / (2k+1): the inverse hyperbolic tangent, |s| <= 0.172.
template <class T>
FZM_HD double atanh_of(double s) {
  const double z = s * s;
  double p = 0.1111111111111111;
  if constexpr (sizeof(T) == 8) {
    p = 0.047619047619047616;
    p = p * z + 0.05263157894736842;
    p = p * z + 0.058823529411764705;
    p = p * z + 0.06666666666666667;
    p = p * z + 0.07692307692307693;
    p = p * z + 0.09090909090909091;
    p = p * z + 0.1111111111111111;
  }
  p = p * z + 0.14285714285714285;
  p = p * z + 0.2;
  p = p * z + 0.3333333333333333;
  p = p * z + 1.0;
  return p * s;
}
inline constexpr double kTwoByLn2 = 2.8853900817779268;

// Of positive normal numbers.
template <class T>
FZM_HD double log2_of(double v) {
  constexpr uint64_t kRootHalf = 0x3FE6A09E667F3BCD, kOne = 0x3FF0000000000000;
  constexpr double kTwo52 = 4503599627370496.0;
  // v = m * 2^(e - 1023) with m from sqrt(1/2) to sqrt(2).
  const uint64_t e = (bit_cast<uint64_t>(v) - kRootHalf + kOne) >> 52;
  const double m = bit_cast<double>(bit_cast<uint64_t>(v) - (e << 52) + kOne);
  const double exponent = bit_cast<double>(bit_cast<uint64_t>(kTwo52) | e) - (kTwo52 + 1023.0);
  return atanh_of<T>((m - 1.0) / (m + 1.0)) * kTwoByLn2 + exponent;
}

template <class T>
struct RelativeLimits;
template <>
struct RelativeLimits<float> {
  static constexpr double kSmallestBound = 0x1p-22;  // below, neighbouring bins run into the type's own rounding
  static constexpr double kSlack = 0x1p-23;          // taken off the bound when bins are laid out: rounding to T
  static constexpr uint32_t kSmallest = 0x00800000, kInfinity = 0x7F800000;
};
template <>
struct RelativeLimits<double> {
  static constexpr double kSmallestBound = 0x1p-40;
  static constexpr double kSlack = 0x1p-43;  // rounding of bin * log_step, whose size is up to 1024
  // 2^-960: below, bound * |x| could be denormal, and rounded up.
  static constexpr uint64_t kSmallest = 0x03F0000000000000, kInfinity = 0x7FF0000000000000;
};

// log_step for a bound; 0 where the type is too coarse for it.
template <class T>
FZM_HD double relative_step(double error_bound) {
  if (!(error_bound >= RelativeLimits<T>::kSmallestBound)) return 0;
  const double z = error_bound - RelativeLimits<T>::kSlack;
  return 2.0 * (z < 0.25 ? atanh_of<double>(z / (2.0 + z)) * kTwoByLn2 : log2_of<double>(1.0 + z));
}

template <class T>
struct RelativeGrid {
  double step, inverse;
  double bound;       // a little below the bound asked for, so that rounding in the test can't hide a miss
  T threshold;
  int64_t limit;      // largest |bin|
};

template <class T>
FZM_HD T bin_value(int64_t bin, const RelativeGrid<T>& g) {
  return static_cast<T>(exp2_of<T>(static_cast<double>(bin) * g.step));
}
template <class T>
FZM_HD bool is_near(T magnitude_of_x, T value, const RelativeGrid<T>& g) {
  const double x = static_cast<double>(magnitude_of_x);
  return absolute(x - static_cast<double>(value)) <= g.bound * x;
}

// Codes: 0 escape, 3 and 4 plus and minus zero, else ((|bin| << 2) | (bin < 0 ? 2 : 0) | (x < 0 ? 1 : 0)) + 1.
template <class T, class CodeType>
struct RelativeQuantizer : EscapeList<T> {
  using Params = QuantizerParams;
  using Facts = QuantizerFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = CodeType;
  using Bits = Unsigned<T>;
  using L = RelativeLimits<T>;
  using Partial = QuantizerPartial;
  static constexpr uint32_t kSignBit = 8 * sizeof(T) - 1;
  static constexpr int64_t kLargestBin = sizeof(CodeType) == 8 ? (int64_t{1} << 50) : (int64_t{1} << (8 * sizeof(CodeType) - 2)) - 2;

  static bool accepts(const Params& p) {
    return p.input_type == kElement<T> && p.code_type == kElement<CodeType> && p.error_bound_mode == QuantizerMode::rel;
  }
  FZM_HD static RelativeGrid<T> grid_of(const C& c) {
    return {c.facts.log_step, 1.0 / c.facts.log_step, c.params.error_bound * (1.0 - 0x1p-50),
            rounded_up<T>(c.params.outlier_threshold), kLargestBin};
  }
  // `bin` and `negative` in the width of T, which vectorises.
  FZM_HD static CodeType spelled(uint64_t distance, bool below_one, uint32_t sign) {
    return static_cast<CodeType>((distance << 2 | (below_one ? 2u : 0u) | sign) + 1);
  }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const RelativeGrid<T> grid = grid_of(c);
    Bits* const missed = reinterpret_cast<Bits*>(io.scratch);
    uint32_t escapes = 0;
    for (uint32_t start = 0; start < io.count; start += kQuantizerRun) {
      const uint32_t n = least(kQuantizerRun, io.count - start);
      const T* const x = static_cast<const T*>(io.in) + start;
      CodeType* const codes = static_cast<CodeType*>(io.out) + start;
      g.each(n, [=](uint32_t i) {
        const Bits bits = bit_cast<Bits>(x[i]);
        const uint32_t sign = static_cast<uint32_t>(bits >> kSignBit);
        const T size = absolute(x[i]);
        const bool fits = (bit_cast<Bits>(size) >= L::kSmallest) & (bit_cast<Bits>(size) < L::kInfinity) & (size < grid.threshold);
        const double p = log2_of<T>(fits ? static_cast<double>(size) : 1.0) * grid.inverse;
        const double held = least(greatest(p, -static_cast<double>(kLargestBin)), static_cast<double>(kLargestBin));
        const Nearest<double> bin = nearest(held);
        const bool near = is_near(size, static_cast<T>(exp2_of<T>(bin.real * grid.step)), grid);
        const bool is_zero = bit_cast<Bits>(size) == 0;
        const uint64_t distance = static_cast<uint64_t>(bin.whole < 0 ? -bin.whole : bin.whole);
        codes[i] = spelled(is_zero ? 0 : distance, is_zero | (bin.whole < 0), sign);
        missed[i] = static_cast<Bits>(is_zero | (fits & near) ? 0 : 1);
      });
      if (!g.any(n, [=](uint32_t i) { return missed[i] != 0; })) continue;
      g.each_item(n, [=](uint32_t i) {
        if (missed[i] == 0) return;
        const uint32_t sign = static_cast<uint32_t>(bit_cast<Bits>(x[i]) >> kSignBit);
        const Quantized q = beside(absolute(x[i]), grid);
        codes[i] = q.kept ? spelled(static_cast<uint64_t>(q.q < 0 ? -q.q : q.q), q.q < 0, sign) : CodeType(0);
        missed[i] = q.kept ? 0 : 1;
      });
      escapes = append_escapes(g, io, x, io.first + start, n, escapes, [=](uint32_t i) { return missed[i] != 0; });
    }
    return {{escapes * static_cast<uint32_t>(sizeof(T)), escapes * 4}};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    const double step = c.facts.log_step;
    const CodeType* const in = static_cast<const CodeType*>(io.in);
    T* const out = static_cast<T*>(io.out);
    g.each(io.count, [=](uint32_t i) {
      const CodeType s = static_cast<CodeType>(in[i] - 1);
      const double distance = real_distance(s) * step;
      const T value = static_cast<T>(exp2_of<T>(s & 2 ? -distance : distance));
      const bool is_zero = (in[i] == 0) | ((s >> 1) == 1);
      const Bits sign = static_cast<Bits>(static_cast<Bits>(in[i] == 0 ? 0 : s & 1) << kSignBit);
      out[i] = bit_cast<T>(static_cast<Bits>((is_zero ? Bits(0) : bit_cast<Bits>(value)) | sign));
    });
    put_escapes<T>(g, io);
  }

  template <class G>
  FZM_HD static Partial observe(G g, const BlockIo& io, const C&) {
    return observe_span(g, static_cast<const T*>(io.in), io.count);
  }
  FZM_HD static void merge(Partial& into, const Partial& from) { merge_span(into, from); }

 private:
  // |bin| as a double; bits beyond 2^51, which no encoder writes, are left out.
  FZM_HD static double real_distance(CodeType s) {
    constexpr double kTwo52 = 4503599627370496.0;
    if constexpr (sizeof(CodeType) == 8)
      return bit_cast<double>(bit_cast<uint64_t>(kTwo52) | ((s >> 2) & 0x7FFFFFFFFFFFF)) - kTwo52;
    else return static_cast<double>(static_cast<int32_t>(s >> 2));
  }
  // The second try for a value whose nearest bin misses it: the bin on the value's other side.
  FZM_HD static Quantized beside(T size, const RelativeGrid<T>& g) {
    if (!(bit_cast<Bits>(size) >= L::kSmallest && bit_cast<Bits>(size) < L::kInfinity && size < g.threshold)) return {0, false};
    const double p = log2_of<T>(static_cast<double>(size)) * g.inverse;
    if (!(absolute(p) <= static_cast<double>(g.limit))) return {0, false};
    const int64_t bin = nearest(p).whole;
    const int64_t other = size > bin_value(bin, g) ? bin + 1 : bin - 1;
    if (other < -g.limit || other > g.limit || !is_near(size, bin_value(other, g), g)) return {0, false};
    return {other, true};
  }
};

FZM_CODECS_END
