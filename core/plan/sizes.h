// Sizes of ports, from a stage's code and context.
#pragma once
#include "core/plan/plan.h"

namespace fzm {

// Bytes of the records section of an array of `values`.
uint64_t records_bytes(const PlannedStage& s, const void* context, uint32_t values);
// Upper bound of piece k of an array of `values`, whatever the data.
uint64_t max_piece_bytes(const PlannedStage& s, const void* context, uint32_t k, uint32_t values, uint32_t block_values);
// Upper bound of a port in bytes (streams with header and padding).
uint64_t max_port_bytes(const PlannedStage& s, const Port& port, const void* context, uint32_t block_values);
// Element type of a port.
DType port_type(const PlannedStage& s, const Port& port);

}  // namespace fzm
