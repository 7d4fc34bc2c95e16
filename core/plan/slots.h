// Buffers between groups, and which of them may share memory.
#pragma once
#include "core/plan/plan.h"

namespace fzm {

// Whether a group may write its array over the one it reads: nobody else reads that, and values have the same size. A group
// of one stage writes a block elsewhere first, others are done with a block's input before its output is written.
bool writes_over_input(const Plan& plan, const Group& g);

// Fills plan.slots and plan.color_bytes.
void make_slots(Plan& plan);

}  // namespace fzm
