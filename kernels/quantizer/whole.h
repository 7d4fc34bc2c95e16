// Quantizer for integers: value = q * (2k + 1) with k = floor(bound). Nothing escapes.
#pragma once
#include "kernels/quantizer/grid.h"
#include "kernels/quantizer/observe.h"

FZM_CODECS_BEGIN

// T's grid. The step is odd, so that no value lies half way between two multiples.
template <class T>
struct WholeGrid {
  using U = Unsigned<T>;
  U k, step;
  U most_up, most_down;  // largest |q| whose product is a value of the type, upwards and downwards
};
template <class T>
inline constexpr Unsigned<T> kTop = static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(~Unsigned<T>(0)) >> (kIsSigned<T> ? 1 : 0));

template <class T>
FZM_HD WholeGrid<T> make_whole_grid(double abs_bound) {
  using U = Unsigned<T>;
  // The largest k whose step fits; then q is -1, 0 or 1.
  constexpr U kLargest = static_cast<U>(static_cast<U>(~U(0)) >> 1);
  WholeGrid<T> g;
  g.k = abs_bound >= static_cast<double>(kLargest) ? kLargest : static_cast<U>(abs_bound);
  g.step = static_cast<U>(2 * g.k + 1);
  g.most_up = static_cast<U>(kTop<T> / g.step);
  g.most_down = static_cast<U>(kIsSigned<T> ? static_cast<U>(kTop<T> + 1) / g.step : 0);
  return g;
}

// The multiple nearest to x. In floating point the quotient's error (below x * 2^-22, or 2^-51) is smaller than its
// distance from a half, 1 / (2 * step), so the result is exact up to 32 bits.
template <class T>
FZM_HD Signed<T> whole_quantize(T x, const WholeGrid<T>& g, float narrow, double wide) {
  using U = Unsigned<T>;
  using S = Signed<T>;
  if constexpr (sizeof(T) < 4) {
    return static_cast<S>(nearest(static_cast<float>(x) * narrow).whole);
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<S>(nearest(static_cast<double>(x) * wide).whole);
  } else {
    const bool down = kIsSigned<T> && x < T(0);
    const U m = down ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
    const U quotient = m / g.step;
    const U q = static_cast<U>(quotient + (static_cast<U>(m - quotient * g.step) > g.k ? 1 : 0));
    return static_cast<S>(down ? static_cast<U>(U(0) - q) : q);
  }
}
// q * step, held inside the type's range.
template <class T>
FZM_HD T whole_reconstruct(Signed<T> q, const WholeGrid<T>& g) {
  using U = Unsigned<T>;
  const U m = kIsSigned<T> ? magnitude(q) : static_cast<U>(q);
  const U product = static_cast<U>(m * g.step);
  const U up = m > g.most_up ? kTop<T> : product;
  if constexpr (kIsSigned<T>) {
    const U down = m > g.most_down ? static_cast<U>(kTop<T> + 1) : product;
    return static_cast<T>(q < 0 ? static_cast<U>(U(0) - down) : up);
  } else {
    return up;
  }
}

// Codes: signed (linear), or zigzag or two's complement in the unsigned type of the same width.
template <class T, class CodeType>
struct WholeQuantizer {
  using Params = QuantizerParams;
  using Facts = QuantizerFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = CodeType;
  using S = Signed<T>;
  using Partial = QuantizerPartial;
  static constexpr bool kLinear = kIsSigned<CodeType>;

  static bool accepts(const Params& p) {
    return p.input_type == kElement<T> && p.code_type == kElement<CodeType> && p.linear_mode == kLinear;
  }
  FZM_HD static uint32_t granularity(const C&) { return 1; }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const WholeGrid<T> grid = make_whole_grid<T>(c.facts.abs_bound);
    const float narrow = 1.0f / static_cast<float>(grid.step);
    const double wide = 1.0 / static_cast<double>(grid.step);
    const bool zigzagged = c.params.zigzag_codes;
    const T* const in = static_cast<const T*>(io.in);
    CodeType* const out = static_cast<CodeType*>(io.out);
    g.each(io.count, [=](uint32_t i) {
      const S q = whole_quantize(in[i], grid, narrow, wide);
      if constexpr (kLinear) out[i] = q;
      else out[i] = zigzagged ? zigzag(q) : static_cast<CodeType>(q);
    });
    return {};
  }
  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    const WholeGrid<T> grid = make_whole_grid<T>(c.facts.abs_bound);
    const bool zigzagged = c.params.zigzag_codes;
    const CodeType* const in = static_cast<const CodeType*>(io.in);
    T* const out = static_cast<T*>(io.out);
    g.each(io.count, [=](uint32_t i) {
      S q;
      if constexpr (kLinear) q = in[i];
      else q = zigzagged ? unzigzag(in[i]) : static_cast<S>(in[i]);
      out[i] = whole_reconstruct<T>(q, grid);
    });
  }

  template <class G>
  FZM_HD static Partial observe(G g, const BlockIo& io, const C&) {
    return observe_span(g, static_cast<const T*>(io.in), io.count);
  }
  FZM_HD static void merge(Partial& into, const Partial& from) { merge_span(into, from); }
};

FZM_CODECS_END
