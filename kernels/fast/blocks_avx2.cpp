// Quantizer (linear, float) -> [Lorenzo inside blocks ->] AdaptiveBitpack with the same blocks:
// cuszp, cuszp2, szp and cuszp3_fixed. Eight blocks in one pass.
#define FZM_TARGET avx2
#include "kernels/fast/block_tile_avx2.h"
#include "kernels/fast/escapes_avx2.h"
#include "kernels/fast/groups.h"

namespace fzm::fast {
namespace {

constexpr StageKey kWithLorenzo[] = {{14, DType::f32}, {12, DType::i32}, {24, DType::i32}};
constexpr StageKey kWithout[] = {{14, DType::f32}, {24, DType::i32}};

template <class S>
constexpr Chain chain_of() {
  return S::differences ? Chain{kWithLorenzo, 3, S::tile} : Chain{kWithout, 2, S::tile};
}

Grid grid_of(const GroupIo& io) {
  using Q = avx2::UniformQuantizer<float, int32_t, avx2::Spelling::linear>;
  return Q::grid_of(*static_cast<const Q::C*>(io.stage[0].context));
}

template <class S>
class Encoder {
 public:
  explicit Encoder(GroupIo& io)
      : io_(io),
        coder_(io.stage[S::differences ? 2 : 1]),
        x_(static_cast<const float*>(io.in)),
        grid_(grid_of(io)) {}
  bool run() {
    uint32_t at = 0;
    for (; io_.count - at >= S::tile; at += S::tile)
      if (!fused_tile(at) && !slow_encode(io_, chain_of<S>(), at, S::tile, io_.scratch))
        return false;
    return at == io_.count || slow_encode(io_, chain_of<S>(), at, io_.count - at, io_.scratch);
  }

 private:
  bool fused_tile(uint32_t at) {
    if (coder_.piece_room[0] - coder_.piece_bytes[0] < S::tile_payload) return false;
    uint8_t* const records = coder_.records + at / S::block * S::record_bytes;
    uint8_t* payload = coder_.piece[0] + coder_.piece_bytes[0];
    if (is_rough_ || !encode_blocks<S>(Floats(x_ + at, grid_), records, payload))
      if (!rough_tile(at, records, payload)) return false;
    coder_.piece_bytes[0] = static_cast<uint64_t>(payload - coder_.piece[0]);
    return true;
  }
  __attribute__((noinline)) bool rough_tile(uint32_t at, uint8_t* records, uint8_t*& payload) {
    alignas(32) int32_t q[S::tile];
    EscapeSink list = escapes_of(io_.stage[0]);
    const Exactness e = quantize_exactly(x_ + at, S::tile, io_.first + at, grid_, list, q);
    is_rough_ = e != Exactness::all_quick;
    if (e == Exactness::impossible) return false;
    encode_blocks<S>(Ints(q), records, payload);
    keep_escapes(io_.stage[0], list);
    return true;
  }

  GroupIo& io_;
  GroupIo::Stage& coder_;
  const float* x_;
  Grid grid_;
  bool is_rough_ =
      false;  // the tile before had values that are not quick: likely the next one has, too
};

template <class S>
class Decoder {
 public:
  explicit Decoder(GroupIo& io) : io_(io), coder_(io.stage[kCoder]), grid_(grid_of(io)) {}
  void run() {
    uint32_t at = 0;
    for (; io_.count - at >= S::tile; at += S::tile)
      if (!fused_tile(at)) slow_decode(io_, chain_of<S>(), at, S::tile, cursor_, io_.scratch);
    if (at < io_.count) slow_decode(io_, chain_of<S>(), at, io_.count - at, cursor_, io_.scratch);
    check_escapes(io_, cursor_.piece[0]);
  }

 private:
  static constexpr uint32_t kCoder = S::differences ? 2 : 1, kReadAhead = 64 * S::G;

  bool fused_tile(uint32_t at) {
    const uint8_t* const records = coder_.records + at / S::block * S::record_bytes;
    const BlockSizes sizes = sizes_of<S>(records);
    const uint8_t* payload = coder_.piece[0] + cursor_.piece[kCoder][0];
    const uint64_t left = coder_.piece_room[0] - cursor_.piece[kCoder][0];
    if (!sizes.regular || left < sizes.bytes) return false;
    if (left < sizes.bytes + kReadAhead) {
      __builtin_memcpy(io_.scratch, payload, sizes.bytes);
      payload = io_.scratch;
    }
    float* const out = static_cast<float*>(io_.out) + at;
    for (uint32_t b = 0; b < 8; ++b) {
      alignas(32) int32_t d[S::block];
      if (get_block<S>(records + b * S::record_bytes, payload, d))
        sum_block<true>(d, out + b * S::block);
      else
        sum_block<false>(d, out + b * S::block);
    }
    cursor_.piece[kCoder][0] += sizes.bytes;
    put_escapes(io_, at, S::tile, cursor_.piece[0]);
    return true;
  }
  template <bool kSmall>
  void sum_block(const int32_t* d, float* out) const {
    const Grid grid = grid_;
    V carry = zero();
    for (uint32_t i = 0; i < S::block; i += 8) {
      V q = load(d + i);
      if constexpr (S::differences) {
        const V s = sums(q);
        q = _mm256_add_epi32(s, carry);
        carry = _mm256_add_epi32(
            carry, last_lane(s));  // not from q: the chain from carry to carry is one addition
      }
      _mm256_storeu_ps(out + i, reconstructed<kSmall>(q, grid));
    }
  }

  GroupIo& io_;
  const GroupIo::Stage& coder_;
  Grid grid_;
  ReadCursor cursor_;
};

struct BlocksGroup {
  uint32_t block;
  bool differences, first_apart;
  FusedGroup code;
};
template <uint32_t kGroups, bool kDifferences, bool kFirstApart>
constexpr BlocksGroup group() {
  using S = BlockShape<kGroups, kDifferences, kFirstApart>;
  return {
      S::block,
      kDifferences,
      kFirstApart,
      {[](GroupIo& io) { return Encoder<S>(io).run(); }, [](GroupIo& io) { Decoder<S>(io).run(); },
       chain_of<S>(), S::tile_payload + 64 * kGroups}};
}
constexpr BlocksGroup kGroups[] = {
    group<1, true, false>(),  group<1, true, true>(),  group<2, true, false>(),
    group<2, true, true>(),   group<4, true, false>(), group<4, true, true>(),
    group<2, false, false>(),
};

}  // namespace

const FusedGroup* blocks_group_avx2(uint32_t block, bool differences, bool first_apart) {
  for (const BlocksGroup& g : kGroups)
    if (g.block == block && g.differences == differences && g.first_apart == first_apart)
      return &g.code;
  return nullptr;
}

}  // namespace fzm::fast
