// What a codec makes of one array, and what is made of that again.
#pragma once
#include <cstdint>
#include <vector>

#include "kernels/base/codec.h"

namespace fzm::test {

using Bytes = std::vector<uint8_t>;

struct Ports {
  Bytes array, records, piece[kMaxPieces];
  bool operator==(const Ports&) const = default;
};
struct Rebuilt {
  Bytes array;
  uint32_t fault = 0;
};

}  // namespace fzm::test
