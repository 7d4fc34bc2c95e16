// A set of positions below n <= 65536 in few bytes: nothing, a bitmap, or Elias-Fano (low bits in planes, high bits in unary).
#pragma once
#include "kernels/mask/bit_array.h"

FZM_CODECS_BEGIN

// *flag = 1, by any number of workers at once: damaged content may name a place twice.
FZM_HD void mark(uint8_t* flag) {
#if defined(__CUDA_ARCH__)
  *flag = 1;  // one byte, one value: whoever comes last changes nothing
#else
  __atomic_store_n(flag, uint8_t{1}, __ATOMIC_RELAXED);
#endif
}

inline constexpr uint32_t kMaskBlock = 65536;

// Working memory for one set; bit arrays and lists are as long as the longest set.
struct SetScratch {
  uint32_t* ranks;     // one a word
  uint8_t* flags;      // one a position
  uint16_t* positions; // filled up to a multiple of 8
  uint8_t* bits;
};

// The first byte: 0 empty, 1 bitmap, 2 + low Elias-Fano with that many low bits (up to 15).
struct SetForm {
  uint32_t kind;
  uint32_t bytes;
};
FZM_HD uint32_t unary_bits(uint32_t members, uint32_t n, uint32_t low) { return members + ((n - 1) >> low); }
FZM_HD uint32_t elias_fano_bytes(uint32_t members, uint32_t n, uint32_t low) {
  return 3 + low * ceil_div(members, 8) + ceil_div(unary_bits(members, n, low), 8);
}
// The shortest form of a set of `members` of n positions; fewer low bits where equal.
FZM_HD SetForm set_form(uint32_t members, uint32_t n) {
  if (members == 0) return {0, 1};
  SetForm best = {1, 1 + ceil_div(n, 8)};
  for (uint32_t low = 0; low < 16; ++low) {
    const uint32_t bytes = elias_fano_bytes(members, n, low);
    if (bytes < best.bytes) best = {2 + low, bytes};
  }
  return best;
}

// `bits` has `members` ones. Writes form.bytes bytes.
template <class G>
FZM_APART FZM_HD void write_set(G g, const uint8_t* bits, uint32_t n, uint32_t members, SetForm form, const SetScratch& s, uint8_t* out) {
  g.each(1, [=](uint32_t) { out[0] = static_cast<uint8_t>(form.kind); });
  if (form.kind == 0) return;
  if (form.kind == 1) return g.copy(out + 1, bits, ceil_div(n, 8));
  const uint32_t low = form.kind - 2, unary = unary_bits(members, n, low);
  uint16_t* const positions = s.positions;
  uint8_t* const flags = s.flags;
  g.each(1, [=](uint32_t) { store_le<uint16_t>(out + 1, static_cast<uint16_t>(members - 1)); });
  list_bits(g, bits, n, false, s.ranks, [=](uint32_t p, uint32_t rank) { positions[rank] = static_cast<uint16_t>(p); });
  g.planes(positions, 1, [=](uint32_t) { return PlaneJob{0, members, low, 0}; }, out + 3);
  g.clear(flags, unary);
  g.each(members, [=](uint32_t i) { flags[(positions[i] >> low) + i] = 1; });
  g.bitmap(unary, [=](uint32_t i) { return flags[i] != 0; }, out + 3 + low * ceil_div(members, 8));
}

// Rebuilds the bit array from in[0, bytes); returns how many bytes the set took, at most `bytes`. On a fault: a set of
// positions below n, any one.
template <class G>
FZM_APART FZM_HD uint32_t read_set(G g, const uint8_t* in, uint32_t bytes, uint32_t n, const SetScratch& s, uint8_t* bits) {
  g.clear(bits, 8 * bit_words(n));
  const uint32_t kind = bytes >= 1 ? in[0] : 255u;
  if (kind == 0) return 1;
  if (kind == 1 && bytes - 1 >= ceil_div(n, 8)) {
    set_bits(g, n, [=](uint32_t i) { return bit_at(in + 1, i); }, bits);
    return 1 + ceil_div(n, 8);
  }
  const uint32_t low = kind - 2;
  const uint32_t members = kind >= 2 && kind < 18 && bytes >= 3 ? load_le<uint16_t>(in + 1) + 1u : 0;
  // A set that needs more than a bitmap is none of the encoder's, and would not fit the scratch.
  const bool is_good = members != 0 && unary_bits(members, n, low) <= n && elias_fano_bytes(members, n, low) <= bytes;
  g.fault_if(!is_good, Fault::bad_payload);
  if (!is_good) return bytes;

  uint16_t* const positions = s.positions;
  uint8_t* const flags = s.flags;
  uint8_t* const unary = s.bits;
  const uint8_t* const high = in + 3 + low * ceil_div(members, 8);
  g.unplanes(in + 3, 1, [=](uint32_t) { return PlaneJob{0, members, low, 0}; }, positions);
  set_bits(g, unary_bits(members, n, low), [=](uint32_t i) { return bit_at(high, i); }, unary);
  g.clear(flags, n);
  list_bits(g, unary, unary_bits(members, n, low), false, s.ranks, [=](uint32_t at, uint32_t rank) {
    if (rank >= members) return;
    const uint32_t p = ((at - rank) << low) | positions[rank];
    if (p < n) mark(flags + p);
  });
  g.bitmap(n, [=](uint32_t i) { return flags[i] != 0; }, bits);
  g.fault_if(count_bits(g, bits, n) != members, Fault::bad_payload);
  return elias_fano_bytes(members, n, low);
}

FZM_CODECS_END
