// Element types by number, for parameters that name one. The numbers are those of core/base/dtype.h.
#pragma once
#include "kernels/base/bits.h"

namespace fzm {
enum class DType : uint8_t;  // defined in core/base/dtype.h, which codecs don't include
inline constexpr DType kAutoType = static_cast<DType>(255);
}  // namespace fzm

FZM_CODECS_BEGIN

template <class T>
inline constexpr uint32_t kWidthLog2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
template <class T>
inline constexpr DType kElement =
    static_cast<DType>(kIsFloat<T> ? 6 + kWidthLog2<T> : (kIsSigned<T> ? 4 : 0) + kWidthLog2<T>);

// True where a type parameter names T or leaves the type open.
template <class T>
FZM_HD constexpr bool may_be(DType asked) { return asked == kAutoType || asked == kElement<T>; }

FZM_CODECS_END
