// The payload's checksum against its definition, where levels of the tree begin and end.
#include "core/base/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fzm {
namespace {

constexpr size_t kPiece = 4096, kDigests = 512;

// docs/format.md, word for word.
uint64_t tree_by_definition(ConstBytes bytes) {
  if (bytes.size() <= kPiece) return XXH64(bytes.data(), bytes.size(), 0);
  ByteWriter digests;
  for (size_t at = 0; at < bytes.size(); at += kPiece)
    digests.number(
        static_cast<uint64_t>(XXH64(bytes.data() + at, std::min(kPiece, bytes.size() - at), 0)));
  return tree_by_definition(digests.bytes());
}

TEST(TreeChecksum, follows_its_definition_at_every_level) {
  std::vector<uint8_t> bytes(3 * kDigests * kPiece + 8);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  for (const size_t pieces :
       {size_t{0}, size_t{1}, size_t{2}, kDigests, 2 * kDigests, 3 * kDigests})
    for (const size_t more : {0, 1, 7}) {
      const ConstBytes part(bytes.data(), pieces * kPiece + more);
      EXPECT_EQ(tree_checksum(part), static_cast<uint32_t>(tree_by_definition(part)))
          << part.size() << " bytes";
    }
}

}  // namespace
}  // namespace fzm
