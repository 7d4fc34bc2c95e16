// What runs before us on the way to the file. Then a chunk may not hold the values as the user
// wrote them.
#pragma once
#include <string>

#include "core/fzm.h"
#include "filter/hdf5_calls.h"

namespace fzm::filter {

// "shuffle (2)": the filter next before ours; empty where ours is the first.
Result<std::string> filter_before_us(const Hdf5Calls& h5, hid_t dcpl);

}  // namespace fzm::filter
