// RZE (LC): words that are zero are dropped.
#pragma once
#include "kernels/lc/chunked.h"
#include "kernels/lc/word_coder.h"

FZM_CODECS_BEGIN

struct RzeRule {
  static constexpr bool kFromPrevious = false, kPacksRest = false;
};
template <class U>
using RzeCoder = WordCoder<RzeRule, U>;
using RzeVariants = ChunkedVariants<RzeCoder>;

FZM_CODECS_END
