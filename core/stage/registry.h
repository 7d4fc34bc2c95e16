// Every stage there is, from kernels/stages.def.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/stage/stage.h"

namespace fzm {

std::span<const Stage* const> stages();
const Stage* find_stage(std::string_view name);  // as in TOML, upper and lower case alike; null if there is none
const Stage* find_stage(uint16_t id);            // null if there is none

// The known name nearest to a mistyped one, or empty when none is near.
std::string nearest(std::string_view wrong, std::span<const std::string_view> known);

}  // namespace fzm
