#include "core/run/port_layout.h"

#include <algorithm>

#include "core/plan/sizes.h"

namespace fzm {
namespace {

std::string number(uint64_t n) { return std::to_string(n); }

Status lay_out_stream(const PlannedStage& s, const void* context, uint64_t bytes, uint32_t values, PortLayout& l) {
  const uint64_t header = s.stage->stream.header_bytes, records = records_bytes(s, context, values);
  if (bytes < header + records)
    return corrupt_stage(s, "its stream has " + number(bytes) + " bytes, header and records take " + number(header + records));
  l.records = {l.stream, header, records};
  l.piece[0] = {l.stream, header + records, bytes - header - records};
  return {};
}

Status check_list(const PlannedStage& s, const PortLayout& l) {
  const uint64_t entries = l.piece[1].bytes / 4;
  if (l.piece[1].bytes % 4 == 0 && l.piece[0].bytes == entries * s.code().entry_bytes) return {};
  return corrupt_stage(s, "its list has " + number(l.piece[0].bytes) + " bytes of values and " + number(l.piece[1].bytes) +
                              " of indices");
}

Status settle_stream(const PlannedStage& s, uint64_t wanted, PortLayout& l) {
  PortPart& piece = l.piece[0];
  if (wanted > piece.bytes)
    return corrupt_stage(s, "its records ask for " + number(wanted) + " bytes, there are " + number(piece.bytes));
  const uint64_t alignment = s.stage->stream.alignment, bytes = piece.begin + piece.bytes;
  const uint64_t padded = (piece.begin + wanted + alignment - 1) / alignment * alignment;
  if (padded != bytes) return corrupt_stage(s, "its stream has " + number(bytes) + " bytes, its records say " + number(padded));
  piece.bytes = wanted;
  return {};
}

}  // namespace

Status corrupt_stage(const PlannedStage& s, const std::string& what) {
  return Status(Code::corrupt, "stage '" + s.name + "' (" + std::string(s.stage->name) + "): " + what);
}

Result<PortLayout> lay_out_ports(const PlannedStage& s, const void* context, const std::vector<uint64_t>& port_bytes,
                                 uint32_t values) {
  PortLayout l;
  for (size_t p = 0; p < port_bytes.size(); ++p) {
    const PortPart whole{static_cast<int32_t>(p), 0, port_bytes[p]};
    switch (s.stage->outputs[p].kind) {
      case PortKind::array: l.array = whole; break;
      case PortKind::records: l.records = whole; break;
      case PortKind::piece0: l.piece[0] = whole; break;
      case PortKind::piece1: l.piece[1] = whole; break;
      case PortKind::stream:
        l.stream = whole.port;
        FZM_TRY(lay_out_stream(s, context, whole.bytes, values, l));
        break;
    }
  }
  const uint64_t records = records_bytes(s, context, values);
  if (l.records.bytes != records)
    return corrupt_stage(s, "its records have " + number(l.records.bytes) + " bytes, " + number(values) + " values need " +
                                number(records));
  if (s.code().is_list) FZM_TRY(check_list(s, l));
  return l;
}

Status settle_pieces(const PlannedStage& s, const std::array<uint64_t, kMaxPieces>& wanted, PortLayout& layout) {
  if (layout.stream >= 0) return settle_stream(s, wanted[0], layout);
  for (uint32_t k = 0; k < kMaxPieces; ++k)
    if (wanted[k] != layout.piece[k].bytes)
      return corrupt_stage(s, "piece " + number(k) + " has " + number(layout.piece[k].bytes) + " bytes, the records say " +
                                  number(wanted[k]));
  return {};
}

Status check_padding(const PlannedStage& s, std::span<const uint8_t> padding) {
  if (std::all_of(padding.begin(), padding.end(), [](uint8_t b) { return b == 0; })) return {};
  return corrupt_stage(s, "padding is not zero");
}

Status check_array(const PlannedStage& s, uint64_t bytes, uint32_t values) {
  const uint64_t wanted = uint64_t{values} * dtype_bytes(s.out);
  if (bytes == wanted) return {};
  return corrupt_stage(s, "its array has " + number(bytes) + " bytes, " + number(values) + " values need " + number(wanted));
}

Status check_stream_header(const PlannedStage& s, const void* context, const uint8_t* header, uint32_t input_values) {
  const StreamFrame& frame = s.stage->stream;
  if (!frame.check_header) return {};
  return frame.check_header(header, context, s.in, input_values).at("stage '" + s.name + "'");
}

}  // namespace fzm
