// Whether the bound that a pipeline names is one on the values of the chunk.
#pragma once
#include "core/spec/spec.h"

namespace fzm {

// A lossy stage keeps its bound on what it reads. That must be the chunk, or the chunk behind
// stages that pass its values on: behind a sum or a difference the errors add up. `spec` has passed
// check_spec. Frames are not held to this: they decode to what they hold.
Status check_bound_is_on_chunk(const Spec& spec);

}  // namespace fzm
