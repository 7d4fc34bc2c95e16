// RRE (LC): words equal to the one before them are dropped.
#pragma once
#include "kernels/lc/chunked.h"
#include "kernels/lc/word_coder.h"

FZM_CODECS_BEGIN

struct RreRule {
  static constexpr bool kFromPrevious = true, kPacksRest = false;
};
template <class U>
using RreCoder = WordCoder<RreRule, U>;
using RreVariants = ChunkedVariants<RreCoder>;

FZM_CODECS_END
