#include "core/base/dtype.h"

#include <array>
#include <utility>

namespace fzm {
namespace {

constexpr std::array<std::pair<DType, std::string_view>, 10> kNames{{
    {DType::u8, "uint8"}, {DType::u16, "uint16"}, {DType::u32, "uint32"}, {DType::u64, "uint64"},
    {DType::i8, "int8"}, {DType::i16, "int16"}, {DType::i32, "int32"}, {DType::i64, "int64"},
    {DType::f32, "float32"}, {DType::f64, "float64"},
}};

}  // namespace

std::string_view dtype_name(DType t) {
  for (const auto& [type, name] : kNames)
    if (type == t) return name;
  return "unknown";
}

DType dtype_named(std::string_view name) {
  for (const auto& [type, known] : kNames)
    if (known == name) return type;
  return DType::unknown;
}

}  // namespace fzm
