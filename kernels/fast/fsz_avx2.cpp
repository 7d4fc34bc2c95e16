// Quantizer (linear, float) -> AdaptiveLorenzo (8 blocks) -> AdaptiveBitpack(32, plain): a tile of
// 256 values in one pass.
#define FZM_TARGET avx2
#include "kernels/adaptive_lorenzo/adaptive_lorenzo.h"
#include "kernels/fast/escapes_avx2.h"
#include "kernels/fast/fsz_tile_avx2.h"
#include "kernels/fast/groups.h"

namespace fzm::fast {
namespace {

constexpr StageKey kStages[] = {{14, DType::f32}, {34, DType::i32}, {24, DType::i32}};
constexpr uint32_t kUnit = 4 * kTile;  // tiles whose modes share a byte
constexpr Chain kChain = {kStages, 3, kUnit};
constexpr uint32_t kReadAhead = 64;  // get_planes reads up to this much beyond a block

Grid grid_of(const GroupIo& io) {
  using Q = avx2::UniformQuantizer<float, int32_t, avx2::Spelling::linear>;
  return Q::grid_of(*static_cast<const Q::C*>(io.stage[0].context));
}
const AdaptiveLorenzoParams& predictor(const GroupIo& io) {
  return static_cast<const Context<AdaptiveLorenzoParams, NoFacts>*>(io.stage[1].context)->params;
}

class Encoder {
 public:
  explicit Encoder(GroupIo& io)
      : io_(io), x_(static_cast<const float*>(io.in)), grid_(grid_of(io)) {
    const AdaptiveLorenzoParams& p = predictor(io);
    ban_[1] = p.enable_order2 ? 0 : kOff;
    ban_[2] = p.enable_centering ? 0 : kOff;
    ban_[3] = ban_[1] | ban_[2];
  }
  bool run() {
    uint32_t at = 0;
    for (; io_.count - at >= kUnit; at += kUnit)
      if (!fused_unit(at) && !slow_encode(io_, kChain, at, kUnit, io_.scratch)) return false;
    return at == io_.count || slow_encode(io_, kChain, at, io_.count - at, io_.scratch);
  }

 private:
  static constexpr uint32_t kOff = 1u << 31;

  bool fused_unit(uint32_t at) {
    GroupIo::Stage& predictor_io = io_.stage[1];
    GroupIo::Stage& coder_io = io_.stage[2];
    if (coder_io.piece_room[0] - coder_io.piece_bytes[0] < 4 * kTilePayload) return false;
    if (predictor_io.piece_room[0] - predictor_io.piece_bytes[0] < 4 * 4 && !(ban_[2] & kOff))
      return false;
    EscapeSink list = escapes_of(io_.stage[0]);
    TileSink o{coder_io.records + at / 32, predictor_io.piece[0] + predictor_io.piece_bytes[0],
               coder_io.piece[0] + coder_io.piece_bytes[0]};
    uint32_t modes = 0;
    for (uint32_t t = 0; t < 4; ++t) {
      int32_t mode = is_rough_ ? -1 : encode_tile(Floats(x_ + at + t * kTile, grid_), ban_, o);
      if (mode < 0) mode = rough_tile(at + t * kTile, list, o);
      if (mode < 0) return false;
      modes |= static_cast<uint32_t>(mode) << (2 * t);
    }
    predictor_io.records[at / kUnit] = static_cast<uint8_t>(modes);
    predictor_io.piece_bytes[0] = static_cast<uint64_t>(o.means - predictor_io.piece[0]);
    coder_io.piece_bytes[0] = static_cast<uint64_t>(o.payload - coder_io.piece[0]);
    keep_escapes(io_.stage[0], list);
    return true;
  }
  __attribute__((noinline)) int32_t rough_tile(uint32_t at, EscapeSink& list, TileSink& o) {
    alignas(32) int32_t q[kTile];
    const Exactness e = quantize_exactly(x_ + at, kTile, io_.first + at, grid_, list, q);
    is_rough_ = e != Exactness::all_quick;
    return e == Exactness::impossible ? -1 : encode_tile(Ints(q), ban_, o);
  }

  GroupIo& io_;
  const float* x_;
  Grid grid_;
  uint32_t ban_[4] = {};
  bool is_rough_ =
      false;  // the tile before had values that are not quick: likely the next one has, too
};

class Decoder {
 public:
  explicit Decoder(GroupIo& io) : io_(io), grid_(grid_of(io)) {}
  void run() {
    uint32_t at = 0;
    for (; io_.count - at >= kUnit; at += kUnit)
      if (!fused_unit(at)) slow_decode(io_, kChain, at, kUnit, cursor_, io_.scratch);
    if (at < io_.count) slow_decode(io_, kChain, at, io_.count - at, cursor_, io_.scratch);
    check_escapes(io_, cursor_.piece[0]);
  }

 private:
  bool fused_unit(uint32_t at) {
    const uint8_t* const rates = io_.stage[2].records + at / 32;
    const V r = load(rates);
    if (!_mm256_testz_si256(_mm256_subs_epu8(r, _mm256_set1_epi8(32)), all(-1)))
      return false;  // the codec says what is wrong
    const uint32_t payload_bytes =
        4 * total_bytes(_mm256_add_epi8(r, _mm256_min_epu8(r, _mm256_set1_epi8(1))));
    const uint8_t* payload = io_.stage[2].piece[0] + cursor_.piece[2][0];
    const uint64_t left = io_.stage[2].piece_room[0] - cursor_.piece[2][0];
    if (left < payload_bytes) return false;
    if (left < payload_bytes + kReadAhead) {
      __builtin_memcpy(io_.scratch, payload, payload_bytes);
      payload = io_.scratch;
    }
    const uint32_t modes = io_.stage[1].records[at / kUnit];
    const uint64_t mean_bytes = 4 * static_cast<uint64_t>(__builtin_popcount(modes & 0xAA));
    if (io_.stage[1].piece_room[0] - cursor_.piece[1][0] < mean_bytes) return false;
    const uint8_t* means = io_.stage[1].piece[0] + cursor_.piece[1][0];
    float* const out = static_cast<float*>(io_.out) + at;
    for (uint32_t t = 0; t < 4; ++t)
      decode_tile(rates + 8 * t, modes >> (2 * t) & 3, means, payload, out + t * kTile);
    cursor_.piece[1][0] += mean_bytes;
    cursor_.piece[2][0] += payload_bytes;
    put_escapes(io_, at, kUnit, cursor_.piece[0]);
    return true;
  }

  void decode_tile(const uint8_t* rates, uint32_t mode, const uint8_t*& means,
                   const uint8_t*& payload, float* out) const {
    alignas(32) int32_t d[kTile];
    uint64_t seen = 0, eight = get<uint64_t>(rates);
    const uint8_t* p = payload;
    for (uint32_t b = 0; b < 8; ++b, eight >>= 8) {
      const uint32_t rate = eight & 255, words = rate + (rate > 0);
      seen |= uint64_t{1} << rate;
      get_planes<1>(p, words, d + 32 * b);
      p += 4 * words;
    }
    payload = p;
    int32_t mean = 0;
    if (mode & 2) {
      mean = get<int32_t>(means);
      means += 4;
    }
    // Residuals below 2^r sum to at most 2^(r+8), or 2^(r+16) in two sums. Up to 2^24, floats are
    // exact.
    const bool small = seen < (mode & 1 ? 1u << 8 : 1u << 16) &&
                       static_cast<uint32_t>(mean + (1 << 22)) < (1u << 23);
    if (mode & 1)
      small ? sum_tile<true, true>(d, mean, out) : sum_tile<true, false>(d, mean, out);
    else
      small ? sum_tile<false, true>(d, mean, out) : sum_tile<false, false>(d, mean, out);
  }
  template <bool kTwice, bool kSmall>
  void sum_tile(const int32_t* d, int32_t mean, float* out) const {
    const Grid grid = grid_;
    V carry = all(mean), carry1 = zero();
    for (uint32_t i = 0; i < kTile / 8; ++i) {
      V s = sums(load(d + 8 * i));
      if constexpr (kTwice) {
        const V first = _mm256_add_epi32(s, carry1);
        carry1 = _mm256_add_epi32(
            carry1,
            last_lane(s));  // not from `first`: the chain from carry to carry is one addition
        s = sums(first);
      }
      const V q = _mm256_add_epi32(s, carry);
      carry = _mm256_add_epi32(carry, last_lane(s));
      _mm256_storeu_ps(out + 8 * i, reconstructed<kSmall>(q, grid));
    }
  }

  GroupIo& io_;
  Grid grid_;
  ReadCursor cursor_;
};

constexpr FusedGroup kGroup = {[](GroupIo& io) { return Encoder(io).run(); },
                               [](GroupIo& io) { Decoder(io).run(); }, kChain,
                               4 * kTilePayload + kReadAhead};

}  // namespace

const FusedGroup* fsz_group_avx2() { return &kGroup; }

}  // namespace fzm::fast
