// Codecs of the maps from signed to unsigned numbers (zigzag, negabinary): on typed values, and on raw bytes
// taken as words. K<S>::forward(S) and K<S>::inverse(unsigned) are the map.
#pragma once
#include "kernels/base/element.h"
#include "kernels/base/map.h"

namespace fzm {

struct SignMapParams {
  DType input_type = kAutoType;
  DType output_type = kAutoType;
  bool byte_transparent = false;
};

}  // namespace fzm

FZM_CODECS_BEGIN

template <template <class> class K, class S>
struct SignMapValues : MapCodec<SignMapValues<K, S>, S, Unsigned<S>> {
  using Params = SignMapParams;
  using Facts = NoFacts;
  using C = Context<Params, Facts>;
  static bool accepts(const Params& p) { return !p.byte_transparent && may_be<S>(p.input_type); }
  FZM_HD static Unsigned<S> forward(S v, const C&) { return K<S>::forward(v); }
  FZM_HD static S inverse(Unsigned<S> u, const C&) { return K<S>::inverse(u); }
};

// Bytes of any kind as little-endian words of S; an incomplete word at the end of the array stays as it is.
template <template <class> class K, class S>
struct SignMapBytes {
  using Params = SignMapParams;
  using Facts = NoFacts;
  using In = uint8_t;
  using Out = uint8_t;
  using C = Context<Params, Facts>;
  using U = Unsigned<S>;
  static bool accepts(const Params& p) { return p.byte_transparent && may_be<S>(p.input_type); }
  FZM_HD static uint32_t granularity(const C&) { return sizeof(S); }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C&) {
    const uint8_t* const in = static_cast<const uint8_t*>(io.in);
    uint8_t* const out = static_cast<uint8_t*>(io.out);
    const uint32_t words = io.count / sizeof(S);
    g.each(words, [=](uint32_t i) {
      const U v = load_le<U>(in + uint64_t{i} * sizeof(S));
      store_le<U>(out + uint64_t{i} * sizeof(S), K<S>::forward(static_cast<S>(v)));
    });
    keep_tail(g, in, out, io.count);
    return {};
  }
  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C&) {
    const uint8_t* const in = static_cast<const uint8_t*>(io.in);
    uint8_t* const out = static_cast<uint8_t*>(io.out);
    const uint32_t words = io.count / sizeof(S);
    g.each(words, [=](uint32_t i) {
      const U v = load_le<U>(in + uint64_t{i} * sizeof(S));
      store_le<U>(out + uint64_t{i} * sizeof(S), static_cast<U>(K<S>::inverse(v)));
    });
    keep_tail(g, in, out, io.count);
  }

 private:
  template <class G>
  FZM_HD static void keep_tail(G g, const uint8_t* in, uint8_t* out, uint32_t bytes) {
    const uint32_t tail = bytes % static_cast<uint32_t>(sizeof(S));
    g.copy(out + (bytes - tail), in + (bytes - tail), tail);
  }
};

template <template <class> class K>
using SignMapVariants =
    CodecList<SignMapValues<K, int8_t>, SignMapValues<K, int16_t>, SignMapValues<K, int32_t>, SignMapValues<K, int64_t>,
              SignMapBytes<K, int8_t>, SignMapBytes<K, int16_t>, SignMapBytes<K, int32_t>, SignMapBytes<K, int64_t>>;

FZM_CODECS_END
