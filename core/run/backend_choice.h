// Who runs a pipeline. The bytes are the same.
#pragma once
#include <cstdint>

namespace fzm {

enum class BackendChoice : uint8_t {
  automatic,  // as FZM_BACKEND says: auto (also when it is not set), host, cuda
  host,
  device,     // Code::no_device where it cannot; FZM_BACKEND=cuda falls back to the host instead
};

}  // namespace fzm
