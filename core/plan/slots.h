// Buffers between groups, and which of them may share memory.
#pragma once
#include "core/plan/plan.h"

namespace fzm {

// Fills plan.slots, plan.color_bytes and the groups' is_in_place.
void make_slots(Plan& plan);

}  // namespace fzm
