// Runs a plan backwards on the host. Everything in the arguments but the plan is hostile.
#pragma once
#include <vector>

#include "core/plan/plan.h"

namespace fzm {

struct DecodeInput {
  std::vector<ConstBytes> segments;     // in the order of plan.segments
  std::vector<Object> facts;            // per stage, checked by the stage's check_facts here
  std::vector<uint32_t> input_values;   // per stage; used where the plan has only a bound
};

// `out` receives plan.values values in native order; it is aligned to the type.
// Errors: corrupt (stage, rule, value), no_memory.
Status run_decode(const Plan& plan, const DecodeInput& input, void* out, uint32_t threads);

}  // namespace fzm
