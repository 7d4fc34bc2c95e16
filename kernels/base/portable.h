// What every codec may rely on: fixed-width names, FZM_HD, a view, the target's namespace.
// Freestanding: this file must also compile under NVRTC, where no system header exists.
#pragma once

#if defined(__CUDACC_RTC__)
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
#if defined(__CUDACC__)  // known to NVRTC under their plain names only
#define __builtin_memcpy memcpy
#define __builtin_memset memset
#endif
#else
#include <cstddef>
#include <cstdint>
#endif

#if defined(__CUDACC__)
#define FZM_HD __host__ __device__ inline
#define FZM_D __device__ inline
#define FZM_APART __noinline__
#else
#define FZM_HD inline
#define FZM_D inline
#define FZM_APART
#endif
// FZM_APART: before a large function that many GPU kernels share. It is compiled once for all of them, and called;
// otherwise the GPU compiler pastes every function into every kernel, which takes it minutes.

// Codec text is compiled once per instruction set (generic, avx2, avx512, device). Each copy lives in
// a namespace of its own, so that the linker can never keep a vectorised copy for everybody.
#ifndef FZM_TARGET
#define FZM_TARGET generic
#endif
#define FZM_CODECS_BEGIN namespace fzm::FZM_TARGET {
#define FZM_CODECS_END }

// Iterations are independent: what `each` promises, told to the vectoriser.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define FZM_IVDEP _Pragma("GCC ivdep")
#elif defined(__clang__) && !defined(__CUDACC__)
#define FZM_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define FZM_IVDEP
#endif
