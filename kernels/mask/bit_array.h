// Arrays of bits as verbs see them: bit i is bit i % 8 of byte i / 8, and bytes are filled up to whole 64-bit words with zeros.
#pragma once
#include "kernels/base/serial_group.h"

FZM_CODECS_BEGIN

FZM_HD uint32_t bit_words(uint32_t n) { return ceil_div(n, 64); }
FZM_HD uint64_t bit_word(const uint8_t* bits, uint32_t w) { return load_le<uint64_t>(bits + 8 * w); }
FZM_HD bool bit_at(const uint8_t* bits, uint32_t i) { return (bits[i / 8] >> (i % 8)) & 1; }
// The bits of word w that an array of n bits has.
FZM_HD uint64_t live_bits(uint32_t n, uint32_t w) {
  const uint32_t left = n - 64 * w;
  return left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
}
FZM_HD uint32_t count_ones(uint64_t v) {
  return count_ones(static_cast<uint32_t>(v)) + count_ones(static_cast<uint32_t>(v >> 32));
}

template <class G, class P>
FZM_HD void set_bits(G g, uint32_t n, P predicate, uint8_t* bits) {
  g.clear(bits, 8 * bit_words(n));
  g.bitmap(n, predicate, bits);
}

template <class G>
FZM_APART FZM_HD uint32_t count_bits(G g, const uint8_t* bits, uint32_t n) {
  return g.template reduce<uint32_t>(
      bit_words(n), 0, [=](uint32_t w) { return count_ones(bit_word(bits, w)); }, [](uint32_t a, uint32_t b) { return a + b; });
}

// put(position, rank) for every bit that is 1 (or 0, where `flipped`); returns how many there are. `ranks` holds a
// number a word.
template <class G, class P>
FZM_HD uint32_t list_bits(G g, const uint8_t* bits, uint32_t n, bool flipped, uint32_t* ranks, P put) {
  const auto word = [=](uint32_t w) { return flipped ? ~bit_word(bits, w) & live_bits(n, w) : bit_word(bits, w); };
  const uint32_t total = g.template offsets<uint32_t>(
      bit_words(n), [=](uint32_t w) { return count_ones(word(w)); }, [=](uint32_t w, uint32_t before) { ranks[w] = before; });
  g.each_item(bit_words(n), [=](uint32_t w) {
    uint32_t rank = ranks[w];
    for (uint64_t left = word(w); left != 0; left &= left - 1)
      put(64 * w + bit_length(left & (uint64_t{0} - left)) - 1, rank++);
  });
  return total;
}

// out = in XOR (in, each bit `lag` places further on).
template <class G>
FZM_APART FZM_HD void xor_shifted(G g, const uint8_t* in, uint32_t n, uint32_t lag, uint8_t* out) {
  const uint32_t words = lag / 64, bits = lag % 64;
  g.each(bit_words(n), [=](uint32_t w) {
    uint64_t moved = w >= words ? bit_word(in, w - words) << bits : 0;
    if (bits != 0 && w > words) moved |= bit_word(in, w - words - 1) >> (64 - bits);
    store_le<uint64_t>(out + 8 * w, (bit_word(in, w) ^ moved) & live_bits(n, w));
  });
}

FZM_CODECS_END
