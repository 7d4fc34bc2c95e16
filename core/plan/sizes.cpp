#include "core/plan/sizes.h"

#include <algorithm>

namespace fzm {

uint32_t PlannedStage::pieces() const {
  uint32_t n = 0;
  for (const Port& port : stage->outputs) {
    if (port.kind == PortKind::piece1) n = 2;
    if (port.kind == PortKind::piece0 || port.kind == PortKind::stream) n = std::max(n, 1u);
  }
  return n;
}

int32_t PlannedStage::array_port() const {
  for (size_t p = 0; p < stage->outputs.size(); ++p)
    if (stage->outputs[p].kind == PortKind::array) return static_cast<int32_t>(p);
  return -1;
}

uint64_t records_bytes(const PlannedStage& s, const void* context, uint32_t values) {
  const BlockCode& code = s.code();
  return code.record_bytes && values > 0 ? code.record_bytes(values, context) : 0;
}

uint64_t max_piece_bytes(const PlannedStage& s, const void* context, uint32_t k, uint32_t values, uint32_t block_values) {
  const BlockCode& code = s.code();
  if (!code.max_piece_bytes || k >= s.pieces()) return 0;
  const uint32_t whole = values / block_values, rest = values % block_values;
  uint64_t bytes = uint64_t{whole} * (whole ? code.max_piece_bytes(k, block_values, context) : 0);
  if (rest) bytes += code.max_piece_bytes(k, rest, context);
  return bytes;
}

uint64_t max_port_bytes(const PlannedStage& s, const Port& port, const void* context, uint32_t block_values) {
  switch (port.kind) {
    case PortKind::array: return uint64_t{s.out_values} * dtype_bytes(s.out);
    case PortKind::records: return records_bytes(s, context, s.out_values);
    case PortKind::piece0: return max_piece_bytes(s, context, 0, s.out_values, block_values);
    case PortKind::piece1: return max_piece_bytes(s, context, 1, s.out_values, block_values);
    case PortKind::stream:
      return s.stage->stream.header_bytes + records_bytes(s, context, s.out_values) +
             max_piece_bytes(s, context, 0, s.out_values, block_values) + s.stage->stream.alignment;
  }
  return 0;
}

DType port_type(const PlannedStage& s, const Port& port) {
  if (port.type != DType::unknown) return port.type;
  switch (port.kind) {
    case PortKind::array: return s.out;
    case PortKind::piece0: case PortKind::piece1: return s.in;
    default: return DType::u8;
  }
}

}  // namespace fzm
