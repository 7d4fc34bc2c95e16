// RARE (LC): of words whose high bits are those of the word before only the low bits are kept.
#pragma once
#include "kernels/lc/chunked.h"
#include "kernels/lc/word_coder.h"

FZM_CODECS_BEGIN

struct RareRule {
  static constexpr bool kFromPrevious = true, kPacksRest = true;
};
template <class U>
using RareCoder = WordCoder<RareRule, U>;
using RareVariants = ChunkedVariants<RareCoder>;

FZM_CODECS_END
