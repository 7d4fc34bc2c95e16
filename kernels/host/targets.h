// Picks, once per process, the instruction set that codecs run with.
#pragma once
#include <span>

#include "core/stage/block_code.h"

namespace fzm {

enum class Target : uint8_t { generic, avx2, avx512 };

// The best set this CPU has and this build carries; FZM_TARGET in the environment ("generic", "avx2", "avx512") may ask for less.
Target host_target();

}  // namespace fzm

// Defines the codes() of a stage: FZM_CODES(lorenzo) gives `std::span<const BlockCode> lorenzo_codes()`.
#if defined(__x86_64__)
#if FZM_HAS_AVX512
#define FZM_AVX512_CODES(folder) case ::fzm::Target::avx512: return ::fzm::avx512::folder##_codes();
#else
#define FZM_AVX512_CODES(folder)
#endif
#define FZM_CODES(folder)                                                              \
  namespace fzm {                                                                      \
  namespace generic { std::span<const BlockCode> folder##_codes(); }                   \
  namespace avx2 { std::span<const BlockCode> folder##_codes(); }                      \
  namespace avx512 { std::span<const BlockCode> folder##_codes(); }                    \
  static std::span<const BlockCode> folder##_codes() {                                 \
    switch (host_target()) {                                                           \
      FZM_AVX512_CODES(folder)                                                         \
      case Target::avx2: return avx2::folder##_codes();                                \
      default: return generic::folder##_codes();                                       \
    }                                                                                  \
  }                                                                                    \
  }
#else
#define FZM_CODES(folder)                                                              \
  namespace fzm {                                                                      \
  namespace generic { std::span<const BlockCode> folder##_codes(); }                   \
  static std::span<const BlockCode> folder##_codes() { return generic::folder##_codes(); } \
  }
#endif
