// cd_values, read once: HDF5 passes the same ones with every chunk of a dataset.
#pragma once
#include <memory>
#include <span>

#include "core/fzm.h"

namespace fzm::filter {

// As read_words. Keeps the last few; safe in threads and after fork.
Result<std::shared_ptr<const Words>> cached_words(std::span<const unsigned> words);

}  // namespace fzm::filter
