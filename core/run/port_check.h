// Cuts a stage's ports into records and pieces and checks every size, so that the codecs' loops can run free.
#pragma once
#include <array>
#include <vector>

#include "core/plan/plan.h"

namespace fzm {

// A stage's stored content, cut up.
struct StageContent {
  ConstBytes array;    // typed array output, empty for packs
  ConstBytes records;
  std::array<ConstBytes, kMaxPieces> piece;
};

// `ports` are the stage's outputs in order (array ports of stages inside a group may be empty). `values` is the length of the
// block-contiguous array, `input_values` of the array input. Afterwards pieces hold exactly what the records say; lists are whole
// entries, ascending, inside the array.
Result<StageContent> cut_ports(const PlannedStage& s, const void* context, const std::vector<ConstBytes>& ports, uint32_t values,
                               uint32_t input_values);

// Bytes that the pieces of blocks in [begin, end) take; for lists, found by index. Never more than there are in what cut_ports gave.
std::array<uint64_t, kMaxPieces> piece_extent(const PlannedStage& s, const void* context, const StageContent& content,
                                              uint32_t block_values, uint32_t begin, uint32_t end);

}  // namespace fzm
