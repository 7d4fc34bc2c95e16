// Element types. The numbers are on the wire.
#pragma once
#include <cstdint>
#include <string_view>

namespace fzm {

enum class DType : uint8_t {
  u8 = 0, u16 = 1, u32 = 2, u64 = 3,
  i8 = 4, i16 = 5, i32 = 6, i64 = 7,
  f32 = 8, f64 = 9,
  unknown = 255,
};

constexpr uint32_t dtype_bytes(DType t) {
  switch (t) {
    case DType::u8: case DType::i8: return 1;
    case DType::u16: case DType::i16: return 2;
    case DType::u32: case DType::i32: case DType::f32: return 4;
    case DType::u64: case DType::i64: case DType::f64: return 8;
    case DType::unknown: return 0;
  }
  return 0;
}
constexpr bool is_float(DType t) { return t == DType::f32 || t == DType::f64; }
constexpr bool is_signed_integer(DType t) { return t >= DType::i8 && t <= DType::i64; }
constexpr bool is_unsigned_integer(DType t) { return t <= DType::u64; }
constexpr bool is_integer(DType t) { return t <= DType::i64; }

std::string_view dtype_name(DType t);            // "float32"
DType dtype_named(std::string_view name);        // unknown if there is none

template <class T>
inline constexpr DType kDType = DType::unknown;
template <> inline constexpr DType kDType<uint8_t> = DType::u8;
template <> inline constexpr DType kDType<uint16_t> = DType::u16;
template <> inline constexpr DType kDType<uint32_t> = DType::u32;
template <> inline constexpr DType kDType<uint64_t> = DType::u64;
template <> inline constexpr DType kDType<int8_t> = DType::i8;
template <> inline constexpr DType kDType<int16_t> = DType::i16;
template <> inline constexpr DType kDType<int32_t> = DType::i32;
template <> inline constexpr DType kDType<int64_t> = DType::i64;
template <> inline constexpr DType kDType<float> = DType::f32;
template <> inline constexpr DType kDType<double> = DType::f64;

}  // namespace fzm
