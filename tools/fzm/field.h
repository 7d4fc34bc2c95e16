// Arrays to measure with: made here, cheap, the same everywhere up to the last bit of the C
// library's sine.
#pragma once
#include <string>

#include "tools/fzm/array_file.h"

namespace fzm::cli {

// turb    waves in 24 directions, amplitude as wavelength^(1/3) (Kolmogorov), and noise of 1e-4 of
// the range smooth  the 6 longest of them, no noise noise   uniform from -1 to 1 sparse  turb where
// it is among the largest tenth, else 0 constant Integers are scaled to 90 % of +-2^15, or of their
// range where that is less. Errors: no such field.
Result<ArrayFile> make_field(const std::string& name, DType type, const Shape& shape);

// Three extents, the fastest not the shortest, with about as many values; as powers of two where
// `values` is one.
Shape cube_of(uint64_t values);

}  // namespace fzm::cli
