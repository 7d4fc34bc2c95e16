// Quantizer for float and double with one step for all values: modes abs, noa and prel.
#pragma once
#include "kernels/quantizer/escapes.h"
#include "kernels/quantizer/grid.h"
#include "kernels/quantizer/observe.h"

FZM_CODECS_BEGIN

// How q is spelled. linear: signed. plain: zigzag or two's complement, 0 for escapes. inplace: zigzag below 2R, and an
// escape's own bits from there on.
enum class Spelling : uint32_t { linear, plain, inplace };

FZM_HD Spelling spelling_of(const QuantizerParams& p) {
  return p.linear_mode ? Spelling::linear : p.inplace_outliers ? Spelling::inplace : Spelling::plain;
}

template <class T, class CodeType, Spelling kSpelling>
struct UniformQuantizer : EscapeList<T> {
  using Params = QuantizerParams;
  using Facts = QuantizerFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = CodeType;
  using U = Unsigned<CodeType>;
  using S = Signed<CodeType>;
  using Bits = Unsigned<T>;
  using Partial = QuantizerPartial;

  static bool accepts(const Params& p) {
    return p.input_type == kElement<T> && p.code_type == kElement<CodeType> && p.error_bound_mode != QuantizerMode::rel &&
           spelling_of(p) == kSpelling;
  }
  FZM_HD static int64_t limit(const C& c) {
    if constexpr (kSpelling == Spelling::linear) return static_cast<int64_t>(static_cast<U>(~U(0)) >> 1) - 1;
    else return static_cast<int64_t>(c.params.quant_radius) - 1;
  }
  FZM_HD static Grid<T> grid_of(const C& c) {
    return make_grid(tested_bound<T>(c.facts.abs_bound, c.params.power_of_two_bound), c.params.outlier_threshold, limit(c),
                     c.params.linear_high_precision);
  }
  // q in the code's width, spelled; and back.
  FZM_HD static CodeType spelled(S q, bool zigzagged) {
    if constexpr (kSpelling == Spelling::linear) return q;
    else return zigzagged ? zigzag(q) : static_cast<U>(q);
  }
  FZM_HD static S read(CodeType code, bool zigzagged) {
    if constexpr (kSpelling == Spelling::linear) return code;
    else return zigzagged ? unzigzag(code) : static_cast<S>(code);
  }

  // inplace: codes that are an escape's own bits.
  FZM_HD static bool is_raw(CodeType code, Bits radius) {
    if constexpr (kSpelling == Spelling::inplace) return (code >> 1) >= radius;
    else return false;
  }
  FZM_HD static T raw_value(CodeType code) {
    if constexpr (kSpelling == Spelling::inplace) return bit_cast<T>(code);
    else return T(0);
  }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const Grid<T> grid = grid_of(c);
    const bool zigzagged = c.params.zigzag_codes;
    const Bits twice_radius = static_cast<Bits>(2 * c.params.quant_radius);
    Bits* const missed = reinterpret_cast<Bits*>(io.scratch);
    uint32_t escapes = 0;
    for (uint32_t start = 0; start < io.count; start += kQuantizerRun) {
      const uint32_t n = least(kQuantizerRun, io.count - start);
      const T* const x = static_cast<const T*>(io.in) + start;
      CodeType* const codes = static_cast<CodeType*>(io.out) + start;
      g.each(n, [=](uint32_t i) {
        const Quick<T> q = quick(x[i], grid);
        codes[i] = spelled(static_cast<S>(q.whole), zigzagged);
        missed[i] = q.missed;
      });
      if (!g.any(n, [=](uint32_t i) { return missed[i] != 0; })) continue;
      g.each_item(n, [=](uint32_t i) {
        if (missed[i] == 0) return;
        const Quantized q = quantize(x[i], grid);
        bool listed = !q.kept;
        CodeType code = spelled(static_cast<S>(q.q), zigzagged);
        if constexpr (kSpelling == Spelling::plain) code = q.kept ? code : CodeType(0);
        if constexpr (kSpelling == Spelling::inplace) {
          const Bits raw = bit_cast<Bits>(x[i]);
          listed = listed && raw < twice_radius;
          code = q.kept ? code : listed ? Bits(0) : raw;
        }
        codes[i] = code;
        missed[i] = listed ? 1 : 0;
      });
      escapes = append_escapes(g, io, x, io.first + start, n, escapes, [=](uint32_t i) { return missed[i] != 0; });
    }
    return {{escapes * static_cast<uint32_t>(sizeof(T)), escapes * 4}};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    const Grid<T> grid = grid_of(c);
    const bool zigzagged = c.params.zigzag_codes;
    const Bits radius = static_cast<Bits>(c.params.quant_radius);
    for (uint32_t start = 0; start < io.count; start += kQuantizerRun) {
      const uint32_t n = least(kQuantizerRun, io.count - start);
      const CodeType* const codes = static_cast<const CodeType*>(io.in) + start;
      T* const out = static_cast<T*>(io.out) + start;
      const auto put = [=](auto multiply) {
        return [=](uint32_t i) {
          const T value = multiply(read(codes[i], zigzagged));
          out[i] = is_raw(codes[i], radius) ? raw_value(codes[i]) : value;
        };
      };
      if constexpr (sizeof(T) == 8 && sizeof(S) == 8) {
        g.each(n, put([=](S q) { return whole_to_double(q) * grid.step; }));
      } else if constexpr (sizeof(T) == 4 && sizeof(S) == 4) {
        // Up to 2^24 a float product equals the double product rounded once.
        const bool is_wide = g.any(n, [=](uint32_t i) {
          const U beyond = static_cast<U>(static_cast<U>(read(codes[i], zigzagged)) + (U(1) << 24));
          return !is_raw(codes[i], radius) && beyond > (U(1) << 25);
        });
        if (is_wide) g.each(n, put([=](S q) { return static_cast<T>(static_cast<double>(q) * grid.wide_step); }));
        else g.each(n, put([=](S q) { return static_cast<T>(q) * grid.step; }));
      } else {
        g.each(n, put([=](S q) { return static_cast<T>(q) * grid.step; }));
      }
    }
    put_escapes<T>(g, io);
  }

  template <class G>
  FZM_HD static Partial observe(G g, const BlockIo& io, const C&) {
    return observe_span(g, static_cast<const T*>(io.in), io.count);
  }
  FZM_HD static void merge(Partial& into, const Partial& from) { merge_span(into, from); }

 private:
  // Exact for |q| <= 2^51, more than any code of an encoder; in additions, as not every machine converts 64 bits at once.
  FZM_HD static double whole_to_double(int64_t q) {
    constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52
    return bit_cast<double>(bit_cast<uint64_t>(kShift) + static_cast<uint64_t>(q)) - kShift;
  }
};

FZM_CODECS_END
