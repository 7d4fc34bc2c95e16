// Which values a Mask takes out, how a chunk is searched for them, and what stands in their place.
#pragma once
#include "kernels/base/serial_group.h"

namespace fzm {

struct MaskParams {
  bool specials = true;    // NaN, infinities, and huge values that are repeated bit for bit
  bool has_fill = false;
  uint64_t fill_bits = 0;  // the fill value's bits in the element type
};

struct MaskFacts {
  bool present = false;
  uint64_t pattern_a = 0;  // bits of a repeated huge value; 0: none
  // Not on the wire.
  uint64_t pattern_b = 0;  // another one
  uint64_t filler = 0;     // bits of what stands where a block has no ordinary value
};

struct MaskPartial {
  uint64_t count = 0;  // NaN, infinities, fill values
  // Smallest and largest bits among finite |x| >= 1e30, and how often they occur; count 0: there is none.
  uint64_t low = 0, low_count = 0, high = 0, high_count = 0;
  // The first ordinary value.
  uint64_t first_bits = 0;
  uint32_t first = ~uint32_t{0};
};

}  // namespace fzm

FZM_CODECS_BEGIN

// Bits without the sign, from which on a value is huge (1e30), and not finite.
template <class U>
struct FloatEnds {
  static constexpr U kHuge = static_cast<U>(sizeof(U) == 4 ? 0x7149F2CAull : 0x46293E5939A08CEAull);
  static constexpr U kInfinity = static_cast<U>(sizeof(U) == 4 ? 0x7F800000ull : 0x7FF0000000000000ull);
  static constexpr U kQuietNan = static_cast<U>(sizeof(U) == 4 ? 0x7FC00000ull : 0x7FF8000000000000ull);
};

template <class T>
struct SpecialSearch {
  using U = Unsigned<T>;
  using Ends = FloatEnds<U>;
  bool specials, has_fill;
  U fill;

  FZM_HD static SpecialSearch of(const MaskParams& p) {
    return {kIsFloat<T> && p.specials, p.has_fill, static_cast<U>(p.fill_bits)};
  }
  FZM_HD static U size(U bits) { return static_cast<U>(bits & (~U(0) >> 1)); }
  FZM_HD bool is_fill(U bits) const { return has_fill & (bits == fill); }
  FZM_HD bool is_counted(U bits) const {
    if constexpr (kIsFloat<T>) return (specials & (size(bits) >= Ends::kInfinity)) | is_fill(bits);
    else return is_fill(bits);
  }
  FZM_HD bool is_huge(U bits) const {
    if constexpr (kIsFloat<T>)
      return specials & (size(bits) >= Ends::kHuge) & (size(bits) < Ends::kInfinity) & !is_fill(bits);
    else return false;
  }
  FZM_HD bool is_ordinary(U bits) const {
    if constexpr (kIsFloat<T>) return (size(bits) < Ends::kHuge) & !is_fill(bits);
    else return !is_fill(bits);
  }
};

template <class T, class G>
FZM_HD MaskPartial search_block(G g, const T* in, uint32_t first, uint32_t n, const SpecialSearch<T> search) {
  using U = Unsigned<T>;
  MaskPartial p;
  const auto bits = [=](uint32_t i) { return bit_cast<U>(in[i]); };
  if (n == 0) return p;
  if (!g.any(n, [=](uint32_t i) { return !search.is_ordinary(bits(i)); })) {
    p.first = first;
    p.first_bits = bits(0);
    return p;
  }
  const auto sum = [](uint32_t a, uint32_t b) { return a + b; };
  p.count = g.template reduce<uint32_t>(n, 0, [=](uint32_t i) { return search.is_counted(bits(i)) ? 1u : 0u; }, sum);
  const uint32_t at = g.template reduce<uint32_t>(
      n, n, [=](uint32_t i) { return search.is_ordinary(bits(i)) ? i : n; }, [](uint32_t a, uint32_t b) { return least(a, b); });
  if (at < n) {
    p.first = first + at;
    p.first_bits = bits(at);
  }
  if (!g.any(n, [=](uint32_t i) { return search.is_huge(bits(i)); })) return p;
  const U low = g.template reduce<U>(
      n, static_cast<U>(~U(0)), [=](uint32_t i) { return search.is_huge(bits(i)) ? bits(i) : static_cast<U>(~U(0)); },
      [](U a, U b) { return least(a, b); });
  const U high = g.template reduce<U>(
      n, U(0), [=](uint32_t i) { return search.is_huge(bits(i)) ? bits(i) : U(0); }, [](U a, U b) { return greatest(a, b); });
  p.low = low;
  p.high = high;
  p.low_count = g.template reduce<uint32_t>(n, 0, [=](uint32_t i) { return bits(i) == low ? 1u : 0u; }, sum);
  p.high_count = g.template reduce<uint32_t>(n, 0, [=](uint32_t i) { return bits(i) == high ? 1u : 0u; }, sum);
  return p;
}

FZM_HD void merge_search(MaskPartial& into, const MaskPartial& from) {
  into.count += from.count;
  if (from.first < into.first) {
    into.first = from.first;
    into.first_bits = from.first_bits;
  }
  if (from.low_count == 0) return;
  if (into.low_count == 0 || from.low < into.low) {
    into.low = from.low;
    into.low_count = 0;
  }
  if (from.low == into.low) into.low_count += from.low_count;
  if (into.high_count == 0 || from.high > into.high) {
    into.high = from.high;
    into.high_count = 0;
  }
  if (from.high == into.high) into.high_count += from.high_count;
}

FZM_HD MaskFacts facts_of_search(const MaskPartial& seen) {
  MaskFacts f;
  // Where everything is huge, huge is ordinary.
  const bool has_ordinary = seen.first != ~uint32_t{0};
  if (has_ordinary && seen.low_count >= 2) f.pattern_a = seen.low;
  if (has_ordinary && seen.high_count >= 2 && seen.high != seen.low) (f.pattern_a ? f.pattern_b : f.pattern_a) = seen.high;
  f.present = seen.count != 0 || f.pattern_a != 0;
  f.filler = has_ordinary ? seen.first_bits : seen.low_count != 0 ? seen.low : 0;
  if (!f.present) f = {};
  return f;
}

// Whether a value is taken out, once the facts are known.
template <class T>
struct SpecialTest {
  using U = Unsigned<T>;
  using Ends = FloatEnds<U>;
  U from;        // sizes from here on are special
  U fill, a, b;  // and these patterns
  U before;      // the pattern that the first special value of a block is compared with

  FZM_HD static SpecialTest of(const MaskParams& p, const MaskFacts& f) {
    SpecialTest t;
    const bool specials = kIsFloat<T> && p.specials;
    // A pattern that is special anyway stands for one that isn't there.
    const U any = p.has_fill ? static_cast<U>(p.fill_bits) : Ends::kQuietNan;
    t.from = specials ? Ends::kInfinity : static_cast<U>(~U(0));
    t.fill = any;
    t.a = specials && f.pattern_a ? static_cast<U>(f.pattern_a) : any;
    t.b = specials && f.pattern_b ? static_cast<U>(f.pattern_b) : any;
    t.before = p.has_fill ? any : t.a;
    return t;
  }
  FZM_HD bool operator()(T v) const {
    const U bits = bit_cast<U>(v);
    const bool named = (bits == fill) | (bits == a) | (bits == b);
    if constexpr (kIsFloat<T>) return named | (static_cast<U>(bits & (~U(0) >> 1)) >= from);
    else return named;
  }
};

FZM_CODECS_END
