// One chunk of RZE, RRE, RAZE or RARE. They differ in two answers, their Rule:
//   kFromPrevious   what a word is compared with, and what a dropped word decodes to: the word before it, or 0
//   kPacksRest      whether the low bits of dropped words are kept (their number is chosen for each chunk)
// A chunk is [kept words][low bits of the others][bitmap of the kept ones][bytes beyond the last word][tag]. See lc.md.
#pragma once
#include "kernels/base/serial_group.h"
#include "kernels/lc/bitmap_levels.h"

FZM_CODECS_BEGIN

// All bits at and below the highest one set.
template <class U>
FZM_HD U smear(U v) {
  v = static_cast<U>(v | v >> 1);
  v = static_cast<U>(v | v >> 2);
  v = static_cast<U>(v | v >> 4);
  if constexpr (sizeof(U) >= 2) v = static_cast<U>(v | v >> 8);
  if constexpr (sizeof(U) >= 4) v = static_cast<U>(v | v >> 16);
  if constexpr (sizeof(U) == 8) v = static_cast<U>(v | v >> 32);
  return v;
}

template <class Rule, class U>
struct WordCoder {
  static constexpr uint32_t kWord = sizeof(U), kWidth = 8 * kWord;
  static constexpr uint32_t kTag = Rule::kPacksRest ? 3 : 2;
  static constexpr uint32_t kFront = 64;  // before a copy of words: the word -1, which is 0
  static constexpr uint32_t kSlack = 64;  // verbs write and read a little beyond
  static constexpr uint32_t kVerbatim = kWidth, kAllDropped = kWidth + 1;  // special values of the tag's first byte

  // Where things are in scratch. The first array holds the chunk's words (encode) or coded bytes (decode), as a copy
  // that has a zero in front and slack behind.
  struct Scratch {
    BitmapLevels levels;
    uint8_t* kept;     // decode: of one level
    uint8_t* others;   // the bitmap of dropped words
    uint8_t* words;
    uint8_t* a;        // a chunk and slack each
    uint8_t* b;
  };
  FZM_HD static constexpr uint32_t bitmap_bytes(uint32_t chunk) { return chunk / kWidth; }
  FZM_HD static constexpr uint32_t levels_bytes(uint32_t chunk) {
    return (BitmapLevels::scratch_bytes(bitmap_bytes(chunk)) + 63) / 64 * 64;
  }
  FZM_HD static constexpr uint32_t scratch_bytes(uint32_t chunk) {
    return levels_bytes(chunk) + 2 * (bitmap_bytes(chunk) + 128) + kFront + chunk + kSlack +
           (Rule::kPacksRest ? 2 * (chunk + kSlack) : 0);
  }
  FZM_HD static Scratch layout(uint8_t* scratch, uint32_t chunk) {
    Scratch s;
    s.levels = {scratch, bitmap_bytes(chunk)};
    s.kept = scratch + levels_bytes(chunk);
    s.others = s.kept + bitmap_bytes(chunk) + 128;
    s.words = s.others + bitmap_bytes(chunk) + 128 + kFront;
    s.a = s.words + chunk + kSlack;
    s.b = s.a + chunk + kSlack;
    return s;
  }

  // The difference that decides: 0 for a word that can be dropped whole.
  FZM_HD static U rest(const uint8_t* words, uint32_t i) {
    const uint64_t at = uint64_t{i} * kWord;  // 64 bits: a loop over an index that might wrap does not vectorise
    const U v = load_le<U>(words + at);
    if constexpr (Rule::kFromPrevious) return static_cast<U>(v ^ load_le<U>(words - kWord + at));
    else return v;
  }

  // How many low bits of dropped words are kept: the number that saves most, the lowest on ties.
  struct Choice {
    uint32_t low_bits;
    bool all_dropped, none;
  };
  template <class G>
  FZM_HD static Choice choose(G g, const uint8_t* words, uint32_t n, const Scratch& s) {
    U* const smeared = reinterpret_cast<U*>(s.a);
    uint8_t* const planes = s.b;
    g.each(n, [=](uint32_t i) { smeared[i] = smear(rest(words, i)); });
    // Plane p of the smeared words: those with more than p significant bits.
    const uint32_t plane_bytes = ceil_div(n, 8);
    g.planes(smeared, 1, [=](uint32_t) { return PlaneJob{0, n, kWidth, 0}; }, planes);
    uint32_t best = 0;
    Choice c{0, false, true};
    for (uint32_t p = 0; p < kWidth; ++p) {
      const uint32_t longer = ones_in(g, planes + p * plane_bytes, plane_bytes);
      if (p == 0 && longer == 0) c.all_dropped = true;
      const uint32_t saved = (kWidth - p) * (n - longer);
      if (saved > best) {
        best = saved;
        c = {p, c.all_dropped, false};
      }
      if (longer == 0) break;  // from here on less is saved
    }
    return c;
  }

  // Returns the bytes written, or 0 where they would be `room` or more. May write kSlack bytes beyond them.
  template <class G>
  FZM_HD static uint32_t encode(G g, const uint8_t* in, uint32_t bytes, uint32_t chunk, uint32_t room, uint8_t* out, uint8_t* scratch) {
    const Scratch s = layout(scratch, chunk);
    const uint32_t n = bytes / kWord, extra = bytes % kWord;
    const uint8_t* words = in;
    if constexpr (Rule::kFromPrevious) {
      g.clear(s.words - kFront, kFront);
      g.copy(s.words, in, bytes);
      words = s.words;
    }
    Choice choice{0, false, false};
    if constexpr (Rule::kPacksRest) {
      choice = choose(g, words, n, s);
      if (choice.none && !choice.all_dropped) return write_verbatim(g, in, bytes, room, out);
    }
    const U care = static_cast<U>(static_cast<U>(~U(0)) << choice.low_bits);
    uint8_t* const bitmap = s.levels.bits(0);
    g.bitmap(n, [=](uint32_t i) { return (rest(words, i) & care) != 0; }, bitmap);
    const uint32_t used = ceil_div(n, 8);
    g.clear(bitmap + used, s.levels.bitmap_bytes - used);
    const uint32_t full = ones_in(g, bitmap, used), dropped = n - full;
    if (Rule::kPacksRest ? choice.all_dropped : full == 0) {
      if (extra + kTag >= room) return 0;
      return finish(g, in, bytes, kAllDropped, out, 0);
    }
    uint32_t kept[BitmapLevels::kMost] = {};
    const uint32_t coded = s.levels.build(g, kept);
    const uint32_t low_bytes = Rule::kPacksRest ? bits_to_bytes(dropped, choice.low_bits) : 0;
    uint32_t at = full * kWord + low_bytes;
    if (at + coded + extra + kTag >= room) return 0;
    g.template keep<U>(words, n, bitmap, out);
    if constexpr (Rule::kPacksRest) {
      if (low_bytes > 0) {
        uint8_t* const others = s.others;
        g.each(used, [=](uint32_t i) { others[i] = static_cast<uint8_t>(~bitmap[i]); });
        g.template keep<U>(words, n, others, s.a);
        g.pack_bits(reinterpret_cast<const U*>(s.a), dropped, choice.low_bits, out + full * kWord);
      }
    }
    s.levels.write(g, kept, out + at);
    at += coded;
    return finish(g, in, bytes, choice.low_bits, out, at);
  }

  // Never reads outside in[0..stored), never writes outside out[0..bytes). False where the chunk is not a chunk of
  // `bytes` bytes; what is in `out` is then unspecified.
  template <class G>
  FZM_HD static bool decode(G g, const uint8_t* in, uint32_t stored, uint8_t* out, uint32_t bytes, uint32_t chunk, uint8_t* scratch) {
    const Scratch s = layout(scratch, chunk);
    const uint32_t n = bytes / kWord, extra = bytes % kWord;
    if (stored > chunk || stored < kTag + extra) return false;
    if (load_le<uint16_t>(in + stored - 2) != bytes) return false;
    const uint32_t low_bits = Rule::kPacksRest ? in[stored - 3] : 0;
    uint32_t end = stored - kTag - extra;
    g.copy(out + n * kWord, in + end, extra);
    if (Rule::kPacksRest ? low_bits == kAllDropped : end == 0) {
      g.clear(out, n * kWord);
      return end == 0;
    }
    if (Rule::kPacksRest && low_bits == kVerbatim) return read_verbatim(g, in, stored, out, bytes);
    if (low_bits > kVerbatim) return false;

    // From a copy with slack, so that verbs need not look where the piece ends.
    g.copy(s.words, in, end);
    g.clear(s.words - kFront, kFront);
    if (!s.levels.read(g, s.words, end, s.kept)) return false;
    const uint8_t* const bitmap = s.levels.bits(0);
    const uint32_t used = ceil_div(n, 8);
    const uint32_t full = ones_in(g, bitmap, used);
    if (full > n) return false;  // bits beyond the last word
    const uint32_t low_bytes = Rule::kPacksRest ? bits_to_bytes(n - full, low_bits) : 0;
    if (end != full * kWord + low_bytes) return false;
    if constexpr (Rule::kPacksRest) read_packed(g, s, bitmap, n, full, low_bits, out);
    else if constexpr (Rule::kFromPrevious) g.template repeat<U>(s.words, bitmap, n, out);
    else g.template spread<U>(s.words, bitmap, n, out);
    return true;
  }

 private:
  FZM_HD static uint32_t bits_to_bytes(uint32_t values, uint32_t width) { return (values * width + 7) / 8; }

  // The bytes beyond the last word, and the tag.
  template <class G>
  FZM_HD static uint32_t finish(G g, const uint8_t* in, uint32_t bytes, uint32_t low_bits, uint8_t* out, uint32_t at) {
    const uint32_t extra = bytes % kWord;
    g.copy(out + at, in + bytes - extra, extra);
    uint8_t* const tag = out + at + extra;
    g.once([=] {
      if (Rule::kPacksRest) tag[0] = static_cast<uint8_t>(low_bits);
      store_le(tag + kTag - 2, static_cast<uint16_t>(bytes));
    });
    return at + extra + kTag;
  }
  // No number of bits saves anything.
  template <class G>
  FZM_HD static uint32_t write_verbatim(G g, const uint8_t* in, uint32_t bytes, uint32_t room, uint8_t* out) {
    if (bytes + kTag >= room) return 0;
    g.copy(out, in, bytes);
    uint8_t* const tag = out + bytes;
    g.once([=] {
      tag[0] = kVerbatim;
      store_le(tag + 1, static_cast<uint16_t>(bytes));
    });
    return bytes + kTag;
  }
  template <class G>
  FZM_HD static bool read_verbatim(G g, const uint8_t* in, uint32_t stored, uint8_t* out, uint32_t bytes) {
    if (stored != bytes + kTag) return false;
    g.copy(out, in, bytes);
    return true;
  }
  // A dropped word: its own low bits under the high bits of 0 or of the word before, which are those of the last full one.
  template <class G>
  FZM_HD static void read_packed(G g, const Scratch& s, const uint8_t* bitmap, uint32_t n, uint32_t full, uint32_t low_bits, uint8_t* out) {
    U* const low = reinterpret_cast<U*>(s.a);
    uint8_t* const others = s.others;
    uint8_t* const spread_low = s.b;
    g.template unpack_bits<U>(s.words + full * kWord, n - full, low_bits, low);
    g.each(ceil_div(n, 8), [=](uint32_t i) { others[i] = static_cast<uint8_t>(~bitmap[i]); });
    g.template spread<U>(s.a, others, n, spread_low);
    g.template spread<U>(s.words, bitmap, n, out);
    if constexpr (Rule::kFromPrevious) {
      uint8_t* const last_full = s.a;
      const U high = static_cast<U>(static_cast<U>(~U(0)) << low_bits);
      g.template repeat<U>(s.words, bitmap, n, last_full);
      g.each(n, [=](uint32_t i) {
        const uint64_t at = uint64_t{i} * kWord;
        const U own = static_cast<U>(load_le<U>(out + at) | load_le<U>(spread_low + at));
        store_le(out + at, static_cast<U>((own & static_cast<U>(~high)) | (load_le<U>(last_full + at) & high)));
      });
    } else {
      g.each(n, [=](uint32_t i) {
        const uint64_t at = uint64_t{i} * kWord;
        store_le(out + at, static_cast<U>(load_le<U>(out + at) | load_le<U>(spread_low + at)));
      });
    }
  }
};

FZM_CODECS_END
