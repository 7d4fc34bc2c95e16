// What a frame says of a group's stages against the plan, before any of their content is looked at.
#pragma once
#include <string>

#include "core/run/decode_run.h"
#include "core/run/walk.h"

namespace fzm {

// Errors: corrupt.
Result<GroupContexts> check_group(const Plan& plan, const Group& group, const DecodeInput& input);

// A fault word in words.
std::string faults_text(uint32_t word);

}  // namespace fzm
