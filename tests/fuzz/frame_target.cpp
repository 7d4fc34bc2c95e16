#include <algorithm>
#include <memory>

#include "core/fzm.h"
#include "tests/fuzz/targets.h"
#include "tests/support/frame_edit.h"

namespace fzm::fuzz {
namespace {

constexpr uint64_t kLargestChunk = 1u << 20;

// A buffer of its own for every frame and every chunk, so that a sanitizer sees the byte beyond.
void decode_all_ways(ConstBytes bytes) {
  const auto frame = std::make_unique<uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), frame.get());
  const ConstBytes exact(frame.get(), bytes.size());
  const Result<FrameInfo> info = read_frame_info(exact);
  uint8_t one = 0;
  const Status small = decode(exact, &one, 1);
  if (!info.ok()) {
    require(!small.ok(), "a frame whose header is refused is not decoded");
    return;
  }
  if (info->raw_bytes > kLargestChunk) return;
  const auto n = static_cast<size_t>(info->raw_bytes);
  const auto first = std::make_unique<uint8_t[]>(n), second = std::make_unique<uint8_t[]>(n + 1);
  std::fill_n(first.get(), n, uint8_t{0xA5});
  std::fill_n(second.get(), n + 1, uint8_t{0x5A});
  const Status verified = decode(exact, first.get(), n);
  const Status unverified =
      decode(exact, second.get() + 1, n, {.threads = 2, .verify_checksum = false});
  require(!verified.ok() || unverified.ok(), "checksums only refuse");
  require(!verified.ok() || std::equal(first.get(), first.get() + n, second.get() + 1),
          "every byte of a chunk that is decoded is written, and written alike");
}

}  // namespace

void frame(const uint8_t* data, size_t size) {
  decode_all_ways(ConstBytes(data, size));
  testing::Frame sealed(data, data + size);
  testing::seal(sealed);
  decode_all_ways(sealed);
}

}  // namespace fzm::fuzz
