// The smallest and the largest finite value of a block.
#pragma once
#include "kernels/base/serial_group.h"
#include "kernels/quantizer/params.h"

FZM_CODECS_BEGIN

// A signed number in the order of the values; only that of finite ones is asked for.
template <class T>
FZM_HD Signed<T> signed_key(T v) {
  using U = Unsigned<T>;
  using S = Signed<T>;
  const U bits = bit_cast<U>(v);
  const U sign = U(1) << (8 * sizeof(T) - 1);
  // Negative: all bits but the sign turn over.
  if constexpr (kIsFloat<T>) return static_cast<S>(bits ^ static_cast<U>(static_cast<U>(U(0) - (bits >> (8 * sizeof(T) - 1))) >> 1));
  else if constexpr (kIsSigned<T>) return v;
  else return static_cast<S>(static_cast<U>(bits ^ sign));
}
// The same order in unsigned numbers.
template <class T>
FZM_HD uint64_t ordered_key(Signed<T> key) {
  using U = Unsigned<T>;
  return static_cast<U>(static_cast<U>(key) ^ (U(1) << (8 * sizeof(T) - 1)));
}
template <class T>
FZM_HD T value_of_key(uint64_t ordered) {
  using U = Unsigned<T>;
  const U sign = U(1) << (8 * sizeof(T) - 1);
  U bits = static_cast<U>(static_cast<U>(ordered) ^ sign);
  if constexpr (kIsFloat<T>) bits = bits & sign ? static_cast<U>(bits ^ (sign - 1)) : bits;
  else if constexpr (!kIsSigned<T>) bits = static_cast<U>(ordered);
  return bit_cast<T>(bits);
}

// The key of a finite value, else `other`. Arithmetic, since a branch here is joined with that of the reduction and then
// nothing vectorises.
template <class T>
FZM_HD Signed<T> finite_key(T v, Signed<T> other) {
  if constexpr (kIsFloat<T>) {
    using U = Unsigned<T>;
    const U infinity = static_cast<U>(sizeof(T) == 4 ? 0x7F800000ull : 0x7FF0000000000000ull);
    const U size = static_cast<U>(bit_cast<U>(v) & (~U(0) >> 1));
    const U is_odd = static_cast<U>(U(0) - ((infinity - 1 - size) >> (8 * sizeof(T) - 1)));
    return static_cast<Signed<T>>((static_cast<U>(signed_key(v)) & ~is_odd) | (static_cast<U>(other) & is_odd));
  } else {
    return signed_key(v);
  }
}

// Keys of the smallest and the largest of key(i). Two loops: one reduction each, so that both vectorise.
template <class S, class G, class L, class H>
FZM_HD QuantizerPartial span_of_keys(G g, uint32_t n, L low_key, H high_key, S& lowest, S& highest) {
  using U = Unsigned<S>;
  const S top = static_cast<S>(static_cast<U>(~U(0)) >> 1);
  const S bottom = static_cast<S>(-top - 1);
  lowest = g.reduce(n, top, low_key, [](S a, S b) { return b < a ? b : a; });
  highest = g.reduce(n, bottom, high_key, [](S a, S b) { return a < b ? b : a; });
  if (lowest > highest) return {};
  return {ordered_key<S>(lowest), ordered_key<S>(highest)};
}

template <class T, class G>
FZM_HD QuantizerPartial observe_span(G g, const T* in, uint32_t n) {
  using S = Signed<T>;
  S lowest, highest;
  const auto key = [=](uint32_t i) { return signed_key(in[i]); };
  const QuantizerPartial all = span_of_keys<S>(g, n, key, key, lowest, highest);
  if constexpr (kIsFloat<T>) {
    // Infinities and NaN have the outermost keys; most blocks have none.
    const S infinity = static_cast<S>(sizeof(T) == 4 ? 0x7F800000ull : 0x7FF0000000000000ull);
    if (n == 0 || (highest < infinity && lowest > static_cast<S>(~infinity))) return all;
    const S top = static_cast<S>(static_cast<Unsigned<T>>(~Unsigned<T>(0)) >> 1);
    const S bottom = static_cast<S>(-top - 1);
    return span_of_keys<S>(g, n, [=](uint32_t i) { return finite_key(in[i], top); },
                           [=](uint32_t i) { return finite_key(in[i], bottom); }, lowest, highest);
  }
  return all;
}

FZM_HD void merge_span(QuantizerPartial& into, const QuantizerPartial& from) {
  into.lowest = least(into.lowest, from.lowest);
  into.highest = greatest(into.highest, from.highest);
}

FZM_CODECS_END
