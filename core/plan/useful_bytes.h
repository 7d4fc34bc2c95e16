// How many bytes a stage's pieces may have. More would not be stored anyway, so the pipeline is given up there (needs_exact);
// the limit is a rule of the encoder, the same for every device and cut, since it decides which bytes are stored.
#pragma once
#include <algorithm>

#include "core/plan/plan.h"

namespace fzm {

// Small chunks may pass through a larger form.
inline constexpr uint64_t kPieceFloor = 1u << 16;

inline uint64_t useful_bytes(const Plan& plan, const PlannedStage& s) {
  // A list's two pieces hold an escape twice over (value and index): with a quarter of the chunk in either, lossless is better.
  return std::max(s.code().is_list ? plan.raw_bytes / 4 : plan.raw_bytes, kPieceFloor);
}

inline Status too_many_bytes() { return Status(Code::needs_exact, "the pipeline makes the chunk larger"); }

}  // namespace fzm
