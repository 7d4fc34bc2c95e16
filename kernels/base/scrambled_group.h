// SerialGroup's verbs in a hostile order: where a codec's bytes differ between the two, it leans on an order that a
// CUDA block doesn't keep. Pure functions are called twice, unspecified bytes are filled with garbage, and a verb
// inside a verb stops the program. For tests, on the CPU.
#pragma once
#include "kernels/base/serial_group.h"

FZM_CODECS_BEGIN

struct ScrambledGroup {
  uint32_t* fault_word = nullptr;

  template <class F>
  void each(uint32_t n, F f) const {
    const Inside verb;
    scrambled(n, f);
  }
  template <class F>
  void each_item(uint32_t n, F f) const { each(n, f); }

  // A tree, as in a block: folds of a few, then a fold of the folds, from both ends.
  template <class T, class V, class Op>
  T reduce(uint32_t n, T start, V value, Op op) const {
    const Inside verb;
    constexpr uint32_t kWays = 5;
    T part[kWays];
    for (uint32_t w = 0; w < kWays; ++w) part[w] = start;
    scrambled(n, [&](uint32_t i) { part[i % kWays] = op(value(i), part[i % kWays]); });
    T sum = start;
    for (uint32_t w = kWays; w-- > 0;) sum = op(part[w], sum);
    return sum;
  }
  template <class P>
  bool any(uint32_t n, P predicate) const {
    const Inside verb;
    bool hit = false;
    scrambled(n, [&](uint32_t i) { hit = predicate(i) || hit; });
    return hit;
  }
  template <class T, class V, class E>
  T offsets(uint32_t n, V value, E emit) const {
    const Inside verb;
    T total = 0;
    scrambled(n, [&](uint32_t i) { total = static_cast<T>(total + value(i)); });
    T before = total;
    for (uint32_t i = n; i-- > 0;) {
      before = static_cast<T>(before - value(i));
      emit(i, before);
    }
    return total;
  }
  template <class U>
  void prefix_sums(U* a, uint32_t n, uint32_t segment) const {
    const Inside verb;
    scrambled(ceil_div(n, segment), [=](uint32_t s) {
      const uint32_t first = s * segment, end = segment < n - first ? first + segment : n;
      U sum = 0;
      for (uint32_t i = first; i < end; ++i) sum = static_cast<U>(sum + a[i]);
      for (uint32_t i = end; i-- > first;) {
        const U own = a[i];
        a[i] = sum;
        sum = static_cast<U>(sum - own);
      }
    });
  }
  template <class K, class P>
  uint32_t compact(uint32_t n, K keep, P put) const {
    const Inside verb;
    uint32_t kept = 0;
    scrambled(n, [&](uint32_t i) { kept += keep(i) ? 1u : 0u; });
    uint32_t rank = kept;
    for (uint32_t i = n; i-- > 0;)
      if (keep(i)) put(i, --rank);
    return kept;
  }
  template <class P>
  void bitmap(uint32_t n, P predicate, uint8_t* out) const {
    const Inside verb;
    scrambled(ceil_div(n, 8), [=](uint32_t b) {
      uint32_t byte = 0;
      for (uint32_t j = 8; j-- > 0;)
        if (8 * b + j < n && predicate(8 * b + j)) byte |= 1u << j;
      out[b] = static_cast<uint8_t>(byte);
    });
  }
  void copy(uint8_t* to, const uint8_t* from, uint32_t bytes) const {
    const Inside verb;
    scrambled(bytes, [=](uint32_t i) { to[i] = from[i]; });
  }
  void clear(uint8_t* to, uint32_t bytes) const {
    const Inside verb;
    scrambled(bytes, [=](uint32_t i) { to[i] = 0; });
  }

  template <class U, class J>
  void planes(const U* v, uint32_t jobs, J job, uint8_t* out) const {
    const Inside verb;
    scrambled(jobs, [=](uint32_t i) {
      const PlaneJob o = job(i);
      const uint32_t stride = ceil_div(o.values, 8);
      scrambled(o.planes * stride, [=](uint32_t at) {
        uint32_t byte = 0;
        for (uint32_t j = 0; j < 8; ++j) {
          const uint32_t k = 8 * (at % stride) + j;
          if (k < o.values) byte |= static_cast<uint32_t>((v[o.first + k] >> (at / stride)) & 1) << j;
        }
        out[o.at + at] = static_cast<uint8_t>(byte);
      });
    });
  }
  template <class U, class J>
  void unplanes(const uint8_t* in, uint32_t jobs, J job, U* v) const {
    const Inside verb;
    // First the values nobody may count on, so that they can't hide a neighbour's.
    scrambled(jobs, [=](uint32_t i) {
      const PlaneJob o = job(i);
      for (uint32_t k = o.values; k % 8 != 0; ++k) v[o.first + k] = static_cast<U>(garbage(k));
    });
    scrambled(jobs, [=](uint32_t i) {
      const PlaneJob o = job(i);
      const uint32_t stride = ceil_div(o.values, 8);
      scrambled(o.values, [=](uint32_t k) {
        U value = 0;
        for (uint32_t p = 0; p < o.planes; ++p)
          value = static_cast<U>(value | static_cast<U>(static_cast<U>((in[o.at + p * stride + k / 8] >> (k % 8)) & 1) << p));
        v[o.first + k] = value;
      });
    });
  }

  void fault(Fault f) const {
    if (fault_word) *fault_word |= 1u << static_cast<uint32_t>(f);
  }
  void fault_if(bool wrong, Fault f) const {
    if (wrong) fault(f);
  }
  void sync() const { const Inside verb; }
  template <class F>
  void once(F f) const {
    const Inside verb;
    f();
  }

  template <class T, class V, class Op, class E>
  void fold_segments(uint32_t n, uint32_t segment, T start, V value, Op op, E emit) const {
    const Inside verb;
    scrambled(ceil_div(n, segment), [=](uint32_t s) {
      const uint32_t first = s * segment, live = segment < n - first ? segment : n - first;
      T sum = start;
      scrambled(live, [&](uint32_t i) { sum = op(value(first + i), sum); });
      emit(s, sum);
    });
  }
  template <class U>
  void keep(const uint8_t* in, uint32_t n, const uint8_t* bits, uint8_t* out) const {
    const Inside verb;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; ++i) rank += bit_of(bits, i);
    constexpr uint32_t kBeyond = sizeof(U) == 8 ? 64 : 32;  // bytes that a fast version may write
    for (uint32_t k = 0; k < kBeyond; ++k) out[rank * sizeof(U) + k] = static_cast<uint8_t>(garbage(k));
    for (uint32_t i = n; i-- > 0;)
      if (bit_of(bits, i)) store_le(out + --rank * sizeof(U), load_le<U>(in + i * sizeof(U)));
  }
  template <class U>
  void spread(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) const {
    const Inside verb;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; ++i) rank += bit_of(bits, i);
    for (uint32_t i = n; i-- > 0;)
      store_le(out + i * sizeof(U), bit_of(bits, i) ? load_le<U>(in + --rank * sizeof(U)) : U(0));
  }
  template <class U>
  void repeat(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) const {
    const Inside verb;
    uint32_t upto = 0;
    for (uint32_t i = 0; i < n; ++i) upto += bit_of(bits, i);
    for (uint32_t i = n; i-- > 0; upto -= bit_of(bits, i)) store_le(out + i * sizeof(U), load_le<U>(in + upto * sizeof(U) - sizeof(U)));
  }
  template <class U>
  void pack_bits(const U* v, uint32_t n, uint32_t width, uint8_t* out) const {
    const Inside verb;
    scrambled((n * width + 7) / 8, [=](uint32_t b) {
      uint32_t byte = 0;
      for (uint32_t at = 8 * b; at < 8 * b + 8 && at < n * width; ++at)
        byte |= static_cast<uint32_t>(v[at / width] >> (at % width) & 1) << (at % 8);
      out[b] = static_cast<uint8_t>(byte);
    });
  }
  template <class U>
  void unpack_bits(const uint8_t* in, uint32_t n, uint32_t width, U* v) const {
    const Inside verb;
    scrambled(n, [=](uint32_t i) {
      U value = 0;
      for (uint32_t j = 0; j < width; ++j) value = static_cast<U>(value | static_cast<U>(static_cast<U>(bit_of(in, i * width + j)) << j));
      v[i] = value;
    });
  }
  template <class U, bool LastFirst>
  void shuffle_bits(const uint8_t* in, uint32_t values, uint8_t* out) const {
    const Inside verb;
    scrambled(sizeof(U) * values, [=](uint32_t b) {
      const uint32_t plane = b / (values / 8), first = b % (values / 8) * 8;
      uint32_t byte = 0;
      for (uint32_t j = 0; j < 8; ++j)
        byte |= static_cast<uint32_t>(load_le<U>(in + value_at<U, LastFirst>(first + j) * sizeof(U)) >> (8 * sizeof(U) - 1 - plane) & 1) << j;
      out[b] = static_cast<uint8_t>(byte);
    });
  }
  template <class U, bool LastFirst>
  void unshuffle_bits(const uint8_t* in, uint32_t values, uint8_t* out) const {
    const Inside verb;
    scrambled(values, [=](uint32_t at) {
      U value = 0;
      for (uint32_t plane = 0; plane < 8 * sizeof(U); ++plane)
        value = static_cast<U>(value << 1 | static_cast<U>(bit_of(in + plane * (values / 8), at)));
      store_le(out + value_at<U, LastFirst>(at) * sizeof(U), value);
    });
  }

 private:
  static uint32_t bit_of(const uint8_t* bits, uint32_t i) { return bits[i / 8] >> (i % 8) & 1; }
  // Whose bit stands at place `at` of a plane.
  template <class U, bool LastFirst>
  static uint32_t value_at(uint32_t at) {
    constexpr uint32_t kWord = sizeof(U) == 8 ? 64 : 32;
    return LastFirst ? at / kWord * kWord + (kWord - 1 - at % kWord) : at;
  }
  // Stops a program that calls a verb inside a verb: in a block some workers would wait for ever.
  struct Inside {
    Inside() {
      if (depth++ != 0) __builtin_trap();
    }
    ~Inside() { --depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    static inline thread_local uint32_t depth = 0;
  };

  // Every index once: backwards in strides near the golden ratio of n, which puts neighbours far apart.
  template <class F>
  static void scrambled(uint32_t n, F f) {
    if (n == 0) return;
    const uint32_t stride = coprime_to(n);
    uint32_t i = n - 1;
    for (uint32_t k = 0; k < n; ++k) {
      f(i);
      i = i < stride ? i + (n - stride) : i - stride;
    }
  }
  static uint32_t coprime_to(uint32_t n) {
    for (uint32_t s = static_cast<uint32_t>(static_cast<uint64_t>(n) * 618 / 1000) + 1;; ++s) {
      uint32_t a = s, b = n;
      while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
      }
      if (a == 1) return n == 1 ? 0 : s % n;
    }
  }
  static uint64_t garbage(uint32_t i) { return 0x9E3779B97F4A7C15ull * (i + 1); }
};

FZM_CODECS_END
