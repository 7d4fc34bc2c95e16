// All blocks of one array, as kernels see them. Freestanding, for NVRTC.
#pragma once
#include "kernels/base/codec.h"

namespace fzm {

// Pointers are device memory, and stand at the start of the array or section.
struct BlockJob {
  uint32_t values = 0;        // of the array that is cut into blocks (the array output of a wide codec, else the input)
  uint32_t block_values = 1;  // a multiple of the granularity
  uint32_t blocks = 0;        // ceil(values / block_values); decode_pass: decode_blocks(pass)
  const void* in = nullptr;   // as in BlockIo
  void* out = nullptr;
  uint8_t* records = nullptr;
  uint8_t* piece[kMaxPieces] = {};       // encode: room for every block's worst case; decode: the section
  uint64_t slot_bytes[kMaxPieces] = {};  // encode: room of a block, a multiple of 16
  uint32_t* size[kMaxPieces] = {};       // encode, measure: bytes of each block's piece; blocks + 1 entries, the last one 0
  uint64_t* at[kMaxPieces] = {};         // decode: where each block's piece begins and the last one ends; blocks + 1 entries
  uint64_t section_bytes[kMaxPieces] = {};  // decode: bytes that are there
  uint8_t* scratch = nullptr;  // of the codec, scratch_bytes for each of `resident` blocks; null where shared memory does
  uint64_t scratch_bytes = 0;  // a multiple of 64
  uint32_t resident = 1;       // blocks that work at a time
  uint32_t* fault = nullptr;   // OR of 1 << Fault
};

}  // namespace fzm
