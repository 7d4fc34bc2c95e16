// Byte order of arrays.
#pragma once
#include <cstdint>

namespace fzm {

// Reverses the bytes of every item of 1, 2, 4 or 8 bytes; from and to may be the same place.
void swap_bytes(const void* from, void* to, uint64_t items, uint32_t item_bytes);

}  // namespace fzm
