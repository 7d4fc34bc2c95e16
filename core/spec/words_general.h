// The general form of cd_values, as docs/cd_values.md has it: any request, and in the stored form
// the array.
#pragma once
#include "core/spec/words.h"

namespace fzm {

bool is_general(uint32_t word0);

// `array` null: without one.
Result<std::vector<uint32_t>> write_general(const Request& request, const ArrayInfo* array);
Result<Words> read_general(std::span<const uint32_t> words);

}  // namespace fzm
