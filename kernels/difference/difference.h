// First differences along the array, optionally mapped to unsigned numbers. Works on bit patterns with wrap-around, so that
// it is exact for every type, floating point included.
#pragma once
#include "kernels/base/element.h"
#include "kernels/base/map.h"

namespace fzm {

enum class DifferenceMode : uint8_t { automatic = 0, plain = 1, negabinary = 2, zigzag = 3 };

struct DifferenceParams {
  DType input_type = kAutoType;
  DType output_type = kAutoType;
  uint32_t chunk_size = 0;  // bytes after which differences start anew; 0: never
  DifferenceMode mode = DifferenceMode::automatic;
};

}  // namespace fzm

FZM_CODECS_BEGIN

// The differences' spelling, as bit patterns.
template <class U>
struct PlainDifference {
  FZM_HD static U forward(U d) { return d; }
  FZM_HD static U inverse(U u) { return u; }
};
template <class U>
struct NegabinaryDifference {
  FZM_HD static U forward(U d) { return negabinary(static_cast<Signed<U>>(d)); }
  FZM_HD static U inverse(U u) { return static_cast<U>(unnegabinary(u)); }
};
template <class U>
struct ZigzagDifference {
  FZM_HD static U forward(U d) { return zigzag(static_cast<Signed<U>>(d)); }
  FZM_HD static U inverse(U u) { return static_cast<U>(unzigzag(u)); }
};

// Which variant takes which parameters; signed and floating-point input is mapped exactly when the output is unsigned.
template <class T, class R>
struct DifferenceTypes {
  using Params = DifferenceParams;
  using Facts = NoFacts;
  using In = T;
  using Out = R;
  using C = Context<Params, Facts>;
  using U = Unsigned<T>;
  static constexpr bool kUnsignedInput = kSame<T, U>;

  static bool fits(const Params& p) {
    const bool mapped = p.mode == DifferenceMode::negabinary || p.mode == DifferenceMode::zigzag;
    return may_be<T>(p.input_type) && (kUnsignedInput || mapped == !kSame<T, R>);
  }
  // Calls f with the map asked for.
  template <class F>
  FZM_HD static void with_map(const C& c, F f) {
    if constexpr (kUnsignedInput || kSame<T, R>) {
      if (!kUnsignedInput || c.params.mode == DifferenceMode::plain || c.params.mode == DifferenceMode::automatic)
        return f(PlainDifference<U>{});
    }
    if constexpr (kSame<R, U>) {
      if (c.params.mode == DifferenceMode::zigzag) return f(ZigzagDifference<U>{});
      f(NegabinaryDifference<U>{});
    }
  }
  template <class X>
  FZM_HD static U bits(X x) { return bit_cast<U>(x); }
  FZM_HD static R coded(U u) { return bit_cast<R>(u); }
};

// Chunks of chunk_size bytes, each on its own: its first value is stored as it is (mapped).
template <class T, class R>
struct Difference : DifferenceTypes<T, R> {
  using Base = DifferenceTypes<T, R>;
  using typename Base::C;
  using typename Base::U;
  static bool accepts(const DifferenceParams& p) { return p.chunk_size != 0 && Base::fits(p); }
  FZM_HD static uint32_t granularity(const C& c) { return greatest<uint32_t>(1, c.params.chunk_size / sizeof(T)); }
  FZM_HD static uint32_t scratch_bytes(uint32_t count, const C&) {
    return kIsFloat<T> ? count * static_cast<uint32_t>(sizeof(T)) : 0;
  }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const T* const in = static_cast<const T*>(io.in);
    R* const out = static_cast<R*>(io.out);
    const uint32_t n = io.count, chunk = granularity(c);
    if (n == 0) return {};
    Base::with_map(c, [&](auto map) {
      using M = decltype(map);
      g.each(n - 1, [=](uint32_t i) {
        out[i + 1] = Base::coded(M::forward(static_cast<U>(Base::bits(in[i + 1]) - Base::bits(in[i]))));
      });
      g.each(ceil_div(n, chunk), [=](uint32_t k) {
        out[uint64_t{k} * chunk] = Base::coded(M::forward(Base::bits(in[uint64_t{k} * chunk])));
      });
    });
    return {};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    const R* const in = static_cast<const R*>(io.in);
    T* const out = static_cast<T*>(io.out);
    // Sums are made where they are needed, but a float's bits are summed apart: only integers may share memory.
    U* const sums = kIsFloat<T> ? reinterpret_cast<U*>(io.scratch) : static_cast<U*>(io.out);
    const uint32_t n = io.count, chunk = granularity(c);
    Base::with_map(c, [&](auto map) {
      using M = decltype(map);
      g.each(n, [=](uint32_t i) { sums[i] = M::inverse(Base::bits(in[i])); });
    });
    g.prefix_sums(sums, n, chunk);
    if constexpr (kIsFloat<T>) g.each(n, [=](uint32_t i) { out[i] = bit_cast<T>(sums[i]); });
  }
};

// The whole array as one chunk. Decoding takes three sweeps: sums inside stretches, sums over their ends, and the
// end of the stretch before added to every value but the last (which has it already).
template <class T, class R>
struct WholeDifference : DifferenceTypes<T, R> {
  using Base = DifferenceTypes<T, R>;
  using typename Base::C;
  using typename Base::U;
  static constexpr bool kWide = true;
  static constexpr uint32_t kStretch = 16384;
  static bool accepts(const DifferenceParams& p) { return p.chunk_size == 0 && Base::fits(p); }
  FZM_HD static uint32_t granularity(const C&) { return 1; }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const T* const in = static_cast<const T*>(io.in) + io.first;
    R* const out = static_cast<R*>(io.out);
    if (io.count == 0) return {};
    const uint32_t start = io.first == 0 ? 1 : 0;
    Base::with_map(c, [&](auto map) {
      using M = decltype(map);
      const T* const value = in + start;
      R* const difference = out + start;
      g.each(io.count - start, [=](uint32_t i) {
        difference[i] = Base::coded(M::forward(static_cast<U>(Base::bits(value[i]) - Base::bits((value - 1)[i]))));
      });
      g.each(start, [=](uint32_t) { out[0] = Base::coded(M::forward(Base::bits(in[0]))); });
    });
    return {};
  }

  FZM_HD static uint32_t stretches(const C& c) { return ceil_div(c.extent.values, kStretch); }
  FZM_HD static uint32_t decode_passes(const C& c) { return stretches(c) > 1 ? 3 : 1; }
  FZM_HD static uint32_t decode_blocks(uint32_t pass, const C& c) { return pass == 1 ? 1 : stretches(c); }

  template <class G>
  FZM_HD static void decode_pass(G g, uint32_t pass, uint32_t block, const BlockIo& io, const C& c) {
    const uint32_t first = block * kStretch;
    const uint32_t n = least(kStretch, c.extent.values - first);
    T* const out = static_cast<T*>(io.out) + first;
    if (pass == 0) {
      const R* const in = static_cast<const R*>(io.in) + first;
      Base::with_map(c, [&](auto map) {
        using M = decltype(map);
        g.template offsets<U>(n, [=](uint32_t i) { return M::inverse(Base::bits(in[i])); }, [=](uint32_t i, U before) {
          out[i] = bit_cast<T>(static_cast<U>(before + M::inverse(Base::bits(in[i]))));
        });
      });
    } else if (pass == 1) {
      T* const ends = static_cast<T*>(io.out) + (kStretch - 1);
      g.template offsets<U>(
          stretches(c) - 1, [=](uint32_t k) { return Base::bits(ends[uint64_t{k} * kStretch]); },
          [=](uint32_t k, U before) {
            T& end = ends[uint64_t{k} * kStretch];
            end = bit_cast<T>(static_cast<U>(before + Base::bits(end)));
          });
    } else if (block != 0) {
      const U carry = Base::bits(*(out - 1));
      // The last stretch has no successor, so pass 1 left its end alone.
      const bool is_last = block + 1 == stretches(c);
      g.each(is_last ? n : n - 1,
             [=](uint32_t i) { out[i] = bit_cast<T>(static_cast<U>(carry + Base::bits(out[i]))); });
    }
  }

  // All sweeps in order.
  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    for (uint32_t pass = 0; pass < decode_passes(c); ++pass)
      for (uint32_t block = 0; block < decode_blocks(pass, c); ++block) decode_pass(g, pass, block, io, c);
  }
};

using DifferenceVariants = CodecList<
    Difference<uint8_t, uint8_t>, Difference<uint16_t, uint16_t>, Difference<uint32_t, uint32_t>, Difference<uint64_t, uint64_t>,
    Difference<int8_t, int8_t>, Difference<int16_t, int16_t>, Difference<int32_t, int32_t>, Difference<int64_t, int64_t>,
    Difference<float, float>, Difference<double, double>,
    Difference<int8_t, uint8_t>, Difference<int16_t, uint16_t>, Difference<int32_t, uint32_t>, Difference<int64_t, uint64_t>,
    Difference<float, uint32_t>, Difference<double, uint64_t>,
    WholeDifference<uint8_t, uint8_t>, WholeDifference<uint16_t, uint16_t>, WholeDifference<uint32_t, uint32_t>,
    WholeDifference<uint64_t, uint64_t>, WholeDifference<int8_t, int8_t>, WholeDifference<int16_t, int16_t>,
    WholeDifference<int32_t, int32_t>, WholeDifference<int64_t, int64_t>, WholeDifference<float, float>,
    WholeDifference<double, double>, WholeDifference<int8_t, uint8_t>, WholeDifference<int16_t, uint16_t>,
    WholeDifference<int32_t, uint32_t>, WholeDifference<int64_t, uint64_t>, WholeDifference<float, uint32_t>,
    WholeDifference<double, uint64_t>>;

FZM_CODECS_END
