// One codec variant for one instruction set, with its types erased: what the host backend calls.
#pragma once
#include <cstdint>

#include "core/base/dtype.h"
#include "kernels/base/codec.h"

namespace fzm {

// Pointers are null where the codec has no such member. `c` is a Context of the stage.
struct BlockCode {
  DType in = DType::unknown, out = DType::unknown;  // out of a pack: u8
  bool is_wide = false;
  bool is_list = false;
  uint32_t entry_bytes = 0;    // lists: bytes of one value
  uint32_t partial_bytes = 0;  // observe's result
  bool (*accepts)(const void* params) = nullptr;
  uint32_t (*granularity)(const void* c) = nullptr;
  Pieces (*encode)(const BlockIo& io, const void* c, uint32_t* fault) = nullptr;
  void (*decode)(const BlockIo& io, const void* c, uint32_t* fault) = nullptr;
  uint32_t (*out_values)(const void* c) = nullptr;
  uint32_t (*record_bytes)(uint32_t count, const void* c) = nullptr;
  uint32_t (*max_piece_bytes)(uint32_t k, uint32_t count, const void* c) = nullptr;
  uint32_t (*piece_bytes)(uint32_t k, const uint8_t* records, uint32_t count, const void* c) = nullptr;
  uint32_t (*scratch_bytes)(uint32_t count, const void* c) = nullptr;
  void (*start_partial)(void* partial) = nullptr;
  void (*observe)(const BlockIo& io, const void* c, void* partial) = nullptr;  // merges into partial
  void (*merge)(void* into, const void* from) = nullptr;
  uint32_t (*decode_passes)(const void* c) = nullptr;
  uint32_t (*decode_blocks)(uint32_t pass, const void* c) = nullptr;
  void (*decode_pass)(uint32_t pass, uint32_t block, const BlockIo& io, const void* c, uint32_t* fault) = nullptr;
};

}  // namespace fzm
