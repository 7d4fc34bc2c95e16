// Small coder blocks, each with just the bit planes it needs: signs, then magnitudes. The back end of cuSZp and FSZ.
// See adaptive_bitpack.md.
#pragma once
#include "kernels/base/codec.h"
#include "kernels/base/map.h"

namespace fzm {

struct AdaptiveBitpackParams {
  uint32_t block_size = 32;        // values of a coder block
  bool outlier_selection = false;  // the first magnitude of a coder block may be stored apart
};

}  // namespace fzm

FZM_CODECS_BEGIN

template <class T>
struct AdaptiveBitpack {
  using Params = AdaptiveBitpackParams;
  using Facts = NoFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = uint8_t;
  using U = Unsigned<T>;
  static constexpr uint32_t kBytes = sizeof(T), kWidth = 8 * kBytes;

  // What a coder block's metadata says; out of range, the nearest that is allowed.
  struct Meta {
    uint32_t rate;        // magnitude planes
    uint32_t head_bytes;  // of the first magnitude, stored apart; 0: it is in the planes
    bool bad;
    FZM_HD uint32_t planes() const { return rate > 0 || head_bytes > 0 ? rate + 1 : 0; }
    // Planes of 2|d| + sign as it fits U; a plane above is left over where some |d| is 2^(width-1).
    FZM_HD uint32_t low_planes() const { return least(planes(), kWidth); }
    FZM_HD bool is_full() const { return rate == kWidth; }
  };
  FZM_HD static uint32_t meta_bytes(const C& c) { return c.params.outlier_selection ? 2 : 1; }
  FZM_HD static Meta meta(const uint8_t* records, uint32_t block, const C& c) {
    const uint8_t* const m = records + block * meta_bytes(c);
    const uint32_t select = c.params.outlier_selection ? m[1] : 0;
    const bool apart = (select & 1) != 0;
    return {least<uint32_t>(m[0], kWidth), apart ? least(select / 2 + 1, kBytes) : 0,
            m[0] > kWidth || (apart ? select / 2 >= kBytes : select != 0)};
  }
  FZM_HD static uint32_t plane_bytes(const C& c) { return ceil_div(c.params.block_size, 8); }
  FZM_HD static uint32_t cost(const Meta& m, const C& c) { return m.head_bytes + plane_bytes(c) * m.planes(); }
  FZM_HD static uint32_t blocks(uint32_t count, const C& c) { return ceil_div(count, c.params.block_size); }

  FZM_HD static uint32_t granularity(const C& c) { return c.params.block_size; }
  FZM_HD static uint32_t record_bytes(uint32_t count, const C& c) { return meta_bytes(c) * blocks(count, c); }
  FZM_HD static uint32_t max_piece_bytes(uint32_t, uint32_t count, const C& c) {
    return blocks(count, c) * (kBytes + plane_bytes(c) * (kWidth + 1));
  }
  FZM_HD static uint32_t piece_bytes(uint32_t, const uint8_t* records, uint32_t count, const C& c) {
    uint32_t sum = 0;
    for (uint32_t b = 0; b < blocks(count, c); ++b) sum += cost(meta(records, b, c), c);
    return sum;
  }

  // Working memory: whole coder blocks, with the 8 values beyond that the plane verbs ask for.
  struct Scratch {
    U* v;          // 2|d| + sign
    U* top;        // bit width-1 of |d|, only used where there is one
    U* first;      // the first magnitude of each coder block
    uint32_t* at;  // offset of each coder block's payload
  };
  FZM_HD static uint32_t array_bytes(uint32_t count, const C& c) {
    return ((blocks(count, c) * c.params.block_size + 8) * kBytes + 63) / 64 * 64;
  }
  FZM_HD static uint32_t first_bytes(uint32_t count, const C& c) { return (blocks(count, c) * kBytes + 63) / 64 * 64; }
  FZM_HD static uint32_t scratch_bytes(uint32_t count, const C& c) {
    return 2 * array_bytes(count, c) + first_bytes(count, c) + 4 * blocks(count, c);
  }
  FZM_HD static Scratch layout(const BlockIo& io, const C& c) {
    uint8_t* const top = io.scratch + array_bytes(io.count, c);
    uint8_t* const first = top + array_bytes(io.count, c);
    return {reinterpret_cast<U*>(io.scratch), reinterpret_cast<U*>(top), reinterpret_cast<U*>(first),
            reinterpret_cast<uint32_t*>(first + first_bytes(io.count, c))};
  }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const T* const in = static_cast<const T*>(io.in);
    const uint32_t size = c.params.block_size, count = io.count, n = blocks(count, c);
    const Scratch s = layout(io, c);
    uint8_t* const records = io.records;
    uint8_t* const piece = io.piece[0];
    if (c.params.outlier_selection) choose_heads(g, in, count, s, records, c);
    else choose_rates(g, in, count, s, records, c);
    g.each(n * size - count, [=](uint32_t i) { s.v[count + i] = 0; });  // absent values are 0

    const uint32_t bytes = g.template offsets<uint32_t>(
        n, [=](uint32_t b) { return cost(meta(records, b, c), c); }, [=](uint32_t b, uint32_t at) { s.at[b] = at; });
    if (c.params.outlier_selection) write_heads(g, n, s, records, piece, c);
    g.planes(s.v, n, low_job(s, records, c), piece);
    if (g.any(n, [=](uint32_t b) { return meta(records, b, c).is_full(); })) {
      g.each(n * size, [=](uint32_t i) { s.top[i] = i < count ? static_cast<U>(magnitude(in[i]) >> (kWidth - 1)) : U(0); });
      g.each(n, [=](uint32_t b) {
        if (meta(records, b, c).head_bytes > 0) s.top[b * size] = 0;
      });
      g.planes(s.top, n, top_job(s, records, c), piece);
    }
    return {{bytes}};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    T* const out = static_cast<T*>(io.out);
    const uint32_t size = c.params.block_size, count = io.count, n = blocks(count, c);
    const Scratch s = layout(io, c);
    const uint8_t* const records = io.records;
    const uint8_t* const piece = io.piece[0];
    g.fault_if(g.any(n, [=](uint32_t b) { return meta(records, b, c).bad; }), Fault::bad_record);
    const uint32_t bytes = g.template offsets<uint32_t>(
        n, [=](uint32_t b) { return cost(meta(records, b, c), c); }, [=](uint32_t b, uint32_t at) { s.at[b] = at; });
    if (bytes != io.piece_bytes[0]) {
      g.fault(Fault::bad_payload);
      g.clear(static_cast<uint8_t*>(io.out), count * kBytes);
      return;
    }
    g.unplanes(piece, n, low_job(s, records, c), s.v);
    if (g.any(n, [=](uint32_t b) { return meta(records, b, c).is_full(); })) {
      g.unplanes(piece, n, top_job(s, records, c), s.top);
      g.each(count, [=](uint32_t i) {
        out[i] = with_sign(static_cast<U>(s.v[i] >> 1 | static_cast<U>(s.top[i] << (kWidth - 1))), s.v[i]);
      });
    } else {
      g.each(count, [=](uint32_t i) { out[i] = with_sign(static_cast<U>(s.v[i] >> 1), s.v[i]); });
    }
    if (c.params.outlier_selection)
      g.each_item(n, [=](uint32_t b) {
        const Meta m = meta(records, b, c);
        if (m.head_bytes == 0) return;
        U first = 0;
        for (uint32_t k = 0; k < m.head_bytes; ++k) first = static_cast<U>(first | static_cast<U>(piece[s.at[b] + k]) << (8 * k));
        out[b * size] = with_sign(first, s.v[b * size]);
      });
  }

 private:
  // Bit 0 of `sign`: negative.
  FZM_HD static T with_sign(U m, U sign) {
    const U minus = static_cast<U>(sign & 1);
    return static_cast<T>(static_cast<U>(static_cast<U>(m ^ static_cast<U>(U(0) - minus)) + minus));
  }
  FZM_HD static auto low_job(const Scratch& s, const uint8_t* records, const C& c) {
    return [=](uint32_t b) {
      const Meta m = meta(records, b, c);
      return PlaneJob{b * c.params.block_size, c.params.block_size, m.low_planes(), s.at[b] + m.head_bytes};
    };
  }
  FZM_HD static auto top_job(const Scratch& s, const uint8_t* records, const C& c) {
    return [=](uint32_t b) {
      const Meta m = meta(records, b, c);
      return PlaneJob{b * c.params.block_size, c.params.block_size, m.is_full() ? 1u : 0u,
                      s.at[b] + m.head_bytes + plane_bytes(c) * kWidth};
    };
  }
  template <class G>
  FZM_HD static void choose_rates(G g, const T* in, uint32_t count, const Scratch& s, uint8_t* records, const C& c) {
    g.fold_segments(
        count, c.params.block_size, U(0), [=](uint32_t i) { return magnitude(in[i]); },
        [](U x, U y) { return static_cast<U>(x | y); },
        [=](uint32_t b, U all) { records[b] = static_cast<uint8_t>(bit_length(all)); });
    g.each(count, [=](uint32_t i) { s.v[i] = static_cast<U>(static_cast<U>(magnitude(in[i]) << 1) | static_cast<U>(in[i] < 0)); });
  }
  // Takes the first magnitudes out, chooses for each coder block, and puts back those that stay in the planes.
  template <class G>
  FZM_HD static void choose_heads(G g, const T* in, uint32_t count, const Scratch& s, uint8_t* records, const C& c) {
    const uint32_t size = c.params.block_size, n = blocks(count, c);
    g.each(count, [=](uint32_t i) { s.v[i] = magnitude(in[i]); });
    g.each(n, [=](uint32_t b) {
      s.first[b] = s.v[b * size];
      s.v[b * size] = 0;
    });
    g.fold_segments(
        count, size, U(0), [=](uint32_t i) { return s.v[i]; }, [](U x, U y) { return static_cast<U>(x | y); },
        [=](uint32_t b, U others) {
          const Meta together{bit_length(static_cast<U>(others | s.first[b])), 0, false};
          const Meta apart{bit_length(others), ceil_div(bit_length(s.first[b]), 8), false};
          const bool keep = cost(together, c) <= plane_bytes(c) * (apart.rate + 1) + apart.head_bytes;
          records[2 * b] = static_cast<uint8_t>(keep ? together.rate : apart.rate);
          records[2 * b + 1] = static_cast<uint8_t>(keep ? 0 : 2 * (apart.head_bytes - 1) + 1);
        });
    g.each(count, [=](uint32_t i) { s.v[i] = static_cast<U>(static_cast<U>(s.v[i] << 1) | static_cast<U>(in[i] < 0)); });
    g.each(n, [=](uint32_t b) {
      if (records[2 * b + 1] == 0) s.v[b * size] = static_cast<U>(s.v[b * size] | static_cast<U>(s.first[b] << 1));
    });
  }
  template <class G>
  FZM_HD static void write_heads(G g, uint32_t n, const Scratch& s, const uint8_t* records, uint8_t* piece, const C& c) {
    g.each_item(n, [=](uint32_t b) {
      const Meta m = meta(records, b, c);
      for (uint32_t k = 0; k < m.head_bytes; ++k) piece[s.at[b] + k] = static_cast<uint8_t>(s.first[b] >> (8 * k));
    });
  }
};

using AdaptiveBitpackVariants =
    CodecList<AdaptiveBitpack<int8_t>, AdaptiveBitpack<int16_t>, AdaptiveBitpack<int32_t>, AdaptiveBitpack<int64_t>>;

FZM_CODECS_END
