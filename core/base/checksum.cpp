#include "core/base/checksum.h"

#include <algorithm>
#include <array>

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

namespace fzm {
namespace {

constexpr size_t kPiece = 4096, kDigestsOfPiece = kPiece / 8;

uint64_t digest(ConstBytes bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

// The digests of one level of the tree, of which the last ones, up to a piece, are kept.
struct Level {
  uint8_t bytes[kPiece];
  size_t kept = 0;
  uint64_t seen = 0, latest = 0;

  bool is_full() const { return kept == kDigestsOfPiece; }
  uint64_t sum() const { return digest(ConstBytes(bytes, 8 * kept)); }
  void keep(uint64_t d) {
    for (size_t i = 0; i < 8; ++i) bytes[8 * kept + i] = static_cast<uint8_t>(d >> (8 * i));
    ++kept;
    ++seen;
    latest = d;
  }
};

// The tree over the pieces of a payload, in memory of its own: nothing here can fail.
class Tree {
 public:
  void add(ConstBytes piece) { put(0, digest(piece)); }
  uint64_t root() {
    if (levels_[0].seen == 0) return digest({});
    size_t i = 0;
    for (; levels_[i].seen > 1; ++i) put(i + 1, levels_[i].sum());
    return levels_[i].latest;
  }

 private:
  // A full level goes up only when more comes: it may be the last.
  void put(size_t i, uint64_t d) {
    for (; i < levels_.size(); ++i) {
      Level& level = levels_[i];
      const bool overflows = level.is_full();
      const uint64_t up = overflows ? level.sum() : 0;
      if (overflows) level.kept = 0;
      level.keep(d);
      if (!overflows) return;
      d = up;
    }
  }
  // 512 to one: the last level of seven sees one digest even of 2^64 bytes.
  std::array<Level, 7> levels_;
};

}  // namespace

uint32_t checksum(ConstBytes bytes) { return static_cast<uint32_t>(digest(bytes)); }

uint32_t tree_checksum(ConstBytes bytes) {
  Tree tree;
  for (size_t at = 0; at < bytes.size(); at += kPiece) tree.add(bytes.subspan(at, std::min(kPiece, bytes.size() - at)));
  return static_cast<uint32_t>(tree.root());
}

}  // namespace fzm
