// Signed to unsigned, so that numbers near zero have few significant bits: 0, -1, 1, -2, ... -> 0, 1, 2, 3, ...
#pragma once
#include "kernels/base/sign_map.h"

FZM_CODECS_BEGIN

template <class S>
struct Zigzag {
  FZM_HD static Unsigned<S> forward(S v) { return zigzag(v); }
  FZM_HD static S inverse(Unsigned<S> u) { return unzigzag(u); }
};

using ZigzagVariants = SignMapVariants<Zigzag>;

FZM_CODECS_END
