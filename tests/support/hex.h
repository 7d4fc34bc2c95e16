// Bytes as text, for test vectors.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace fzm::testing {

// "0a 05|00": digits in pairs; everything else is skipped.
inline std::vector<uint8_t> from_hex(const std::string& text) {
  std::vector<uint8_t> bytes;
  int high = -1;
  for (const char c : text) {
    const int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (d < 0) continue;
    if (high < 0) high = d;
    else bytes.push_back(static_cast<uint8_t>(high * 16 + d)), high = -1;
  }
  return bytes;
}
inline std::string to_hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (const uint8_t b : bytes) text += "0123456789abcdef"[b >> 4], text += "0123456789abcdef"[b & 15];
  return text;
}

}  // namespace fzm::testing
