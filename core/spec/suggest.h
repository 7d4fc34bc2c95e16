// "; did you mean 'error_bound'?"
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/stage/registry.h"

namespace fzm {

// Empty where no known name is near.
inline std::string suggestion(std::string_view wrong, std::span<const std::string_view> known) {
  const std::string name = nearest(wrong, known);
  return name.empty() ? "" : "; did you mean '" + name + "'?";
}

}  // namespace fzm
