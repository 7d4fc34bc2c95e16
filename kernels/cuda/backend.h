// CUDA as core knows it.
#pragma once
#include "core/run/backend.h"

namespace fzm {

const Backend& cuda_backend();

}  // namespace fzm
