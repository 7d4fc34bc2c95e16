// Which stages run in one pass over the data.
#pragma once
#include "core/plan/plan.h"

namespace fzm {

// Every stage is in exactly one group; a group's first stage comes after the groups that feed it.
std::vector<Group> make_groups(const Plan& plan);

}  // namespace fzm
