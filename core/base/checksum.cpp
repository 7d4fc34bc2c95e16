#include "core/base/checksum.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

namespace fzm {
namespace {

constexpr size_t kPiece = 4096;

uint64_t digest(ConstBytes bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

}  // namespace

uint32_t checksum(ConstBytes bytes) { return static_cast<uint32_t>(digest(bytes)); }

uint32_t tree_checksum(ConstBytes bytes) {
  if (bytes.size() <= kPiece) return static_cast<uint32_t>(digest(bytes));
  ByteWriter digests;
  digests.bytes().reserve((bytes.size() / kPiece + 1) * 8);
  for (size_t at = 0; at < bytes.size(); at += kPiece)
    digests.number(digest(bytes.subspan(at, std::min(kPiece, bytes.size() - at))));
  return tree_checksum(digests.bytes());
}

}  // namespace fzm
