#include "kernels/device/memory_limit.h"

#include <cstdlib>

namespace fzm {

uint64_t bytes_of_size(const char* text) {
  if (text == nullptr || *text < '0' || *text > '9') return 0;
  char* end = nullptr;
  const uint64_t n = std::strtoull(text, &end, 10);
  uint32_t shift = 0;
  if (*end == 'K' || *end == 'k') shift = 10;
  if (*end == 'M' || *end == 'm') shift = 20;
  if (*end == 'G' || *end == 'g') shift = 30;
  if (shift != 0) ++end;
  if (*end != 0 || n > UINT64_MAX >> shift) return 0;
  return n << shift;
}

}  // namespace fzm
