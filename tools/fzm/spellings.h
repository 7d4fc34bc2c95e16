// cd_values as the programs that take them want them written.
#pragma once
#include <string>
#include <vector>

#include "core/fzm.h"

namespace fzm::cli {

struct Spelling {
  std::string program;  // "h5repack"
  std::string text;     // one line, to be pasted
};

std::vector<Spelling> spellings_of(const std::vector<uint32_t>& words);

// Signed or unsigned numbers with commas, blanks or brackets between, or h5repack's
// "UD=62042,0,4,...".
Result<std::vector<uint32_t>> read_word_list(const std::string& text);

}  // namespace fzm::cli
