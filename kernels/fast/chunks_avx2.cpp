// Values -> Difference -> Bitshuffle(4) -> RZE(1), in chunks of 16384 bytes: pfpl behind the
// Quantizer (in place), or lossless on any type of four bytes.
#define FZM_TARGET avx2
#include "kernels/difference/difference.h"
#include "kernels/fast/chunk_avx2.h"
#include "kernels/fast/chunk_fronts_avx2.h"
#include "kernels/fast/groups.h"

namespace fzm::fast {
namespace {

constexpr uint32_t kReadAhead = 64;
constexpr uint32_t kRawChunk = 1u << 31;  // in a record of RZE: the chunk is stored as it is

// Working memory of a chunk: some 50 KiB, most of it in L1 at any time.
struct ChunkWork {
  alignas(64) uint32_t mapped[kChunkValues];
  alignas(64) uint8_t shuffled[kChunkBytes];
  alignas(64) uint8_t column[4][kChunkValues];
  BitLevels levels;
  uint8_t kept[2048 + 64];
  alignas(64) uint8_t bounce[kRzeRoom];
};

template <class Front, class Map>
class Encoder {
 public:
  Encoder(GroupIo& io, const Chain& chain)
      : io_(io),
        coder_(io.stage[Front::kStage + 2]),
        chain_(chain),
        front_(io),
        w_(*reinterpret_cast<ChunkWork*>(io.scratch)) {}
  bool run() {
    uint32_t at = 0;
    for (; io_.count - at >= kChunkValues; at += kChunkValues)
      if (!fused_chunk(at) && !slow_encode(io_, chain_, at, kChunkValues, io_.scratch))
        return false;
    return at == io_.count || slow_encode(io_, chain_, at, io_.count - at, io_.scratch);
  }

 private:
  bool fused_chunk(uint32_t at) {
    front_.begin(at);
    const uint32_t bits = differences();
    const uint32_t used = bits ? 32 - static_cast<uint32_t>(__builtin_clz(bits)) : 0;
    // Planes above those used are neither made nor looked at.
    if (used <= 8)
      bit_shuffle<1>(w_.mapped, w_.shuffled);
    else if (used <= 16)
      bit_shuffle<2>(w_.mapped, w_.shuffled);
    else
      bit_shuffle<4>(w_.mapped, w_.shuffled);
    uint8_t* const to = coder_.piece[0] + coder_.piece_bytes[0];
    const uint64_t room = coder_.piece_room[0] - coder_.piece_bytes[0];
    uint8_t* const written = room >= kRzeRoom ? to : w_.bounce;
    uint32_t bytes = encode_rze(w_.shuffled, (32 - used) * kPlaneBytes, w_.levels, written),
             record = bytes;
    const uint8_t* from = written;
    if (bytes == 0) {
      bytes = kChunkBytes;
      record = kRawChunk | kChunkBytes;
      from = w_.shuffled;
    }
    if (bytes > room || !front_.finish()) return false;
    if (from != to) __builtin_memcpy(to, from, bytes);
    put(coder_.records + at / kChunkValues * 4, record);
    coder_.piece_bytes[0] += bytes;
    return true;
  }
  // The mapped differences; returns their OR.
  uint32_t differences() {
    const Front front = front_;
    V before = zero(), bits = zero();
    for (uint32_t i = 0; i < kChunkValues; i += 8) {
      const V c = front.code(i, front_);
      const V d = Map::forward(_mm256_sub_epi32(c, shift_in(before, c)));
      before = c;
      bits = _mm256_or_si256(bits, d);
      store(w_.mapped + i, d);
    }
    return or_lanes(bits);
  }

  GroupIo& io_;
  GroupIo::Stage& coder_;
  const Chain& chain_;
  Front front_;
  ChunkWork& w_;
};

template <class Front, class Map>
class Decoder {
 public:
  Decoder(GroupIo& io, const Chain& chain)
      : io_(io),
        coder_(io.stage[kCoder]),
        chain_(chain),
        front_(io),
        w_(*reinterpret_cast<ChunkWork*>(io.scratch)) {}
  void run() {
    uint32_t at = 0;
    for (; io_.count - at >= kChunkValues; at += kChunkValues)
      if (!fused_chunk(at)) slow_decode(io_, chain_, at, kChunkValues, cursor_, io_.scratch);
    if (at < io_.count) slow_decode(io_, chain_, at, io_.count - at, cursor_, io_.scratch);
    front_.end_range(cursor_);
  }

 private:
  static constexpr uint32_t kCoder = Front::kStage + 2;

  bool fused_chunk(uint32_t at) {
    const uint32_t record = get<uint32_t>(coder_.records + at / kChunkValues * 4);
    const uint32_t bytes = record & ~kRawChunk;
    const bool is_raw = (record & kRawChunk) != 0;
    const uint64_t left = coder_.piece_room[0] - cursor_.piece[kCoder][0];
    if (bytes > kChunkBytes || bytes > left || (is_raw && bytes != kChunkBytes)) return false;
    const uint8_t* from = coder_.piece[0] + cursor_.piece[kCoder][0];
    RzeRead read{true, 0};
    if (!is_raw) {
      if (left < bytes + kReadAhead) {
        __builtin_memcpy(w_.bounce, from, bytes);
        from = w_.bounce;
      }
      read = decode_rze(from, bytes, w_.levels, w_.kept, w_.shuffled);
      if (!read.good) return false;
      from = w_.shuffled;
    }
    put_values(at, from, 4 - read.zero);
    cursor_.piece[kCoder][0] += bytes;
    front_.end_chunk(at, cursor_);
    return true;
  }
  // From the planes of the low `columns` bytes.
  void put_values(uint32_t at, const uint8_t* planes, uint32_t columns) {
    for (uint32_t k = 0; k < columns; ++k)
      bit_unshuffle(planes + (3 - k) * 8 * kPlaneBytes, w_.column[k]);
    const auto byte = [this](uint32_t k, uint32_t i) { return load8(w_.column[k] + i); };
    switch (columns) {
      case 0:
        return sum(at, [](uint32_t) { return zero(); });
      case 1:
        return sum(at, [=](uint32_t i) { return _mm256_cvtepu8_epi32(byte(0, i)); });
      case 2:
        return sum(at, [=](uint32_t i) {
          return _mm256_cvtepu16_epi32(_mm_unpacklo_epi8(byte(0, i), byte(1, i)));
        });
      case 3:
        __builtin_memset(w_.column[3], 0, kChunkValues);
        [[fallthrough]];
      default:
        return sum(at, [=](uint32_t i) {
          const __m128i low = _mm_unpacklo_epi8(byte(0, i), byte(1, i)),
                        high = _mm_unpacklo_epi8(byte(2, i), byte(3, i));
          return _mm256_set_m128i(_mm_unpackhi_epi16(low, high), _mm_unpacklo_epi16(low, high));
        });
    }
  }
  template <class F>
  void sum(uint32_t at, F mapped) {
    const Front front = front_;
    V carry = zero();
    for (uint32_t i = 0; i < kChunkValues; i += 8) {
      const V s = sums(Map::inverse(mapped(i)));
      front.put_values(at, i, _mm256_add_epi32(s, carry));
      carry =
          _mm256_add_epi32(carry, last_lane(s));  // the chain from carry to carry is one addition
    }
  }

  GroupIo& io_;
  const GroupIo::Stage& coder_;
  const Chain& chain_;
  Front front_;
  ChunkWork& w_;
  ReadCursor cursor_;
};

// Bytes have no type behind the differences: any variant of that width is as good.
constexpr StageKey kQuantized[] = {
    {14, DType::f32}, {2, DType::unknown}, {17, DType::u32}, {18, DType::u32}};
constexpr StageKey kWhole[] = {{2, DType::unknown}, {17, DType::u32}, {18, DType::u32}};
template <class Front>
constexpr Chain kChain =
    Front::kStage ? Chain{kQuantized, 4, kChunkValues} : Chain{kWhole, 3, kChunkValues};

template <class Front, class Map>
constexpr FusedGroup group() {
  return {[](GroupIo& io) { return Encoder<Front, Map>(io, kChain<Front>).run(); },
          [](GroupIo& io) { Decoder<Front, Map>(io, kChain<Front>).run(); }, kChain<Front>,
          sizeof(ChunkWork)};
}
constexpr FusedGroup kPlain = group<Whole, Plain>();
constexpr FusedGroup kNegabinary[] = {group<Whole, Negabinary>(), group<Quantized, Negabinary>()};
constexpr FusedGroup kZigzag[] = {group<Whole, Zigzag>(), group<Quantized, Zigzag>()};

}  // namespace

const FusedGroup* chunks_group_avx2(bool quantized, DifferenceMode mode) {
  switch (mode) {
    case DifferenceMode::plain:
      return quantized ? nullptr : &kPlain;
    case DifferenceMode::negabinary:
      return &kNegabinary[quantized];
    case DifferenceMode::zigzag:
      return &kZigzag[quantized];
    default:
      return nullptr;
  }
}

}  // namespace fzm::fast
