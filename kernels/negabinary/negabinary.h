// Signed to unsigned in base -2: numbers near zero of either sign have few significant bits, and no bit is a sign.
#pragma once
#include "kernels/base/sign_map.h"

FZM_CODECS_BEGIN

template <class S>
struct Negabinary {
  FZM_HD static Unsigned<S> forward(S v) { return negabinary(v); }
  FZM_HD static S inverse(Unsigned<S> u) { return unnegabinary(u); }
};

using NegabinaryVariants = SignMapVariants<Negabinary>;

FZM_CODECS_END
