// The device of this build, if it has one.
#include "core/run/backend.h"

namespace fzm {

const Backend* built_in_backend() { return nullptr; }

}  // namespace fzm
