// Lossless integer prediction inside small tiles: from the left neighbour; in a tile's first column from the one above,
// in its first row's first value from the one behind. Output is tile after tile, edge tiles filled up with zeros.
#pragma once
#include "kernels/base/element.h"
#include "kernels/base/map.h"

namespace fzm {

struct TiledLorenzoParams {
  DType data_type = kAutoType;
  uint32_t tile_x = 0, tile_y = 0, tile_z = 0;  // all 0: 64, 8 x 8 or 4 x 4 x 4 by rank
  uint32_t dim_x = 0, dim_y = 0, dim_z = 0;     // all 0: the array's own
};

}  // namespace fzm

FZM_CODECS_BEGIN

// The field and its division into tiles.
struct Tiling {
  uint32_t nx, ny, nz;  // the field
  uint32_t x, y, z;     // a tile
  uint32_t across, down, deep;  // tiles

  FZM_HD uint32_t tile_values() const { return x * y * z; }
  FZM_HD uint64_t tiles() const { return uint64_t{across} * down * deep; }
};
// True where dim_x, dim_y and dim_z describe an array of these values; else its own shape counts.
FZM_HD bool dims_fit(const TiledLorenzoParams& p, uint32_t values) {
  if (p.dim_x == 0 && p.dim_y == 0 && p.dim_z == 0) return false;
  const uint64_t area = uint64_t{greatest<uint32_t>(1, p.dim_x)} * greatest<uint32_t>(1, p.dim_y);
  const uint64_t depth = greatest<uint32_t>(1, p.dim_z);
  return area <= values && area * depth == values;
}
FZM_HD Tiling tiling_of(const TiledLorenzoParams& p, const Extent& e) {
  Tiling t;
  const bool own = !dims_fit(p, e.values);
  t.nx = own ? e.nx : greatest<uint32_t>(1, p.dim_x);
  t.ny = own ? e.ny : greatest<uint32_t>(1, p.dim_y);
  t.nz = own ? e.nz : greatest<uint32_t>(1, p.dim_z);
  const bool automatic = p.tile_x == 0 && p.tile_y == 0 && p.tile_z == 0;
  const bool is_3d = t.nz > 1, is_2d = t.ny > 1;
  t.x = automatic ? (is_3d ? 4 : is_2d ? 8 : 64) : greatest<uint32_t>(1, p.tile_x);
  t.y = automatic ? (is_3d ? 4 : is_2d ? 8 : 1) : greatest<uint32_t>(1, p.tile_y);
  t.z = automatic ? (is_3d ? 4 : 1) : greatest<uint32_t>(1, p.tile_z);
  t.across = ceil_div(t.nx, t.x);
  t.down = ceil_div(t.ny, t.y);
  t.deep = ceil_div(t.nz, t.z);
  return t;
}

template <class T>
struct TiledLorenzo {
  using Params = TiledLorenzoParams;
  using Facts = NoFacts;
  using In = T;
  using Out = T;
  using C = Context<Params, Facts>;
  using U = Unsigned<T>;
  static constexpr bool kWide = true;

  static bool accepts(const Params& p) { return may_be<T>(p.data_type); }
  FZM_HD static uint32_t granularity(const C& c) { return tiling_of(c.params, c.extent).tile_values(); }
  FZM_HD static uint32_t out_values(const C& c) {
    const Tiling t = tiling_of(c.params, c.extent);
    return static_cast<uint32_t>(t.tiles() * t.tile_values());
  }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const Tiling t = tiling_of(c.params, c.extent);
    const U* const field = static_cast<const U*>(io.in);
    U* const tiles = static_cast<U*>(io.out);
    for_runs(t, io, [&](const Run& r) {
      U* const out = tiles + uint64_t{r.offset} * t.tile_values();
      if (fixed<8, 8, 1>(t, r)) encode_whole<8, 8, 1>(g, field, out, t, r);
      else if (fixed<4, 4, 4>(t, r)) encode_whole<4, 4, 4>(g, field, out, t, r);
      else if (fixed<64, 1, 1>(t, r)) encode_whole<64, 1, 1>(g, field, out, t, r);
      else encode_any(g, field, out, t, r);
    });
    return {};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    const Tiling t = tiling_of(c.params, c.extent);
    const U* const tiles = static_cast<const U*>(io.in);
    U* const field = static_cast<U*>(io.out);
    for_runs(t, io, [&](const Run& r) {
      const U* const in = tiles + uint64_t{r.offset} * t.tile_values();
      decode_columns(g, in, field, t, r);
      if (fixed<8, 8, 1>(t, r)) decode_whole<8, 8, 1>(g, in, field, t, r);
      else if (fixed<4, 4, 4>(t, r)) decode_whole<4, 4, 4>(g, in, field, t, r);
      else if (fixed<64, 1, 1>(t, r)) decode_whole<64, 1, 1>(g, in, field, t, r);
      else decode_any(g, in, field, t, r);
    });
  }

 private:
  // Neighbouring tiles of a block along x, all whole or all treated with care.
  struct Run {
    uint32_t offset;      // the first tile's place in the block
    uint32_t tiles;
    uint32_t x0, y0, z0;  // its first value's place in the field
    bool whole;           // every value is inside the field, and none is the field's first (nothing lies before it)
  };

  template <class F>
  FZM_HD static void for_runs(const Tiling& t, const BlockIo& io, F f) {
    const uint32_t first = io.first / t.tile_values(), count = io.count / t.tile_values();
    for (uint32_t done = 0; done < count;) {
      const uint32_t tile = first + done, tx = tile % t.across, row = tile / t.across;
      Run r{done, 0, tx * t.x, row % t.down * t.y, row / t.down * t.z, false};
      const uint32_t left = least(t.across - tx, count - done), inside = t.nx / t.x;
      const bool at_origin = tile == 0;
      r.whole = !at_origin && tx < inside && t.ny - r.y0 >= t.y && t.nz - r.z0 >= t.z;
      if (at_origin) r.tiles = 1;
      else r.tiles = r.whole ? least(left, inside - tx) : left;
      f(r);
      done += r.tiles;
    }
  }
  template <uint32_t X, uint32_t Y, uint32_t Z>
  FZM_HD static bool fixed(const Tiling& t, const Run& r) { return r.whole && t.x == X && t.y == Y && t.z == Z; }

  FZM_HD static const U* start(const U* field, const Tiling& t, const Run& r) {
    return field + ((uint64_t{r.z0} * t.ny + r.y0) * t.nx + r.x0);
  }
  FZM_HD static U* start(U* field, const Tiling& t, const Run& r) {
    return field + ((uint64_t{r.z0} * t.ny + r.y0) * t.nx + r.x0);
  }

  // One row of one tile an item.
  template <uint32_t X, uint32_t Y, uint32_t Z, class G>
  FZM_HD static void encode_whole(G g, const U* field, U* out, const Tiling& t, const Run& r) {
    const U* const first = start(field, t, r);
    const uint64_t row = t.nx, plane = uint64_t{t.nx} * t.ny;
    g.each_item(r.tiles * (Y * Z), [=](uint32_t k) {
      const uint32_t tile = k / (Y * Z), ly = k % Y, lz = k / Y % Z;
      const U* const q = first + tile * X + ly * row + lz * plane;
      const U* const left = q - 1;
      U* const d = out + uint64_t{k} * X;
      FZM_IVDEP
      for (uint32_t i = 0; i < X; ++i) d[i] = static_cast<U>(q[i] - left[i]);
      const uint64_t before = ly != 0 ? row : lz != 0 ? plane : 0;
      d[0] = before == 0 ? q[0] : static_cast<U>(q[0] - *(q - before));
    });
  }
  template <class G>
  FZM_HD static void encode_any(G g, const U* field, U* out, const Tiling& t, const Run& r) {
    const uint32_t rows = t.y * t.z;
    const uint64_t row = t.nx, plane = uint64_t{t.nx} * t.ny;
    g.each_item(r.tiles * rows, [=](uint32_t k) {
      const uint32_t tile = k / rows, ly = k % rows % t.y, lz = k % rows / t.y, x0 = r.x0 + tile * t.x;
      const bool inside = r.y0 + ly < t.ny && r.z0 + lz < t.nz;
      const uint32_t live = inside ? least(t.x, t.nx - x0) : 0;
      U* const d = out + uint64_t{k} * t.x;
      for (uint32_t i = live; i < t.x; ++i) d[i] = 0;
      if (live == 0) return;
      const U* const q = field + ((r.z0 + lz) * plane + (r.y0 + ly) * row + x0);
      const U* const next = q + 1;
      FZM_IVDEP
      for (uint32_t i = 0; i < live - 1; ++i) (d + 1)[i] = static_cast<U>(next[i] - q[i]);
      const uint64_t before = ly != 0 ? row : lz != 0 ? plane : 0;
      d[0] = before == 0 ? q[0] : static_cast<U>(q[0] - *(q - before));
    });
  }

  // The first column of every row of a tile, which rows then start from.
  template <class G>
  FZM_HD static void decode_columns(G g, const U* in, U* field, const Tiling& t, const Run& r) {
    const uint64_t row = t.nx, plane = uint64_t{t.nx} * t.ny;
    U* const first = start(field, t, r);
    const uint32_t live_y = least(t.y, t.ny - r.y0), live_z = least(t.z, t.nz - r.z0);
    g.each_item(r.tiles, [=](uint32_t tile) {
      const U* const d = in + uint64_t{tile} * t.tile_values();
      U* const q = first + uint64_t{tile} * t.x;
      U corner = 0;
      for (uint32_t lz = 0; lz < live_z; ++lz) {
        corner = static_cast<U>(corner + d[lz * t.y * t.x]);
        U value = corner;
        q[lz * plane] = value;
        for (uint32_t ly = 1; ly < live_y; ++ly) {
          value = static_cast<U>(value + d[(lz * t.y + ly) * t.x]);
          q[lz * plane + ly * row] = value;
        }
      }
    });
  }
  template <uint32_t X, uint32_t Y, uint32_t Z, class G>
  FZM_HD static void decode_whole(G g, const U* in, U* field, const Tiling& t, const Run& r) {
    U* const first = start(field, t, r);
    const uint64_t row = t.nx, plane = uint64_t{t.nx} * t.ny;
    g.each_item(r.tiles * (Y * Z), [=](uint32_t k) {
      const uint32_t tile = k / (Y * Z), ly = k % Y, lz = k / Y % Z;
      U* const q = first + tile * X + ly * row + lz * plane;
      const U* const d = in + uint64_t{k} * X;
      U sum = q[0];
      for (uint32_t i = 1; i < X; ++i) q[i] = sum = static_cast<U>(sum + d[i]);
    });
  }
  template <class G>
  FZM_HD static void decode_any(G g, const U* in, U* field, const Tiling& t, const Run& r) {
    const uint32_t rows = t.y * t.z;
    const uint64_t row = t.nx, plane = uint64_t{t.nx} * t.ny;
    g.each_item(r.tiles * rows, [=](uint32_t k) {
      const uint32_t tile = k / rows, ly = k % rows % t.y, lz = k % rows / t.y, x0 = r.x0 + tile * t.x;
      if (r.y0 + ly >= t.ny || r.z0 + lz >= t.nz) return;
      const uint32_t live = least(t.x, t.nx - x0);
      U* const q = field + ((r.z0 + lz) * plane + (r.y0 + ly) * row + x0);
      const U* const d = in + uint64_t{k} * t.x;
      U sum = q[0];
      for (uint32_t i = 1; i < live; ++i) q[i] = sum = static_cast<U>(sum + d[i]);
    });
  }
};

using TiledLorenzoVariants = CodecList<TiledLorenzo<int8_t>, TiledLorenzo<int16_t>, TiledLorenzo<int32_t>, TiledLorenzo<int64_t>>;

FZM_CODECS_END
