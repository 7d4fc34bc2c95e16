// Changes to valid input, the same for the same seed on every machine.
#pragma once
#include <string>
#include <vector>

#include "tests/support/frame_edit.h"

namespace fzm::fuzz {

using Bytes = std::vector<uint8_t>;

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : state_(seed * 2 + 1) {}

  uint64_t below(uint64_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const uint64_t v = state_ >> 33;
    return n == 0 ? 0 : v % n;
  }

  // One to four small changes anywhere in [from, to).
  void change(Bytes& b, size_t from, size_t to) {
    for (uint64_t times = 1 + below(4); times > 0 && from < to && to <= b.size(); --times)
      change_once(b, from, to);
  }
  // Bytes come or go.
  void resize(Bytes& b, size_t from) {
    const size_t at = from + below(b.size() - from + 1), n = 1 + below(8);
    if (below(2))
      b.insert(b.begin() + static_cast<std::ptrdiff_t>(at), n, static_cast<uint8_t>(below(256)));
    else
      b.erase(b.begin() + static_cast<std::ptrdiff_t>(at),
              b.begin() + static_cast<std::ptrdiff_t>(std::min(at + n, b.size())));
  }

  // A frame: its header's body, the records at the start of its payload, its pieces, or the lengths
  // of either. Checksums and the header's length are put right, mostly.
  Bytes frame(const Bytes& original, const Bytes& other) {
    using testing::frame_of;
    const size_t length = testing::header_length(original);
    Bytes body(original.begin() + 8, original.begin() + static_cast<std::ptrdiff_t>(length - 8));
    Bytes payload(original.begin() + static_cast<std::ptrdiff_t>(length), original.end());
    uint8_t flags = original[5];
    switch (below(8)) {
      case 0:
      case 1:
        change(body, 0, body.size());
        break;
      case 2:
        put_varint(body);
        break;
      case 3:
        resize(body, 0);
        break;
      case 4:
        change(payload, 0, std::min<size_t>(payload.size(), 64));
        break;
      case 5:
        change(payload, 0, payload.size());
        break;
      case 6:
        move_bytes(body, payload);
        break;
      default:
        if (below(2))
          payload.assign(other.begin() + static_cast<std::ptrdiff_t>(testing::header_length(other)),
                         other.end());
        else
          flags ^= static_cast<uint8_t>(1 << below(8));
    }
    if (below(3) == 0) change(payload, 0, payload.size());
    Bytes f = frame_of(body, payload, flags);
    if (below(16) == 0) change(f, 0, f.size());
    if (below(32) == 0) f.resize(below(f.size() + 1));
    return f;
  }

 private:
  void change_once(Bytes& b, size_t from, size_t to) {
    static constexpr uint8_t edges[] = {0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 127, 128, 129, 254, 255};
    const size_t at = from + below(to - from);
    switch (below(5)) {
      case 0:
        b[at] ^= static_cast<uint8_t>(1 << below(8));
        break;
      case 1:
        b[at] = static_cast<uint8_t>(below(256));
        break;
      case 2:
        b[at] = edges[below(sizeof edges)];
        break;
      case 3:
        b[at] = static_cast<uint8_t>(b[at] + 1 - 2 * below(2));
        break;
      default:
        for (size_t i = at; i < std::min(at + 4, to); ++i) b[i] = below(2) ? 0xFF : 0;
    }
  }
  // A number of any size in the place of a byte.
  void put_varint(Bytes& body) {
    if (body.empty()) return;
    ByteWriter w;
    w.varint(((below(1u << 31) << 33) | (below(1u << 31) << 2)) >> below(64));
    const auto at = body.begin() + static_cast<std::ptrdiff_t>(below(body.size()));
    *at = w.bytes()[0];
    body.insert(at + 1, w.bytes().begin() + 1, w.bytes().end());
  }
  // The payload gets longer or shorter and the last segment's length, a varint at the end of the
  // body, follows.
  void move_bytes(Bytes& body, Bytes& payload) {
    const size_t before = payload.size();
    resize(payload, 0);
    if (body.empty()) return;
    size_t at = body.size() - 1;
    while (at > 0 && body[at - 1] & 0x80) --at;
    uint64_t last = 0;
    for (size_t i = body.size(); i-- > at;) last = last << 7 | (body[i] & 0x7F);
    ByteWriter w;
    w.varint(last + payload.size() - before);
    body.resize(at);
    body.insert(body.end(), w.bytes().begin(), w.bytes().end());
  }

  uint64_t state_;
};

}  // namespace fzm::fuzz
