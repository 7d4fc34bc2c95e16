// The verbs codecs are written in, for one CPU thread. A Group is whoever works on one block. Every verb ends
// with the whole group agreeing on memory, and every value a verb returns is the same for all workers;
// code between verbs must not depend on which worker runs it.
//
// Verbs work on whole arrays of the block, so that on the CPU each is one vectorisable loop.
// ScrambledGroup (tests) and CtaGroup (CUDA) have the same members with the same results.
#pragma once
#include "kernels/base/bits.h"
#include "kernels/base/codec.h"
#include "kernels/base/pack_bits.h"
#include "kernels/base/pick.h"
#include "kernels/base/planes.h"

FZM_CODECS_BEGIN

// `planes` bits of `values` consecutive numbers, from bit `lowest` up; one plane is ceil(values/8) bytes.
struct PlaneJob {
  uint32_t first;   // index of the job's first value
  uint32_t values;
  uint32_t planes;  // may be 0
  uint32_t at;      // byte offset of the first plane
};

// f(first, end) for every `segment` of n values; the last one may be shorter. In 64 bits, since a chunk of bytes may end at 2^32.
template <class F>
void for_segments(uint32_t n, uint32_t segment, F f) {
  for (uint64_t first = 0; first < n; first += segment) {
    const uint64_t end = first + segment;
    f(static_cast<uint32_t>(first), end < n ? static_cast<uint32_t>(end) : n);
  }
}

struct SerialGroup {
  uint32_t* fault_word = nullptr;  // the first fault of the run: OR of 1 << Fault

  // f(i) for i < n, in any order; iterations are independent.
  template <class F>
  void each(uint32_t n, F f) const {
    FZM_IVDEP
    for (uint32_t i = 0; i < n; ++i) f(i);
  }
  // Like each, where an iteration is long or branches; a hint only.
  template <class F>
  void each_item(uint32_t n, F f) const {
    for (uint32_t i = 0; i < n; ++i) f(i);
  }
  // Fold of value(i); op is associative and commutative, `start` its neutral element.
  template <class T, class V, class Op>
  T reduce(uint32_t n, T start, V value, Op op) const {
    T sum = start;
    for (uint32_t i = 0; i < n; ++i) sum = op(sum, value(i));
    return sum;
  }
  template <class P>
  bool any(uint32_t n, P predicate) const {
    uint32_t hit = 0;
    for (uint32_t i = 0; i < n; ++i) hit |= static_cast<uint32_t>(predicate(i));
    return hit != 0;
  }
  // emit(i, value(0) + ... + value(i-1)), modulo 2^(bits of T); returns the total.
  template <class T, class V, class E>
  T offsets(uint32_t n, V value, E emit) const {
    T sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
      const T v = value(i);
      emit(i, sum);
      sum = static_cast<T>(sum + v);
    }
    return sum;
  }
  // In-place inclusive sums, restarting at every multiple of `segment`. U is unsigned, sums wrap.
  template <class U>
  void prefix_sums(U* a, uint32_t n, uint32_t segment) const {
    for_segments(n, segment, [=](uint32_t first, uint32_t end) {
      U sum = 0;
      for (uint32_t i = first; i < end; ++i) a[i] = sum = static_cast<U>(sum + a[i]);
    });
  }
  // put(i, rank) for every i with keep(i), rank counting the kept ones before i; returns how many were kept.
  template <class K, class P>
  uint32_t compact(uint32_t n, K keep, P put) const {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; ++i)
      if (keep(i)) put(i, rank++);
    return rank;
  }
  // Bit j of byte b = predicate(8b + j); bits beyond n are 0. Writes ceil(n/8) bytes.
  template <class P>
  void bitmap(uint32_t n, P predicate, uint8_t* out) const {
    uint32_t first = 0;
    for (; n - first >= 32; first += 32) {
      // Two steps, because a loop that shifts bits into one word does not vectorise; nor does one whose index might
      // wrap, which the mask rules out.
      const uint32_t from = first & 0x7FFFFFFF;
      uint8_t top[32];
      FZM_IVDEP
      for (uint32_t j = 0; j < 32; ++j) top[j] = predicate(from + j) ? 0x80 : 0;
      store_le(out + first / 8, top_bits(top));
    }
    for (uint32_t k = 0, rest = n - first; k < rest; k += 8) {
      uint32_t byte = 0;
      for (uint32_t j = 0; j < 8 && k + j < rest; ++j) byte |= static_cast<uint32_t>(predicate(first + k + j)) << j;
      out[first / 8 + k / 8] = static_cast<uint8_t>(byte);
    }
  }
  void copy(uint8_t* to, const uint8_t* from, uint32_t bytes) const { __builtin_memcpy(to, from, bytes); }
  void clear(uint8_t* to, uint32_t bytes) const { __builtin_memset(to, 0, bytes); }

  // Bit planes, lowest first: byte k of plane p of a job, bit j = bit p of its value 8k + j (0 where there is none).
  // job(i) -> PlaneJob. v is readable up to the next multiple of 8 values.
  template <class U, class J>
  void planes(const U* v, uint32_t jobs, J job, uint8_t* out) const {
    for (uint32_t i = 0; i < jobs; ++i) {
      const PlaneJob o = job(i);
      write_planes(v + o.first, o.values, o.planes, out + o.at);
    }
  }
  // The inverse: every value of a job is rebuilt from its planes (higher bits 0). v is writable up to the next
  // multiple of 8 values.
  template <class U, class J>
  void unplanes(const uint8_t* in, uint32_t jobs, J job, U* v) const {
    for (uint32_t i = 0; i < jobs; ++i) {
      const PlaneJob o = job(i);
      read_planes(in + o.at, o.values, o.planes, v + o.first);
    }
  }

  void fault(Fault f) const {
    if (fault_word) *fault_word |= 1u << static_cast<uint32_t>(f);
  }
  void fault_if(bool wrong, Fault f) const {
    if (wrong) fault(f);
  }
  // Makes what was written visible to all workers; only needed between plain code and verbs.
  void sync() const {}
  // Runs f on one worker only.
  template <class F>
  void once(F f) const { f(); }

  // emit(s, fold of value(i) over the s-th `segment` values) for each of ceil(n/segment) segments; op as in reduce.
  template <class T, class V, class Op, class E>
  void fold_segments(uint32_t n, uint32_t segment, T start, V value, Op op, E emit) const {
    uint32_t s = 0;
    for_segments(n, segment, [&](uint32_t first, uint32_t end) {
      T sum = start;
      for (uint32_t i = first; i < end; ++i) sum = op(sum, value(i));
      emit(s++, sum);
    });
  }
  // Picking by a bitmap. Arrays are bytes of values U, unaligned; bit i of `bits` (i < n) says whether value i is kept.
  // keep: the kept ones of in[0..n), side by side; may write 32 bytes, or 8 values if that is more, beyond them.
  template <class U>
  void keep(const uint8_t* in, uint32_t n, const uint8_t* bits, uint8_t* out) const { keep_by_bits<U>(in, n, bits, out); }
  // spread: out[i] = the next kept one where bit i is set, else 0. `in` is readable 64 bytes beyond the kept ones.
  template <class U>
  void spread(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) const { spread_by_bits<U>(in, bits, n, out); }
  // repeat: ..., else out[i-1]; in[-1] is what stands before the first one. Readable as for spread.
  template <class U>
  void repeat(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) const { repeat_by_bits<U>(in, bits, n, out); }
  // The low `width` bits of n values (0 <= width <= bits of U) as one bit stream, lowest bit first: ceil(n*width/8) bytes.
  template <class U>
  void pack_bits(const U* v, uint32_t n, uint32_t width, uint8_t* out) const { pack_values(v, n, width, out); }
  // The inverse; `in` is readable 16 bytes beyond the stream.
  template <class U>
  void unpack_bits(const uint8_t* in, uint32_t n, uint32_t width, U* v) const { unpack_values(in, n, width, v); }
  // Bit planes of `values` numbers (a multiple of 64), highest plane first, bit j of a plane being value j's. LastFirst:
  // in each word of max(32, bits of U) bits, the values are taken last first. in and out: bytes, not overlapping.
  template <class U, bool LastFirst>
  void shuffle_bits(const uint8_t* in, uint32_t values, uint8_t* out) const { write_shuffled<U, LastFirst>(in, values, out); }
  template <class U, bool LastFirst>
  void unshuffle_bits(const uint8_t* in, uint32_t values, uint8_t* out) const { read_shuffled<U, LastFirst>(in, values, out); }
};

FZM_CODECS_END
