// The shape of a chunk, slowest axis first as in HDF5 and C, and how codecs see it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "kernels/base/codec.h"

namespace fzm {

inline constexpr uint32_t kMaxRank = 32;

using Shape = std::vector<uint64_t>;

// Number of values; 0 for an empty shape (a scalar is {1}). Errors: rank over 32, product over 2^32 - 1.
Result<uint32_t> count_values(const Shape& shape);

// Unit axes squeezed, everything slower than the last two axes folded into z.
Extent extent_of(const Shape& shape, uint32_t values);

// "12x90x180"
std::string to_string(const Shape& shape);

}  // namespace fzm
