// TiledLorenzo (8 x 8, 4 x 4 x 4 or 64) -> AdaptiveBitpack(64): cuszp3. Eight tiles in one pass;
// wraps as the codecs do.
#define FZM_TARGET avx2
#include "kernels/fast/block_tile_avx2.h"
#include "kernels/fast/groups.h"
#include "kernels/tiled_lorenzo/tiled_lorenzo.h"

namespace fzm::fast {
namespace {

constexpr uint32_t kTileValues = 64;
constexpr uint32_t kUnit = 8 * kTileValues;
constexpr StageKey kStages[] = {{25, DType::i32}, {24, DType::i32}};
constexpr Chain kChain = {kStages, 2, kUnit};

avx2::Tiling tiling(const GroupIo& io) {
  const auto& c = *static_cast<const Context<TiledLorenzoParams, NoFacts>*>(io.stage[0].context);
  return avx2::tiling_of(c.params, c.extent);
}

// Where a tile lies in the field; moves on tile by tile.
struct Place {
  const avx2::Tiling& t;
  uint32_t tx, ty, tz;
  Place(const avx2::Tiling& tiles, uint32_t tile) : t(tiles) {
    tx = tile % t.across;
    ty = tile / t.across % t.down;
    tz = tile / t.across / t.down;
  }
  void next() {
    if (++tx < t.across) return;
    tx = 0;
    if (++ty < t.down) return;
    ty = 0;
    ++tz;
  }
  uint64_t first() const {
    return (uint64_t{tz} * t.z * t.ny + uint64_t{ty} * t.y) * t.nx + uint64_t{tx} * t.x;
  }
  uint32_t live_x() const { return t.nx - tx * t.x < t.x ? t.nx - tx * t.x : t.x; }
  uint32_t live_y() const { return t.ny - ty * t.y < t.y ? t.ny - ty * t.y : t.y; }
  uint32_t live_z() const { return t.nz - tz * t.z < t.z ? t.nz - tz * t.z : t.z; }
  bool is_whole() const { return live_x() == t.x && live_y() == t.y && live_z() == t.z; }
};

// Each shape: residuals of a whole tile whose first value is *q, rows `row` and planes `plane`
// values apart; and back.
struct Square {
  static constexpr uint32_t x = 8, y = 8, z = 1;
  static void forward(const int32_t* q, uint64_t row, uint64_t, int32_t* d) {
    const V turn = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    V above = zero();
    for (uint32_t i = 0; i < 8; ++i) {
      const V v = load(q + i * row);
      store(d + 8 * i, _mm256_sub_epi32(
                           v, _mm256_blend_epi32(_mm256_permutevar8x32_epi32(v, turn), above, 1)));
      above = v;
    }
  }
  static void inverse(const int32_t* d, uint64_t row, uint64_t, int32_t* q) {
    V column = zero();  // of the row above
    for (uint32_t i = 0; i < 8; ++i) {
      const V v = load(d + 8 * i);
      store(q + i * row, _mm256_add_epi32(sums(v), column));
      column = _mm256_add_epi32(column, _mm256_broadcastd_epi32(_mm256_castsi256_si128(v)));
    }
  }
};
struct Cube {  // a vector is two rows
  static constexpr uint32_t x = 4, y = 4, z = 4;
  static V rows(const int32_t* a, const int32_t* b) {
    return load_halves(reinterpret_cast<const uint8_t*>(a), reinterpret_cast<const uint8_t*>(b));
  }
  static void put_rows(V v, int32_t* a, int32_t* b) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(a), _mm256_castsi256_si128(v));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(b), _mm256_extracti128_si256(v, 1));
  }
  static void forward(const int32_t* q, uint64_t row, uint64_t plane, int32_t* d) {
    V behind = zero();  // the first rows of the plane before
    for (uint32_t i = 0; i < 4; ++i, q += plane, d += 16) {
      const V a = rows(q, q + row), b = rows(q + 2 * row, q + 3 * row);
      // Lanes 0 and 4: the value above, or behind.
      const V left_a = _mm256_blend_epi32(_mm256_slli_si256(a, 4),
                                          _mm256_permute2x128_si256(behind, a, 0x20), 0x11);
      const V left_b =
          _mm256_blend_epi32(_mm256_slli_si256(b, 4), _mm256_permute2x128_si256(a, b, 0x21), 0x11);
      store(d, _mm256_sub_epi32(a, left_a));
      store(d + 8, _mm256_sub_epi32(b, left_b));
      behind = a;
    }
  }
  static V row_sums(V v) {
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    return _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
  }
  static void inverse(const int32_t* d, uint64_t row, uint64_t plane, int32_t* q) {
    V corner = zero();
    for (uint32_t i = 0; i < 4; ++i, q += plane, d += 16) {
      const V a = load(d), b = load(d + 8), heads_a = _mm256_shuffle_epi32(a, 0),
              heads_b = _mm256_shuffle_epi32(b, 0);
      // What the first value of each row is relative to: all heads before it.
      const V start_a = _mm256_add_epi32(corner, _mm256_permute2x128_si256(heads_a, heads_a, 0x08));
      const V both_a = _mm256_add_epi32(heads_a, _mm256_permute2x128_si256(heads_a, heads_a, 0x01));
      const V start_b = _mm256_add_epi32(_mm256_add_epi32(corner, both_a),
                                         _mm256_permute2x128_si256(heads_b, heads_b, 0x08));
      put_rows(_mm256_add_epi32(row_sums(a), start_a), q, q + row);
      put_rows(_mm256_add_epi32(row_sums(b), start_b), q + 2 * row, q + 3 * row);
      corner = _mm256_add_epi32(corner, _mm256_permute2x128_si256(heads_a, heads_a, 0x00));
    }
  }
};
struct Line {
  static constexpr uint32_t x = 64, y = 1, z = 1;
  static void forward(const int32_t* q, uint64_t, uint64_t, int32_t* d) {
    V before = zero();
    for (uint32_t i = 0; i < 64; i += 8) {
      const V v = load(q + i);
      store(d + i, _mm256_sub_epi32(v, shift_in(before, v)));
      before = v;
    }
  }
  static void inverse(const int32_t* d, uint64_t, uint64_t, int32_t* q) {
    V carry = zero();
    for (uint32_t i = 0; i < 64; i += 8) {
      const V s = sums(load(d + i));
      store(q + i, _mm256_add_epi32(s, carry));
      carry = _mm256_add_epi32(carry, last_lane(s));
    }
  }
};

// Edge tiles: through a whole tile in memory. What lies outside has residual 0.
template <class Shape>
__attribute__((noinline)) void forward_edge(const int32_t* field, const Place& at, int32_t* d) {
  alignas(32) int32_t q[kTileValues] = {};
  const uint32_t live_x = at.live_x(), live_y = at.live_y(), live_z = at.live_z();
  const int32_t* const from = field + at.first();
  for (uint32_t z = 0; z < live_z; ++z)
    for (uint32_t y = 0; y < live_y; ++y)
      __builtin_memcpy(q + (z * Shape::y + y) * Shape::x,
                       from + (uint64_t{z} * at.t.ny + y) * at.t.nx, 4 * live_x);
  Shape::forward(q, Shape::x, Shape::x * Shape::y, d);
  for (uint32_t i = 0; i < kTileValues; ++i)
    if (i % Shape::x >= live_x || i / Shape::x % Shape::y >= live_y ||
        i / (Shape::x * Shape::y) >= live_z)
      d[i] = 0;
}
template <class Shape>
__attribute__((noinline)) void inverse_edge(const int32_t* d, const Place& at, int32_t* field) {
  alignas(32) int32_t q[kTileValues];
  Shape::inverse(d, Shape::x, Shape::x * Shape::y, q);
  int32_t* const to = field + at.first();
  for (uint32_t z = 0; z < at.live_z(); ++z)
    for (uint32_t y = 0; y < at.live_y(); ++y)
      __builtin_memcpy(to + (uint64_t{z} * at.t.ny + y) * at.t.nx,
                       q + (z * Shape::y + y) * Shape::x, 4 * at.live_x());
}

template <class Shape, class S>
bool encode_unit(const int32_t* field, Place& at, uint8_t* records, uint8_t*& payload) {
  alignas(32) int32_t d[kUnit];
  V ors[8];
  const V not0 = _mm256_setr_epi32(0, -1, -1, -1, -1, -1, -1, -1);
  const uint64_t row = at.t.nx, plane = uint64_t{at.t.nx} * at.t.ny;
  for (uint32_t b = 0; b < 8; ++b, at.next()) {
    int32_t* const e = d + kTileValues * b;
    if (at.is_whole())
      Shape::forward(field + at.first(), row, plane, e);
    else
      forward_edge<Shape>(field, at, e);
    V bits = _mm256_abs_epi32(load(e));
    if (S::first_apart) bits = _mm256_and_si256(bits, not0);
    for (uint32_t i = 8; i < kTileValues; i += 8)
      bits = _mm256_or_si256(bits, _mm256_abs_epi32(load(e + i)));
    ors[b] = bits;
  }
  BlockBits bits{or_each(ors), zero()};
  if (S::first_apart) bits.first = first_magnitudes<S>(d);
  if (!_mm256_testz_si256(_mm256_or_si256(bits.rest, bits.first),
                          all(static_cast<int32_t>(0xFF000000))))
    return false;
  put_blocks<S>(d, bits, records, payload);
  return true;
}

template <class Shape, class S>
bool encode(GroupIo& io) {
  const avx2::Tiling t = tiling(io);
  GroupIo::Stage& coder = io.stage[1];
  uint32_t at = 0;
  for (; io.count - at >= kUnit; at += kUnit) {
    uint8_t* payload = coder.piece[0] + coder.piece_bytes[0];
    Place place(t, (io.first + at) / kTileValues);
    if (coder.piece_room[0] - coder.piece_bytes[0] >= S::tile_payload &&
        encode_unit<Shape, S>(static_cast<const int32_t*>(io.in), place,
                              coder.records + at / kTileValues * S::record_bytes, payload))
      coder.piece_bytes[0] = static_cast<uint64_t>(payload - coder.piece[0]);
    else if (!slow_encode(io, kChain, at, kUnit, io.scratch))
      return false;
  }
  return at == io.count || slow_encode(io, kChain, at, io.count - at, io.scratch);
}

template <class Shape, class S>
bool decode_unit(GroupIo& io, const avx2::Tiling& t, uint32_t first, const uint8_t* records,
                 ReadCursor& cursor) {
  constexpr uint32_t kReadAhead = 64 * S::G;
  const GroupIo::Stage& coder = io.stage[1];
  const BlockSizes sizes = sizes_of<S>(records);
  const uint8_t* payload = coder.piece[0] + cursor.piece[1][0];
  const uint64_t left = coder.piece_room[0] - cursor.piece[1][0];
  if (!sizes.regular || left < sizes.bytes) return false;
  if (left < sizes.bytes + kReadAhead) {
    __builtin_memcpy(io.scratch, payload, sizes.bytes);
    payload = io.scratch;
  }
  int32_t* const field = static_cast<int32_t*>(io.out);
  const uint64_t row = t.nx, plane = uint64_t{t.nx} * t.ny;
  Place at(t, first / kTileValues);
  for (uint32_t b = 0; b < 8; ++b, at.next()) {
    alignas(32) int32_t d[kTileValues];
    get_block<S>(records + b * S::record_bytes, payload, d);
    if (at.is_whole())
      Shape::inverse(d, row, plane, field + at.first());
    else
      inverse_edge<Shape>(d, at, field);
  }
  cursor.piece[1][0] += sizes.bytes;
  return true;
}

template <class Shape, class S>
void decode(GroupIo& io) {
  const avx2::Tiling t = tiling(io);
  ReadCursor cursor;
  uint32_t at = 0;
  for (; io.count - at >= kUnit; at += kUnit)
    if (!decode_unit<Shape, S>(io, t, io.first + at,
                               io.stage[1].records + at / kTileValues * S::record_bytes, cursor))
      slow_decode(io, kChain, at, kUnit, cursor, io.scratch);
  if (at < io.count) slow_decode(io, kChain, at, io.count - at, cursor, io.scratch);
}

template <class Shape, bool kFirstApart>
constexpr FusedGroup group() {
  using S = BlockShape<2, true, kFirstApart>;
  return {encode<Shape, S>, decode<Shape, S>, kChain, S::tile_payload + 64 * S::G};
}
constexpr FusedGroup kSquare[] = {group<Square, false>(), group<Square, true>()};
constexpr FusedGroup kCube[] = {group<Cube, false>(), group<Cube, true>()};
constexpr FusedGroup kLine[] = {group<Line, false>(), group<Line, true>()};

}  // namespace

const FusedGroup* tiles_group_avx2(uint32_t x, uint32_t y, uint32_t z, bool first_apart) {
  if (x == 8 && y == 8 && z == 1) return &kSquare[first_apart];
  if (x == 4 && y == 4 && z == 4) return &kCube[first_apart];
  if (x == 64 && y == 1 && z == 1) return &kLine[first_apart];
  return nullptr;
}

}  // namespace fzm::fast
