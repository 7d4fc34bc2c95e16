// Arrays from wherever they are: raw files, datasets of HDF5 files, frames.
#pragma once
#include <string>
#include <vector>

#include "tools/fzm/settings.h"

namespace fzm::cli {

struct ArrayFile {
  ArrayInfo array;
  std::vector<uint8_t> bytes;
};

// `place`: "FILE.h5:/path"; a frame, known by how it begins, which is decoded; or raw values,
// described by `settings`.
Result<ArrayFile> read_array(const std::string& place, const ArraySettings& settings,
                             uint32_t threads);

// True where the bytes begin as a frame does.
bool is_frame(ConstBytes bytes);
Result<ArrayFile> decode_frame(ConstBytes frame, uint32_t threads);

// "12x90x180 float32, big-endian"
std::string describe(const ArrayInfo& array);

}  // namespace fzm::cli
