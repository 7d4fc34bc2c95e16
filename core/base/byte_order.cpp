#include "core/base/byte_order.h"

#include <cstring>

namespace fzm {
namespace {

template <class U, class Swap>
void swap_all(const uint8_t* from, uint8_t* to, uint64_t items, Swap swap) {
  for (uint64_t i = 0; i < items; ++i) {
    U v;
    std::memcpy(&v, from + i * sizeof(U), sizeof(U));
    v = swap(v);
    std::memcpy(to + i * sizeof(U), &v, sizeof(U));
  }
}

}  // namespace

void swap_bytes(const void* from, void* to, uint64_t items, uint32_t item_bytes) {
  const auto* f = static_cast<const uint8_t*>(from);
  auto* t = static_cast<uint8_t*>(to);
  switch (item_bytes) {
    case 2: return swap_all<uint16_t>(f, t, items, [](uint16_t v) { return __builtin_bswap16(v); });
    case 4: return swap_all<uint32_t>(f, t, items, [](uint32_t v) { return __builtin_bswap32(v); });
    case 8: return swap_all<uint64_t>(f, t, items, [](uint64_t v) { return __builtin_bswap64(v); });
    default:
      if (f != t) std::memcpy(t, f, items * item_bytes);
  }
}

}  // namespace fzm
