// The two callbacks of the class record. Neither throws.
#pragma once
#include <hdf5.h>

namespace fzm::filter {

// At H5Dcreate: checks the request and stores it with the array's type, byte order, chunk shape and
// fill value.
herr_t set_local(hid_t dcpl, hid_t type, hid_t space) noexcept;

// A chunk to a frame, or (H5Z_FLAG_REVERSE) back. 0 is failure; the buffer is then as it was.
size_t apply(unsigned flags, size_t word_count, const unsigned* words, size_t bytes,
             size_t* capacity, void** buffer) noexcept;

}  // namespace fzm::filter
