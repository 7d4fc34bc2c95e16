// What `fzm inspect` prints for people.
#pragma once
#include "tools/fzm/seen_chunk.h"

namespace fzm::cli {

std::string frame_text(const Seen& s);
// A line for each of the first `rows` chunks.
std::string chunks_text(const std::vector<Seen>& seen, size_t rows);
std::string totals_text(const Totals& t, size_t chunks);

}  // namespace fzm::cli
