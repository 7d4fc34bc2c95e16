// The Quantizer's list in a GroupIo.
#pragma once
#if defined(__AVX2__)
#include "core/run/group_io.h"
#include "kernels/fast/fronts_avx2.h"

namespace fzm::fast {
namespace {

inline EscapeSink escapes_of(const GroupIo::Stage& s) {
  const uint64_t values = s.piece_room[0] / 4, indices = s.piece_room[1] / 4;
  return {s.piece[0], s.piece[1], s.piece_bytes[0] / 4, values < indices ? values : indices};
}
inline void keep_escapes(GroupIo::Stage& s, const EscapeSink& list) {
  s.piece_bytes[0] = s.piece_bytes[1] = 4 * list.entries;
}

// Puts the values listed for at .. at+count of the range over what their codes gave.
inline void put_escapes(GroupIo& io, uint32_t at, uint32_t count, uint64_t (&cursor)[kMaxPieces]) {
  const GroupIo::Stage& s = io.stage[0];
  const uint32_t first = io.first + at;
  while (cursor[1] + 4 <= s.piece_room[1] && cursor[0] + 4 <= s.piece_room[0]) {
    const uint32_t index = get<uint32_t>(s.piece[1] + cursor[1]);
    if (index >= uint64_t{first} + count) return;
    if (index < first)
      io.fault |= 1u << static_cast<uint32_t>(Fault::bad_index);
    else
      put(static_cast<float*>(io.out) + (index - io.first), get<float>(s.piece[0] + cursor[0]));
    cursor[0] += 4;
    cursor[1] += 4;
  }
}
// At the end of a range, everything must have been used.
inline void check_escapes(GroupIo& io, const uint64_t (&cursor)[kMaxPieces]) {
  const GroupIo::Stage& s = io.stage[0];
  if (cursor[0] != s.piece_room[0] || cursor[1] != s.piece_room[1])
    io.fault |= 1u << static_cast<uint32_t>(Fault::bad_index);
}

}  // namespace
}  // namespace fzm::fast
#endif
