// LC's container as a pack: an array of any type, seen as bytes, in chunks that are coded alone. A record is a chunk's
// stored size, piece 0 the chunks end to end. Coder<U> codes one chunk of words U (see word_coder.h for its members).
#pragma once
#include "kernels/base/bits.h"
#include "kernels/base/codec.h"
#include "kernels/base/map.h"

namespace fzm {

struct LcParams {
  uint32_t chunk_size = 16384;  // bytes
  uint32_t word_size = 1;       // bytes
};

}  // namespace fzm

FZM_CODECS_BEGIN

inline constexpr uint32_t kRawChunk = 0x80000000u;  // in a record: the chunk is stored as it is
inline constexpr uint32_t kChunkSlack = 64;         // coders may write so much beyond a chunk

// Everything but the element type, so that it is compiled once for all of them.
template <template <class U> class Coder>
struct ChunkedBytes {
  FZM_HD static uint32_t scratch_bytes(const LcParams& p) {
    return p.word_size == 1   ? Coder<uint8_t>::scratch_bytes(p.chunk_size)
           : p.word_size == 2 ? Coder<uint16_t>::scratch_bytes(p.chunk_size)
           : p.word_size == 4 ? Coder<uint32_t>::scratch_bytes(p.chunk_size)
                              : Coder<uint64_t>::scratch_bytes(p.chunk_size);
  }
  template <class G>
  FZM_HD static uint32_t encode(G g, const uint8_t* in, uint32_t bytes, const LcParams& p, const BlockIo& io) {
    switch (p.word_size) {
      case 1: return encode_words<Coder<uint8_t>>(g, in, bytes, p.chunk_size, io);
      case 2: return encode_words<Coder<uint16_t>>(g, in, bytes, p.chunk_size, io);
      case 4: return encode_words<Coder<uint32_t>>(g, in, bytes, p.chunk_size, io);
      default: return encode_words<Coder<uint64_t>>(g, in, bytes, p.chunk_size, io);
    }
  }
  template <class G>
  FZM_HD static void decode(G g, uint8_t* out, uint32_t bytes, const LcParams& p, const BlockIo& io) {
    switch (p.word_size) {
      case 1: return decode_words<Coder<uint8_t>>(g, out, bytes, p.chunk_size, io);
      case 2: return decode_words<Coder<uint16_t>>(g, out, bytes, p.chunk_size, io);
      case 4: return decode_words<Coder<uint32_t>>(g, out, bytes, p.chunk_size, io);
      default: return decode_words<Coder<uint64_t>>(g, out, bytes, p.chunk_size, io);
    }
  }

 private:
  template <class K, class G>
  FZM_APART FZM_HD static uint32_t encode_words(G g, const uint8_t* in, uint32_t bytes, uint32_t chunk, const BlockIo& io) {
    uint8_t* out = io.piece[0];
    uint8_t* record = io.records;
    for (uint32_t at = 0; at < bytes; at += chunk, record += 4) {
      const uint32_t live = least(chunk, bytes - at);
      uint32_t size = K::encode(g, in + at, live, chunk, live, out, io.scratch);
      const bool raw = size == 0;
      if (raw) g.copy(out, in + at, size = live);
      g.once([=] { store_le(record, raw ? size | kRawChunk : size); });
      out += size;
    }
    return static_cast<uint32_t>(out - io.piece[0]);
  }
  template <class K, class G>
  FZM_APART FZM_HD static void decode_words(G g, uint8_t* out, uint32_t bytes, uint32_t chunk, const BlockIo& io) {
    const uint8_t* in = io.piece[0];
    uint32_t left = io.piece_bytes[0];
    const uint8_t* record = io.records;
    for (uint32_t at = 0; at < bytes; at += chunk, record += 4) {
      const uint32_t live = least(chunk, bytes - at);
      const uint32_t word = load_le<uint32_t>(record), size = word & ~kRawChunk;
      const bool bad_size = size > chunk || size > left || ((word & kRawChunk) != 0 && size != live);
      g.fault_if(bad_size, Fault::bad_record);
      bool good = !bad_size;
      if (good) {
        if (word & kRawChunk) {
          g.copy(out + at, in, live);
        } else {
          good = K::decode(g, in, size, out + at, live, chunk, io.scratch);
          g.fault_if(!good, Fault::bad_payload);
        }
      }
      if (!good) g.clear(out + at, live);
      const uint32_t step = least(least(size, chunk), left);  // as in piece_bytes()
      in += step;
      left -= step;
    }
    g.fault_if(left != 0, Fault::bad_payload);
  }
};

template <template <class U> class Coder, class T>
struct Chunked {
  using Params = LcParams;
  using Facts = NoFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = uint8_t;
  static constexpr uint32_t kElementBytes = sizeof(T);

  FZM_HD static uint32_t chunks(uint32_t count, const C& c) { return ceil_div(count, granularity(c)); }
  FZM_HD static uint32_t granularity(const C& c) { return c.params.chunk_size / kElementBytes; }
  FZM_HD static uint32_t record_bytes(uint32_t count, const C& c) { return 4 * chunks(count, c); }
  FZM_HD static uint32_t max_piece_bytes(uint32_t, uint32_t count, const C&) { return count * kElementBytes + kChunkSlack; }
  FZM_HD static uint32_t piece_bytes(uint32_t, const uint8_t* records, uint32_t count, const C& c) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < chunks(count, c); ++i)
      sum += least(load_le<uint32_t>(records + 4 * i) & ~kRawChunk, c.params.chunk_size);
    return sum;
  }
  FZM_HD static uint32_t scratch_bytes(uint32_t, const C& c) { return ChunkedBytes<Coder>::scratch_bytes(c.params); }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const uint8_t* const in = static_cast<const uint8_t*>(io.in);
    return {{ChunkedBytes<Coder>::encode(g, in, io.count * kElementBytes, c.params, io)}};
  }
  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    ChunkedBytes<Coder>::decode(g, static_cast<uint8_t*>(io.out), io.count * kElementBytes, c.params, io);
  }
};

// Bytes have no type: every element type is accepted.
template <template <class U> class Coder>
using ChunkedVariants = CodecList<Chunked<Coder, uint8_t>, Chunked<Coder, uint16_t>, Chunked<Coder, uint32_t>, Chunked<Coder, uint64_t>,
                                  Chunked<Coder, int8_t>, Chunked<Coder, int16_t>, Chunked<Coder, int32_t>, Chunked<Coder, int64_t>,
                                  Chunked<Coder, float>, Chunked<Coder, double>>;

FZM_CODECS_END
