// HDF5 datatypes and arrays.
#pragma once
#include <hdf5.h>

#include "core/fzm.h"
#include "tools/fzm/hdf5_handle.h"

namespace fzm::cli {

// Type, byte order and item size; the shape is the caller's, the extents of an array type come
// behind it. Errors: variable-length types.
Status note_type(hid_t type, ArrayInfo& array);
// The file type for an array's items.
Handle file_type(const ArrayInfo& array);

}  // namespace fzm::cli
