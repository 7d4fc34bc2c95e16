// How much device memory the user allows: the text of FZM_MEMORY_LIMIT.
#pragma once
#include <cstdint>

namespace fzm {

// "512M", "2g" or plain bytes; 0 where it is no size, or null.
uint64_t bytes_of_size(const char* text);

}  // namespace fzm
