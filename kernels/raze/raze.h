// RAZE (LC): of words whose high bits are zero only the low bits are kept.
#pragma once
#include "kernels/lc/chunked.h"
#include "kernels/lc/word_coder.h"

FZM_CODECS_BEGIN

struct RazeRule {
  static constexpr bool kFromPrevious = false, kPacksRest = true;
};
template <class U>
using RazeCoder = WordCoder<RazeRule, U>;
using RazeVariants = ChunkedVariants<RazeCoder>;

FZM_CODECS_END
