// The list of values that the codes can't express: exact bits in piece 0, indices in the array in piece 1.
#pragma once
#include "kernels/base/serial_group.h"

FZM_CODECS_BEGIN

// Values handled at a time: what a run needs fits L1 twice.
inline constexpr uint32_t kQuantizerRun = 1024;

// Appends the values of a run for which escaped(i); `at` entries are there already. Returns how many there are now.
template <class T, class G, class E>
FZM_HD uint32_t append_escapes(G g, const BlockIo& io, const T* x, uint32_t first, uint32_t n, uint32_t at, E escaped) {
  uint8_t* const values = io.piece[0];
  uint8_t* const indices = io.piece[1];
  return at + g.compact(n, escaped, [=](uint32_t i, uint32_t rank) {
    store_le<Unsigned<T>>(values + uint64_t{at + rank} * sizeof(T), bit_cast<Unsigned<T>>(x[i]));
    store_le<uint32_t>(indices + uint64_t{at + rank} * 4, first + i);
  });
}

template <class T, class G>
FZM_HD void put_escapes(G g, const BlockIo& io) {
  const uint8_t* const values = io.piece[0];
  const uint8_t* const indices = io.piece[1];
  const uint32_t first = io.first, count = io.count;
  const uint32_t n = least<uint32_t>(io.piece_bytes[0] / sizeof(T), io.piece_bytes[1] / 4);
  g.fault_if(io.piece_bytes[0] != n * uint64_t{sizeof(T)} || io.piece_bytes[1] != n * uint64_t{4}, Fault::bad_payload);
  if (n == 0) return;
  g.fault_if(g.any(n, [=](uint32_t k) { return load_le<uint32_t>(indices + uint64_t{k} * 4) - first >= count; }),
             Fault::bad_index);
  T* const out = static_cast<T*>(io.out);
  g.each_item(n, [=](uint32_t k) {
    const uint32_t i = load_le<uint32_t>(indices + uint64_t{k} * 4) - first;
    if (i < count) out[i] = bit_cast<T>(load_le<Unsigned<T>>(values + uint64_t{k} * sizeof(T)));
  });
}

// Members that all quantizers with escapes share.
template <class T>
struct EscapeList {
  static constexpr bool kList = true;
  static constexpr uint32_t kEntryBytes = sizeof(T);
  template <class C>
  FZM_HD static uint32_t max_piece_bytes(uint32_t k, uint32_t count, const C&) {
    return k == 0 ? count * static_cast<uint32_t>(sizeof(T)) : count * 4;
  }
  template <class C>
  FZM_HD static uint32_t scratch_bytes(uint32_t count, const C&) {
    return least(count, kQuantizerRun) * static_cast<uint32_t>(sizeof(T));
  }
  template <class C>
  FZM_HD static uint32_t granularity(const C&) { return 1; }
};

FZM_CODECS_END
