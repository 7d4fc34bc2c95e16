// What a chunk is made of.
#pragma once
#include <cstdint>

#include "core/base/dtype.h"
#include "core/base/shape.h"

namespace fzm {

struct ArrayInfo {
  DType type = DType::unknown;  // unknown: opaque items, coded without loss
  uint32_t item_bytes = 1;      // of opaque items; else dtype_bytes(type)
  bool big_endian = false;      // how the values lie in memory and in the file
  Shape shape;                  // in items, slowest axis first
  bool has_fill = false;        // the dataset declares a fill value ...
  uint64_t fill_bits = 0;       // ... with this bit pattern (low bits, as a native number)

  uint32_t bytes_per_item() const { return type == DType::unknown ? item_bytes : dtype_bytes(type); }
};

}  // namespace fzm
