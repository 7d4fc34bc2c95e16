// One contiguous range of a group's blocks, as the code that runs it sees it. The generic walk (block by block, stage by stage)
// and the tuned paths of kernels/fast/ have this one interface.
#pragma once
#include <cstdint>

#include "kernels/base/codec.h"

namespace fzm {

inline constexpr uint32_t kMaxGroupStages = 8;

struct GroupIo {
  // The range, in values of the group's arrays; `first` is a multiple of the group's granularity, and so is `count` unless the
  // range ends the array.
  uint32_t first = 0, count = 0;
  // encode: in is what the first stage reads, out what the last stage's array port writes (null for a pack).
  // decode: in is the last stage's array output (null for a pack), out the first stage's array input.
  // encode: out may be in, where both have the same width and the group is not tuned.
  // They stand at value `first`, except the array input of a wide first stage, which stands at the array's start.
  const void* in = nullptr;
  void* out = nullptr;

  struct Stage {
    const void* context = nullptr;          // Context<Params, Facts> of the stage
    uint8_t* records = nullptr;             // this range's records
    uint8_t* piece[kMaxPieces] = {};        // encode: where to write. decode: this range's pieces
    uint64_t piece_room[kMaxPieces] = {};   // encode: bytes that may be written (and 64 more overwritten). decode: bytes there are
    uint64_t piece_bytes[kMaxPieces] = {};  // encode: bytes that were written
  };
  Stage stage[kMaxGroupStages];
  uint32_t fault = 0;         // decode: OR of 1 << Fault
  uint8_t* scratch = nullptr; // group's scratch_bytes, aligned to 64
};

}  // namespace fzm
