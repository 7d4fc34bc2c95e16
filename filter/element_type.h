// HDF5 datatypes as the codecs see them: recognised by their layout, never by size alone.
#pragma once
#include "core/fzm.h"
#include "filter/hdf5_calls.h"

namespace fzm::filter {

struct ElementType {
  DType type = DType::unknown;  // unknown: opaque items
  uint32_t item_bytes = 1;
  bool big_endian = false;
  Shape inner;  // extents of an array type, which follow those of the chunk
};

// Integers that fill their 1, 2, 4 or 8 bytes, IEEE float32 and float64, and arrays of these keep
// their type. Everything else that lies in the chunk itself is a row of opaque items: enumerations
// (h5py's bool), bit fields, compounds, strings, references, complex numbers, half and long double,
// integers of odd precision. Errors: variable-length types, whose chunks hold addresses.
Result<ElementType> recognise_element(const Hdf5Functions& h5, hid_t type);

}  // namespace fzm::filter
