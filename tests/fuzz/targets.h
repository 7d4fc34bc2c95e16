// What is fuzzed: everything that reads bytes from outside. A target returns, or the program stops.
#pragma once
#include <cstddef>
#include <cstdint>

namespace fzm::fuzz {

void frame(const uint8_t* data,
           size_t size);  // decode and read_frame_info, as it is and with its checksums put right
void words(const uint8_t* data, size_t size);  // read_words
void toml(const uint8_t* data, size_t size);   // Request::from_toml

// A property that must hold for any input.
void require(bool holds, const char* what);

}  // namespace fzm::fuzz
