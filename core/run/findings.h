// What the encoder learns about a chunk before it encodes it: who must see which array, what they conclude, and who has nothing
// to do. The same on every device; only showing the data is not.
#pragma once
#include <vector>

#include "core/plan/plan.h"

namespace fzm {

class Findings {
 public:
  explicit Findings(const Plan& plan);

  // Who should now see the array that `stage` reads: itself, and the stage that reads the very same array if `stage` turns out to
  // be the identity, so that one pass (or one wait) does for both. Nobody where nothing is left to be seen.
  std::vector<uint32_t> watchers(uint32_t stage) const;
  // What `stage` saw.
  void note(uint32_t stage, Object partial);
  // Sets the stage's facts and whether it is the identity. Errors: needs_exact.
  Status conclude(uint32_t stage);

  std::vector<Object> facts;      // per stage
  std::vector<bool> is_identity;  // per stage: left out, its array output is its input

 private:
  int32_t follower_of(uint32_t stage) const;
  bool wants_observe(uint32_t stage) const;

  const Plan& plan_;
  std::vector<Object> observed_;  // per stage
  std::vector<bool> was_seen_;
};

}  // namespace fzm
