// cd_values: requests as at most 20 words of 32 bits. The page is docs/cd_values.md.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/spec/request.h"

namespace fzm {

inline constexpr size_t kMaxWords = 20;  // h5repack takes no more

struct Words {
  Request request;
  std::optional<ArrayInfo> array;  // there after set_local, in what HDF5 stores
};

// Short form, general form, stored form; an empty list is the lossless preset. Trailing zeros are tolerated.
Result<Words> read_words(std::span<const uint32_t> words);

// The short form where it can say it (at most 8 words), else the general form. Errors: over 20 words.
Result<std::vector<uint32_t>> write_words(const Request& request);
// The stored form: general, with type, byte order, chunk shape and fill value. High ranks are folded.
Result<std::vector<uint32_t>> write_stored_words(const Request& request, const ArrayInfo& array);

}  // namespace fzm
