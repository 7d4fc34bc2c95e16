// What Zigzag and Negabinary share of their descriptions.
#pragma once
#include "core/stage/stage.h"
#include "kernels/base/sign_map.h"
#include "kernels/host/integer_type.h"

namespace fzm {

inline constexpr Param kSignMapRows[] = {
    param<&SignMapParams::input_type>("input_type", "signed integer type read; auto: the input's width"),
    param<&SignMapParams::output_type>("output_type", "unsigned integer type of the same width written"),
    param<&SignMapParams::byte_transparent>("byte_transparent", "take any bytes as words of input_type"),
};

inline Status resolve_sign_map(void* params, const StageInput& input) {
  SignMapParams& p = *static_cast<SignMapParams*>(params);
  if (p.byte_transparent) {
    if (p.input_type == DType::unknown) p.input_type = input.type == DType::unknown ? DType::i8 : signed_of(input.type);
    if (!is_signed_integer(p.input_type))
      return type_refused("input_type", p.input_type, "must be int8, int16, int32 or int64");
  } else {
    FZM_TRY(choose_signed("input_type", p.input_type, input.type));
  }
  const DType out = unsigned_of(p.input_type);
  if (p.output_type == DType::unknown) p.output_type = out;
  if (p.output_type != out)
    return type_refused("output_type", p.output_type, "must be " + std::string(dtype_name(out)) + " where input_type is " +
                                                          std::string(dtype_name(p.input_type)));
  return {};
}

inline Stage describe_sign_map(std::string_view name, uint16_t id, std::string_view folder, std::string_view summary,
                               std::span<const BlockCode> (*codes)()) {
  static constexpr Port outputs[] = {{"output", PortKind::array}};
  Stage s = describe<SignMapParams, NoFacts>(name, id, Role::map, folder, summary, codes);
  s.params = kSignMapRows;
  s.outputs = outputs;
  s.resolve = resolve_sign_map;
  return s;
}

}  // namespace fzm
