// Where a stage's content lies in its ports, from their lengths alone: what can be checked before any byte of them is read, the
// same on every device.
#pragma once
#include <array>
#include <vector>

#include "core/plan/plan.h"

namespace fzm {

struct PortPart {
  int32_t port = -1;  // -1: there is none
  uint64_t begin = 0, bytes = 0;
};

struct PortLayout {
  PortPart array, records;
  std::array<PortPart, kMaxPieces> piece;  // of a stream: padding included, until settle_pieces
  int32_t stream = -1;                     // the port that is a stream
};

// `port_bytes` are the lengths of the stage's outputs in order; `values` is the length of the block-contiguous array.
// Errors: corrupt, where records or a stream are too short or long, or a list's pieces have no whole or equal entries.
Result<PortLayout> lay_out_ports(const PlannedStage& s, const void* context, const std::vector<uint64_t>& port_bytes,
                                 uint32_t values);

// `wanted` bytes of each piece (by the records) against those that are there. A stream's piece is cut to what is wanted; the rest
// is padding, which must be zeros: check_padding. Not for lists.
Status settle_pieces(const PlannedStage& s, const std::array<uint64_t, kMaxPieces>& wanted, PortLayout& layout);
Status check_padding(const PlannedStage& s, std::span<const uint8_t> padding);

Status check_stream_header(const PlannedStage& s, const void* context, const uint8_t* header, uint32_t input_values);

// A stored array port against the length of the array.
Status check_array(const PlannedStage& s, uint64_t bytes, uint32_t values);

// Errors of a stage in a frame, told alike everywhere.
Status corrupt_stage(const PlannedStage& s, const std::string& what);

}  // namespace fzm
