// Integer and floating-point bit operations shared by all codecs. Everything here is exact and has the
// same value on every machine.
#pragma once
#include "kernels/base/portable.h"

FZM_CODECS_BEGIN

// --- type maps (no <type_traits> under NVRTC) ---------------------------------------------------
template <uint32_t Bytes>
struct WordOf;
template <>
struct WordOf<1> { using U = uint8_t; using S = int8_t; };
template <>
struct WordOf<2> { using U = uint16_t; using S = int16_t; };
template <>
struct WordOf<4> { using U = uint32_t; using S = int32_t; using F = float; };
template <>
struct WordOf<8> { using U = uint64_t; using S = int64_t; using F = double; };

template <class T>
using Unsigned = typename WordOf<sizeof(T)>::U;
template <class T>
using Signed = typename WordOf<sizeof(T)>::S;

template <class A, class B>
inline constexpr bool kSame = false;
template <class A>
inline constexpr bool kSame<A, A> = true;
template <class T>
inline constexpr bool kIsFloat = kSame<T, float> || kSame<T, double>;
template <class T>
inline constexpr bool kIsSigned = T(-1) < T(0);

template <class To, class From>
FZM_HD To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

// --- counting --------------------------------------------------------------------------------------
// Number of bits needed to write v: 0 for 0.
FZM_HD uint32_t bit_length(uint64_t v) {
#if defined(__CUDA_ARCH__)
  return 64 - static_cast<uint32_t>(__clzll(static_cast<long long>(v)));
#else
  return v ? 64 - static_cast<uint32_t>(__builtin_clzll(v)) : 0;
#endif
}
FZM_HD uint32_t bit_length(uint32_t v) {
#if defined(__CUDA_ARCH__)
  return 32 - static_cast<uint32_t>(__clz(static_cast<int>(v)));
#else
  return v ? 32 - static_cast<uint32_t>(__builtin_clz(v)) : 0;
#endif
}
FZM_HD uint32_t bit_length(uint16_t v) { return bit_length(static_cast<uint32_t>(v)); }
FZM_HD uint32_t bit_length(uint8_t v) { return bit_length(static_cast<uint32_t>(v)); }

FZM_HD uint32_t count_ones(uint32_t v) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__popc(v));
#else
  return static_cast<uint32_t>(__builtin_popcount(v));
#endif
}

template <class T>
FZM_HD T least(T a, T b) { return b < a ? b : a; }
template <class T>
FZM_HD T greatest(T a, T b) { return a < b ? b : a; }

FZM_HD constexpr uint32_t ceil_div(uint32_t a, uint32_t b) { return a / b + (a % b != 0); }

// --- signed <-> unsigned maps ----------------------------------------------------------------------
template <class S>
FZM_HD Unsigned<S> zigzag(S v) {
  using U = Unsigned<S>;
  return static_cast<U>(static_cast<U>(static_cast<U>(v) << 1) ^ static_cast<U>(v < 0 ? ~U(0) : U(0)));
}
template <class U>
FZM_HD Signed<U> unzigzag(U u) {
  return static_cast<Signed<U>>(static_cast<U>(u >> 1) ^ static_cast<U>(U(0) - static_cast<U>(u & 1)));
}
template <class U>
inline constexpr U kNegabinaryMask = static_cast<U>(0xAAAAAAAAAAAAAAAAull);
template <class S>
FZM_HD Unsigned<S> negabinary(S v) {
  using U = Unsigned<S>;
  return static_cast<U>(static_cast<U>(static_cast<U>(v) + kNegabinaryMask<U>) ^ kNegabinaryMask<U>);
}
template <class U>
FZM_HD Signed<U> unnegabinary(U u) {
  return static_cast<Signed<U>>(static_cast<U>((u ^ kNegabinaryMask<U>) - kNegabinaryMask<U>));
}
// |v| as an unsigned number; the most negative value is fine.
template <class S>
FZM_HD Unsigned<S> magnitude(S v) {
  using U = Unsigned<S>;
  return v < 0 ? static_cast<U>(U(0) - static_cast<U>(v)) : static_cast<U>(v);
}

// --- unaligned little-endian access (the wire is little-endian) ------------------------------------
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr bool kBigEndianHost = true;
#else
inline constexpr bool kBigEndianHost = false;
#endif

template <class U>
FZM_HD U load_le(const uint8_t* p) {
  if constexpr (kBigEndianHost) {
    U v = 0;
    for (uint32_t i = 0; i < sizeof(U); ++i) v = static_cast<U>(v | (static_cast<U>(p[i]) << (8 * i)));
    return v;
  } else {
#if defined(__CUDA_ARCH__)
    U v = 0;  // the device has no unaligned loads
    for (uint32_t i = 0; i < sizeof(U); ++i) v = static_cast<U>(v | (static_cast<U>(p[i]) << (8 * i)));
    return v;
#else
    U v;
    __builtin_memcpy(&v, p, sizeof(U));
    return v;
#endif
  }
}
template <class U>
FZM_HD void store_le(uint8_t* p, U v) {
  if constexpr (kBigEndianHost) {
    for (uint32_t i = 0; i < sizeof(U); ++i) p[i] = static_cast<uint8_t>(v >> (8 * i));
  } else {
#if defined(__CUDA_ARCH__)
    for (uint32_t i = 0; i < sizeof(U); ++i) p[i] = static_cast<uint8_t>(v >> (8 * i));
#else
    __builtin_memcpy(p, &v, sizeof(U));
#endif
  }
}

FZM_CODECS_END
