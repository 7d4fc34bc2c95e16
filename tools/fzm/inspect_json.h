// What `fzm inspect --json` prints for programs.
#pragma once
#include "tools/fzm/seen_chunk.h"

namespace fzm::cli {

std::string seen_json(const Seen& s);

// A dataset, all its chunks and the totals.
struct SeenDataset {
  std::string name;
  ArrayInfo array;
  Shape chunk_shape;
  Place place;
  std::string request;  // in words
  std::vector<Seen> chunks;
  Totals totals;
};
std::string dataset_json(const SeenDataset& d);

}  // namespace fzm::cli
