// The LC coders' repeated-elimination coding of a bitmap: of each level only the bytes that differ from the byte before
// are stored, and which ones those are is the next level's bitmap, an eighth as long. See lc.md.
#pragma once
#include "kernels/base/codec.h"
#include "kernels/base/bits.h"

FZM_CODECS_BEGIN

// Bits set in `bytes` bytes. SWAR: it vectorises, popcount does not.
template <class G>
FZM_HD uint32_t ones_in(G g, const uint8_t* bits, uint32_t bytes) {
  return g.reduce(bytes, 0u, [=](uint32_t i) {
    uint32_t v = bits[i];
    v -= v >> 1 & 0x55;
    v = (v & 0x33) + (v >> 2 & 0x33);
    return (v + (v >> 4)) & 15;
  }, [](uint32_t a, uint32_t b) { return a + b; });
}

// The levels of one chunk, in scratch. Level 0 is the bitmap itself; the last one has less than 8 bytes.
struct BitmapLevels {
  static constexpr uint32_t kMost = 4;   // 2048 bytes, 256, 32, 4
  static constexpr uint32_t kFront = 32;  // before a level: its byte -1, which is 0

  uint8_t* scratch;
  uint32_t bitmap_bytes;  // of level 0: a power of two from 64 to 2048

  FZM_HD static constexpr uint32_t scratch_bytes(uint32_t bitmap_bytes) {
    return kMost * (kFront + 32) + bitmap_bytes + bitmap_bytes / 4 + 64;
  }
  FZM_HD uint32_t bytes(uint32_t level) const { return bitmap_bytes >> (3 * level); }
  FZM_HD uint32_t last() const {
    uint32_t level = 0;
    while (bytes(level) >= 8) ++level;
    return level;
  }
  FZM_HD uint8_t* bits(uint32_t level) const {
    uint32_t at = kFront;
    for (uint32_t l = 0; l < level; ++l) at += (bytes(l) + 31) / 32 * 32 + kFront;
    return scratch + at;
  }

  // Makes all levels from level 0; returns the bytes that write() will take, kept[l] of them for level l.
  template <class G>
  FZM_HD uint32_t build(G g, uint32_t (&kept)[kMost]) const {
    const uint32_t top = last();
    uint32_t coded = bytes(top);
    for (uint32_t l = 0; l < top; ++l) {
      const uint8_t* const b = bits(l);
      uint8_t* const changed = bits(l + 1);
      g.clear(scratch + (b - scratch) - kFront, kFront);
      const uint8_t* const before = b - 1;
      g.bitmap(bytes(l), [=](uint32_t i) { return b[i] != before[i]; }, changed);
      kept[l] = ones_in(g, changed, bytes(l + 1));
      coded += kept[l];
    }
    return coded;
  }
  // May write 32 bytes beyond the coded ones.
  template <class G>
  FZM_HD void write(G g, const uint32_t (&kept)[kMost], uint8_t* out) const {
    const uint32_t top = last();
    for (uint32_t l = 0; l < top; ++l) {
      g.template keep<uint8_t>(bits(l), bytes(l), bits(l + 1), out);
      out += kept[l];
    }
    g.copy(out, bits(top), bytes(top));
  }

  // Rebuilds all levels from the coded bytes that end at in + end; `end` moves to where they begin. False if they would
  // begin before `in`. `kept`: bitmap_bytes + 128 bytes of scratch.
  template <class G>
  FZM_HD bool read(G g, const uint8_t* in, uint32_t& end, uint8_t* kept) const {
    const uint32_t top = last();
    if (end < bytes(top)) return false;
    end -= bytes(top);
    g.copy(bits(top), in + end, bytes(top));
    g.clear(kept, kFront);
    for (uint32_t l = top; l-- > 0;) {
      const uint32_t n = ones_in(g, bits(l + 1), bytes(l + 1));  // at most bytes(l)
      if (end < n) return false;
      end -= n;
      g.copy(kept + kFront, in + end, n);
      g.template repeat<uint8_t>(kept + kFront, bits(l + 1), bytes(l), bits(l));
    }
    return true;
  }
};

FZM_CODECS_END
