// Bit planes of each block, the highest first, so that the zeros of small numbers stand together. See bitshuffle.md.
#pragma once
#include "kernels/base/codec.h"
#include "kernels/base/map.h"

namespace fzm {

struct BitshuffleParams {
  uint32_t block_size = 16384;  // bytes; a multiple of 1024 * element_width
  uint32_t element_width = 0;   // bytes; 0: that of the element type
};

}  // namespace fzm

FZM_CODECS_BEGIN

// Everything but the element type, so that it is compiled once for all of them.
struct BitshuffleBytes {
  template <class G>
  FZM_HD static void encode(G g, const uint8_t* in, uint8_t* out, uint32_t bytes, uint32_t block, uint32_t width) {
    uint32_t at = 0;
    for (; block <= bytes - at; at += block) switch (width) {
        case 1: g.template shuffle_bits<uint8_t, false>(in + at, block, out + at); break;
        case 2: g.template shuffle_bits<uint16_t, false>(in + at, block / 2, out + at); break;
        case 4: g.template shuffle_bits<uint32_t, true>(in + at, block / 4, out + at); break;
        default: g.template shuffle_bits<uint64_t, true>(in + at, block / 8, out + at); break;
      }
    g.copy(out + at, in + at, bytes - at);
  }
  template <class G>
  FZM_HD static void decode(G g, const uint8_t* in, uint8_t* out, uint32_t bytes, uint32_t block, uint32_t width) {
    uint32_t at = 0;
    for (; block <= bytes - at; at += block) switch (width) {
        case 1: g.template unshuffle_bits<uint8_t, false>(in + at, block, out + at); break;
        case 2: g.template unshuffle_bits<uint16_t, false>(in + at, block / 2, out + at); break;
        case 4: g.template unshuffle_bits<uint32_t, true>(in + at, block / 4, out + at); break;
        default: g.template unshuffle_bits<uint64_t, true>(in + at, block / 8, out + at); break;
      }
    g.copy(out + at, in + at, bytes - at);
  }
};

template <class T>
struct Bitshuffle {
  using Params = BitshuffleParams;
  using Facts = NoFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = T;
  static constexpr uint32_t kElementBytes = sizeof(T);

  FZM_HD static uint32_t granularity(const C& c) { return c.params.block_size / kElementBytes; }
  FZM_HD static uint32_t width(const C& c) { return c.params.element_width ? c.params.element_width : kElementBytes; }
  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    BitshuffleBytes::encode(g, static_cast<const uint8_t*>(io.in), static_cast<uint8_t*>(io.out), io.count * kElementBytes,
                            c.params.block_size, width(c));
    return {};
  }
  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    BitshuffleBytes::decode(g, static_cast<const uint8_t*>(io.in), static_cast<uint8_t*>(io.out), io.count * kElementBytes,
                            c.params.block_size, width(c));
  }
};

using BitshuffleVariants = CodecList<Bitshuffle<uint8_t>, Bitshuffle<uint16_t>, Bitshuffle<uint32_t>, Bitshuffle<uint64_t>,
                                     Bitshuffle<int8_t>, Bitshuffle<int16_t>, Bitshuffle<int32_t>, Bitshuffle<int64_t>,
                                     Bitshuffle<float>, Bitshuffle<double>>;

FZM_CODECS_END
