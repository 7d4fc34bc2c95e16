// Buffers between groups, and which of them may share memory.
#pragma once
#include "core/plan/plan.h"

namespace fzm {

// Fills plan.slots and plan.color_bytes.
void make_slots(Plan& plan);

}  // namespace fzm
