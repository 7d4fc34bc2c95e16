// A codec from two functions on one value: K::forward(In, c) and K::inverse(Out, c).
#pragma once
#include "kernels/base/serial_group.h"

FZM_CODECS_BEGIN

template <class K, class InType, class OutType>
struct MapCodec {
  using In = InType;
  using Out = OutType;

  template <class C>
  FZM_HD static uint32_t granularity(const C&) { return 1; }
  template <class G, class C>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    const In* const in = static_cast<const In*>(io.in);
    Out* const out = static_cast<Out*>(io.out);
    g.each(io.count, [=](uint32_t i) { out[i] = K::forward(in[i], c); });
    return {};
  }
  template <class G, class C>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    const Out* const in = static_cast<const Out*>(io.in);
    In* const out = static_cast<In*>(io.out);
    g.each(io.count, [=](uint32_t i) { out[i] = K::inverse(in[i], c); });
  }
};

FZM_CODECS_END
