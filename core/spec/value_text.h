// Parameter values as people write them.
#pragma once
#include <string>
#include <string_view>

#include "core/stage/param.h"

namespace fzm {

// As from_text; whole numbers may also be hexadecimal ("0x7fc00000").
Result<ParamValue> parse_value(const Param& row, std::string_view text);

// As to_text; bit patterns in hexadecimal.
std::string value_text(const Param& row, const ParamValue& v);

// The value of a row of a params struct, its kind as the row says.
ParamValue value_of(const Param& row, const void* params);

// The shortest text that reads back as the same number.
std::string real_text(double v);

}  // namespace fzm
