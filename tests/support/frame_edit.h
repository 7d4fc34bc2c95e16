// Changing a frame by hand so that only the change is wrong with it.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>

#include "core/base/bytes.h"
#include "core/base/checksum.h"

namespace fzm::testing {

using Frame = std::vector<uint8_t>;

inline size_t header_length(const Frame& f) { return f.size() < 8 ? 0 : f[6] + 256u * f[7]; }

inline void put32(Frame& f, size_t at, uint32_t v) {
  for (size_t i = 0; i < 4; ++i) f[at + i] = static_cast<uint8_t>(v >> (8 * i));
}

// Makes both checksums right. A frame whose length field is out of range is left alone.
inline void seal(Frame& f) {
  const size_t length = header_length(f);
  if (length < 16 || length > f.size()) return;
  const bool has_pad = f[5] & 4 && f.size() > length;
  put32(f, length - 4, tree_checksum(ConstBytes(f).subspan(length, f.size() - length - has_pad)));
  put32(f, length - 8, checksum(ConstBytes(f).first(length - 8)));
}

// A frame of a body and a payload.
inline Frame frame_of(const Frame& body, const Frame& payload, uint8_t flags = 0) {
  const uint8_t start[] = {'F', 'Z', 'M', 0x1A, 1, flags};
  const size_t length = 8 + body.size() + 8;
  Frame f(length + payload.size());
  std::copy(std::begin(start), std::end(start), f.begin());
  f[6] = static_cast<uint8_t>(length);
  f[7] = static_cast<uint8_t>(length >> 8);
  std::copy(body.begin(), body.end(), f.begin() + 8);
  std::copy(payload.begin(), payload.end(), f.begin() + static_cast<std::ptrdiff_t>(length));
  seal(f);
  return f;
}

// The body of f replaced.
inline Frame with_body(const Frame& f, const std::function<void(Frame&)>& edit) {
  const size_t length = header_length(f);
  Frame body(f.begin() + 8, f.begin() + static_cast<std::ptrdiff_t>(length - 8));
  edit(body);
  return frame_of(body, Frame(f.begin() + static_cast<std::ptrdiff_t>(length), f.end()), f[5]);
}

}  // namespace fzm::testing
