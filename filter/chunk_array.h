// The array that every chunk of a dataset holds.
#pragma once
#include "core/fzm.h"
#include "filter/hdf5_calls.h"

namespace fzm::filter {

// Type, byte order, chunk shape and fill value from a creation property list and the file's
// datatype. Errors: no chunk shape, 4 GiB or more, a type that is not in the chunk.
Result<ArrayInfo> chunk_array(const Hdf5Calls& h5, hid_t dcpl, hid_t type);

// Bytes of an array; 0 where the number does not fit 64 bits, and for an empty shape.
uint64_t array_bytes(const ArrayInfo& array);

// The same bytes without a type. How a chunk is coded when its values are not known to be where
// they were written.
ArrayInfo plain_bytes(uint64_t bytes);

// The same items without a type: of any preset, only the lossless one takes them.
ArrayInfo opaque_items(const ArrayInfo& array);

}  // namespace fzm::filter
