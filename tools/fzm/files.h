// Whole files as bytes.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/fzm.h"

namespace fzm::cli {

// Errors name the file and what the system said.
Result<std::vector<uint8_t>> read_file(const std::string& path);
Status write_file(const std::string& path, ConstBytes bytes);

}  // namespace fzm::cli
