// Type parameters of stages that work on integers: filled in, or refused with a sentence.
#pragma once
#include <string>
#include <string_view>

#include "core/base/dtype.h"
#include "core/base/status.h"

namespace fzm {

constexpr DType signed_of(DType t) {
  switch (dtype_bytes(t)) {
    case 1: return DType::i8;
    case 2: return DType::i16;
    case 4: return DType::i32;
    case 8: return DType::i64;
    default: return DType::unknown;
  }
}
constexpr DType unsigned_of(DType t) {
  const DType s = signed_of(t);
  return s == DType::unknown ? s : static_cast<DType>(static_cast<uint8_t>(s) - 4);
}

// "input_type = int16: the input is float32, of another width" and the like.
inline Status type_refused(std::string_view key, DType asked, const std::string& why) {
  return Status(Code::unsupported_type, std::string(key) + " = " +
                                            (asked == DType::unknown ? "auto" : std::string(dtype_name(asked))) + ": " + why);
}

// The signed type a stage works in: the input's own width if `asked` is unknown. Unsigned input is taken as signed.
inline Status choose_signed(std::string_view key, DType& asked, DType input) {
  if (!is_integer(input))
    return type_refused(key, asked, "needs integers, the input is " +
                                        (input == DType::unknown ? "untyped" : std::string(dtype_name(input))) +
                                        " (a Quantizer makes integers)");
  if (asked == DType::unknown) asked = signed_of(input);
  if (!is_signed_integer(asked)) return type_refused(key, asked, "must be int8, int16, int32 or int64");
  if (dtype_bytes(asked) != dtype_bytes(input))
    return type_refused(key, asked, "the input is " + std::string(dtype_name(input)) + ", of another width");
  return {};
}

}  // namespace fzm
