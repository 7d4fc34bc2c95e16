// Lossless integer Lorenzo prediction: along the flattened array with restarts (order 1 or 2, centering on request),
// or over a whole 2-D or 3-D field. Arithmetic wraps.
#pragma once
#include "kernels/base/element.h"
#include "kernels/base/mean.h"
#include "kernels/base/map.h"

namespace fzm {

struct LorenzoParams {
  DType data_type = kAutoType;
  uint32_t block_size = 0;  // values after which prediction starts anew; 0: over the field, in 1-D every 256
  uint32_t order = 1;
  bool centering = false;
};

}  // namespace fzm

FZM_CODECS_BEGIN

// One-dimensional, restarting every block_size values.
template <class T>
struct LorenzoBlocks {
  using Params = LorenzoParams;
  using Facts = NoFacts;
  using In = T;
  using Out = T;
  using C = Context<Params, Facts>;
  using U = Unsigned<T>;

  static bool accepts(const Params& p) { return p.block_size != 0 && may_be<T>(p.data_type); }
  FZM_HD static uint32_t granularity(const C& c) { return c.params.block_size; }
  FZM_HD static uint32_t max_piece_bytes(uint32_t k, uint32_t count, const C& c) { return piece_bytes(k, nullptr, count, c); }
  // One mean a restart, so that no records are needed.
  FZM_HD static uint32_t piece_bytes(uint32_t k, const uint8_t*, uint32_t count, const C& c) {
    return k == 0 && c.params.centering ? ceil_div(count, c.params.block_size) * static_cast<uint32_t>(sizeof(T)) : 0;
  }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const U* const in = static_cast<const U*>(io.in);
    U* const out = static_cast<U*>(io.out);
    const uint32_t n = io.count, b = c.params.block_size, restarts = ceil_div(n, b);
    // Everywhere as if there were no restarts, which vectorises; then the restarts.
    if (c.params.order == 1) {
      g.each(n > 1 ? n - 1 : 0, [=](uint32_t i) { out[i + 1] = static_cast<U>(in[i + 1] - in[i]); });
    } else {
      g.each(n > 2 ? n - 2 : 0, [=](uint32_t i) {
        out[i + 2] = static_cast<U>(in[i + 2] - static_cast<U>(in[i + 1] + in[i + 1]) + in[i]);
      });
    }
    if (!c.params.centering) {
      restart(g, in, out, n, b, c.params.order, [](uint32_t) { return U(0); });
      return {};
    }
    uint8_t* const means = io.piece[0];
    const T* const value = static_cast<const T*>(io.in);
    g.template fold_segments<uint64_t>(
        n, b, 0, [=](uint32_t i) { return widened(value[i]); }, [](uint64_t x, uint64_t y) { return x + y; },
        [=](uint32_t k, uint64_t sum) {
          const T mean = rounded_mean<T>(sum, least(b, n - k * b));
          store_le<U>(means + uint64_t{k} * sizeof(T), static_cast<U>(mean));
        });
    restart(g, in, out, n, b, c.params.order, [=](uint32_t k) { return load_le<U>(means + uint64_t{k} * sizeof(T)); });
    return {{restarts * static_cast<uint32_t>(sizeof(T))}};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    U* const out = static_cast<U*>(io.out);
    const uint32_t n = io.count, b = c.params.block_size;
    g.copy(static_cast<uint8_t*>(io.out), static_cast<const uint8_t*>(io.in), n * static_cast<uint32_t>(sizeof(T)));
    if (c.params.order == 2) g.prefix_sums(out, n, b);
    if (c.params.centering) {
      // What the last sum starts from is added to the whole block.
      const uint8_t* const means = io.piece[0];
      const uint32_t stored = io.piece_bytes[0] / static_cast<uint32_t>(sizeof(T));
      g.fault_if(io.piece_bytes[0] != piece_bytes(0, nullptr, n, c), Fault::bad_payload);
      g.each(least(stored, ceil_div(n, b)), [=](uint32_t k) {
        U& start = out[uint64_t{k} * b];
        start = static_cast<U>(start + load_le<U>(means + uint64_t{k} * sizeof(T)));
      });
    }
    g.prefix_sums(out, n, b);
  }

 private:
  // The first residuals of every block, mean(k) subtracted from its values.
  template <class G, class M>
  FZM_HD static void restart(G g, const U* in, U* out, uint32_t n, uint32_t b, uint32_t order, M mean) {
    g.each(ceil_div(n, b), [=](uint32_t k) {
      const uint64_t i = uint64_t{k} * b;
      const U first = static_cast<U>(in[i] - mean(k));
      out[i] = first;
      if (order == 2 && b > 1 && i + 1 < n) out[i + 1] = static_cast<U>(in[i + 1] - in[i] - first);
    });
  }
};

// Inclusion-exclusion over the whole field, zeros outside: the difference along x of the difference along y (of that
// along z). Decoding sums along x, then y, then z.
template <class T>
struct LorenzoField {
  using Params = LorenzoParams;
  using Facts = NoFacts;
  using In = T;
  using Out = T;
  using C = Context<Params, Facts>;
  using U = Unsigned<T>;
  static constexpr bool kWide = true;
  static constexpr uint32_t kSweep = 16384;  // values of a block in the sweep along x
  static constexpr uint32_t kStrip = 4096;   // bytes in x of a block in the sweeps along y and z: two rows of it stay in L1

  static bool accepts(const Params& p) { return p.block_size == 0 && may_be<T>(p.data_type); }
  FZM_HD static uint32_t granularity(const C&) { return 1; }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const Extent& e = c.extent;
    const uint64_t plane = uint64_t{e.nx} * e.ny, end = uint64_t{io.first} + io.count;
    for (uint64_t at = io.first; at < end;) {
      const uint64_t z = at / plane, next = least((z + 1) * plane, end);
      encode_plane(g, io, e, z, at - z * plane, next - z * plane);
      at = next;
    }
    return {};
  }

  // Pass 0 along x, 1 along y, 2 along z.
  FZM_HD static uint32_t decode_passes(const C& c) { return c.extent.nz > 1 ? 3 : c.extent.ny > 1 ? 2 : 1; }
  FZM_HD static uint32_t decode_blocks(uint32_t pass, const C& c) {
    const Extent& e = c.extent;
    if (e.values == 0) return 0;
    if (pass == 0) return ceil_div(e.values / e.nx, rows_per_sweep(e));
    if (pass == 1) return e.nz * ceil_div(e.nx, strip());
    return ceil_div(e.nx * e.ny, strip());
  }
  template <class G>
  FZM_HD static void decode_pass(G g, uint32_t pass, uint32_t block, const BlockIo& io, const C& c) {
    const Extent& e = c.extent;
    U* const out = static_cast<U*>(io.out);
    if (pass == 0) {
      const uint32_t row = block * rows_per_sweep(e);
      const uint32_t rows = least(rows_per_sweep(e), e.values / e.nx - row);
      const uint64_t first = uint64_t{row} * e.nx * sizeof(T);
      // A row may be longer than 4 GiB.
      const uint64_t bytes = uint64_t{rows} * e.nx * sizeof(T);
      for (uint64_t at = 0; at < bytes; at += uint64_t{1} << 30)
        g.copy(static_cast<uint8_t*>(io.out) + first + at, static_cast<const uint8_t*>(io.in) + first + at,
               static_cast<uint32_t>(least(uint64_t{1} << 30, bytes - at)));
      g.prefix_sums(out + uint64_t{row} * e.nx, rows * e.nx, e.nx);
    } else if (pass == 1) {
      const uint32_t strips = ceil_div(e.nx, strip()), z = block / strips, x = block % strips * strip();
      sum_rows(g, out + uint64_t{z} * e.ny * e.nx + x, least(strip(), e.nx - x), e.ny, e.nx);
    } else {
      const uint32_t plane = e.nx * e.ny, at = block * strip();
      sum_rows(g, out + at, least(strip(), plane - at), e.nz, plane);
    }
  }
  // All sweeps in order.
  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    for (uint32_t pass = 0; pass < decode_passes(c); ++pass)
      for (uint32_t block = 0; block < decode_blocks(pass, c); ++block) decode_pass(g, pass, block, io, c);
  }

 private:
  FZM_HD static uint32_t rows_per_sweep(const Extent& e) { return greatest<uint32_t>(1, kSweep / e.nx); }
  FZM_HD static uint32_t strip() { return kStrip / static_cast<uint32_t>(sizeof(T)); }

  // Adds to each of `rows` rows the one before.
  template <class G>
  FZM_HD static void sum_rows(G g, U* first, uint32_t width, uint32_t rows, uint32_t stride) {
    for (uint32_t r = 1; r < rows; ++r) {
      U* const row = first + uint64_t{r} * stride;
      const U* const before = row - stride;
      g.each(width, [=](uint32_t i) { row[i] = static_cast<U>(row[i] + before[i]); });
    }
  }

  // Values from..to of plane z. Everything but the first column is flat: there x-1 is the value before.
  template <class G>
  FZM_HD static void encode_plane(G g, const BlockIo& io, const Extent& e, uint64_t z, uint64_t from, uint64_t to) {
    const uint64_t plane = uint64_t{e.nx} * e.ny, nx = e.nx;
    const U* const in = static_cast<const U*>(io.in) + z * plane;
    U* const out = static_cast<U*>(io.out) + z * plane - io.first;
    const bool deep = z != 0;
    // Row 0 without its first value.
    flat(g, in, out, greatest<uint64_t>(from, 1), least(to, nx), nx, plane, false, deep);
    // The other rows. Their first column comes out wrong where it can be read at all, and is written again below.
    flat(g, in, out, greatest(from, nx + 1), to, nx, plane, true, deep);
    const uint64_t first_row = (from + nx - 1) / nx, end_row = (to + nx - 1) / nx;
    if (first_row >= end_row) return;
    g.each(static_cast<uint32_t>(end_row - first_row), [=](uint32_t r) {
      const uint64_t i = (first_row + r) * nx;
      U d = in[i];
      if (i != 0) d = static_cast<U>(d - in[i - nx]);
      if (deep) {
        d = static_cast<U>(d - *(in + i - plane));
        if (i != 0) d = static_cast<U>(d + *(in + i - nx - plane));
      }
      out[i] = d;
    });
  }
  // out[i] for from <= i < to, all neighbours present: always that in x, the ones in y and z if told.
  template <class G>
  FZM_HD static void flat(G g, const U* plane_in, U* plane_out, uint64_t from, uint64_t to, uint64_t nx, uint64_t plane,
                          bool has_y, bool has_z) {
    if (from >= to) return;
    const uint32_t n = static_cast<uint32_t>(to - from);
    const U* const q = plane_in + from;
    U* const out = plane_out + from;
    const U* const left = q - 1;
    const U* const up = has_y ? q - nx : q;
    const U* const back = has_z ? q - plane : q;
    const U* const up_back = has_y && has_z ? up - plane : q;
    if (!has_y && !has_z) {
      g.each(n, [=](uint32_t i) { out[i] = static_cast<U>(q[i] - left[i]); });
    } else if (!has_y || !has_z) {
      const U* const side = has_y ? up : back;
      const U* const side_left = side - 1;
      g.each(n, [=](uint32_t i) { out[i] = static_cast<U>((q[i] - left[i]) - (side[i] - side_left[i])); });
    } else {
      const U* const up_left = up - 1;
      const U* const back_left = back - 1;
      const U* const up_back_left = up_back - 1;
      g.each(n, [=](uint32_t i) {
        out[i] = static_cast<U>((q[i] - left[i]) - (up[i] - up_left[i]) - ((back[i] - back_left[i]) - (up_back[i] - up_back_left[i])));
      });
    }
  }
};

using LorenzoVariants =
    CodecList<LorenzoBlocks<int8_t>, LorenzoBlocks<int16_t>, LorenzoBlocks<int32_t>, LorenzoBlocks<int64_t>,
              LorenzoField<int8_t>, LorenzoField<int16_t>, LorenzoField<int32_t>, LorenzoField<int64_t>>;

FZM_CODECS_END
