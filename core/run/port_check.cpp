#include "core/run/port_check.h"

#include <algorithm>

#include "core/plan/sizes.h"
#include "kernels/base/bits.h"

namespace fzm {
namespace {

constexpr uint32_t kSumValues = 1u << 16;

Status corrupt(const PlannedStage& s, const std::string& what) {
  return Status(Code::corrupt, "stage '" + s.name + "' (" + std::string(s.stage->name) + "): " + what);
}

std::string number(uint64_t n) { return std::to_string(n); }

Status cut_stream(const PlannedStage& s, const void* context, ConstBytes stream, uint32_t values, uint32_t input_values,
                  StageContent& content) {
  const StreamFrame& frame = s.stage->stream;
  const uint64_t records = records_bytes(s, context, values);
  if (stream.size() < frame.header_bytes + records)
    return corrupt(s, "its stream has " + number(stream.size()) + " bytes, header and records take " +
                          number(frame.header_bytes + records));
  if (frame.check_header) FZM_TRY(frame.check_header(stream.data(), context, s.in, input_values).at("stage '" + s.name + "'"));
  content.records = stream.subspan(frame.header_bytes, records);
  content.piece[0] = stream.subspan(frame.header_bytes + records);
  return {};
}

// A stream's pieces end before its padding.
Status trim_padding(const PlannedStage& s, const void* context, uint32_t block_values, uint32_t values, size_t stream_bytes,
                    StageContent& content) {
  const uint64_t used = piece_extent(s, context, content, block_values, 0, values)[0];
  const uint64_t before = stream_bytes - content.piece[0].size();
  if (used > content.piece[0].size())
    return corrupt(s, "its records ask for " + number(used) + " bytes, there are " + number(content.piece[0].size()));
  const uint64_t alignment = s.stage->stream.alignment;
  const uint64_t padded = (before + used + alignment - 1) / alignment * alignment;
  if (padded != stream_bytes)
    return corrupt(s, "its stream has " + number(stream_bytes) + " bytes, its records say " + number(padded));
  for (const uint8_t b : content.piece[0].subspan(used))
    if (b != 0) return corrupt(s, "padding is not zero");
  content.piece[0] = content.piece[0].first(used);
  return {};
}

Status check_list(const PlannedStage& s, const StageContent& content, uint32_t values) {
  const uint64_t entries = content.piece[1].size() / 4;
  if (content.piece[1].size() % 4 != 0 || content.piece[0].size() != entries * s.code().entry_bytes)
    return corrupt(s, "its list has " + number(content.piece[0].size()) + " bytes of values and " +
                          number(content.piece[1].size()) + " of indices");
  int64_t before = -1;
  for (uint64_t i = 0; i < entries; ++i) {
    const int64_t index = generic::load_le<uint32_t>(content.piece[1].data() + 4 * i);
    if (index <= before || index >= values)
      return corrupt(s, "index " + number(static_cast<uint64_t>(index)) + " at place " + number(i) + " of its list, of " +
                            number(values) + " values, is out of order or range");
    before = index;
  }
  return {};
}

uint64_t entries_below(ConstBytes indices, uint64_t end) {
  uint64_t low = 0, high = indices.size() / 4;
  while (low < high) {
    const uint64_t mid = (low + high) / 2;
    if (generic::load_le<uint32_t>(indices.data() + 4 * mid) < end) low = mid + 1;
    else high = mid;
  }
  return low;
}

}  // namespace

std::array<uint64_t, kMaxPieces> piece_extent(const PlannedStage& s, const void* context, const StageContent& content,
                                              uint32_t block_values, uint32_t begin, uint32_t end) {
  const BlockCode& code = s.code();
  if (code.is_list) {
    const uint64_t n = entries_below(content.piece[1], end) - entries_below(content.piece[1], begin);
    return {n * code.entry_bytes, n * 4};
  }
  std::array<uint64_t, kMaxPieces> bytes{};
  if (!code.piece_bytes) return bytes;
  const uint32_t pieces = s.pieces();
  for (uint64_t at = begin; at < end; at += block_values) {
    const auto n = static_cast<uint32_t>(std::min<uint64_t>(block_values, end - at));
    const uint8_t* records = content.records.data();
    if (code.record_bytes && at) records += code.record_bytes(static_cast<uint32_t>(at), context);
    for (uint32_t k = 0; k < pieces; ++k) bytes[k] += code.piece_bytes(k, records, n, context);
  }
  return bytes;
}

Status check_pieces(const PlannedStage& s, const void* context, const StageContent& content, uint32_t block_values,
                    uint32_t values) {
  if (s.code().is_list) return check_list(s, content, values);
  const auto wanted = piece_extent(s, context, content, block_values, 0, values);
  for (uint32_t k = 0; k < kMaxPieces; ++k)
    if (wanted[k] != content.piece[k].size())
      return corrupt(s, "piece " + number(k) + " has " + number(content.piece[k].size()) + " bytes, the records say " +
                            number(wanted[k]));
  return {};
}

Result<StageContent> cut_ports(const PlannedStage& s, const void* context, const std::vector<ConstBytes>& ports, uint32_t values,
                               uint32_t input_values) {
  StageContent content;
  size_t stream_bytes = 0;
  bool has_stream = false;
  for (size_t p = 0; p < ports.size(); ++p) {
    switch (s.stage->outputs[p].kind) {
      case PortKind::array: content.array = ports[p]; break;
      case PortKind::records: content.records = ports[p]; break;
      case PortKind::piece0: content.piece[0] = ports[p]; break;
      case PortKind::piece1: content.piece[1] = ports[p]; break;
      case PortKind::stream:
        FZM_TRY(cut_stream(s, context, ports[p], values, input_values, content));
        stream_bytes = ports[p].size();
        has_stream = true;
        break;
    }
  }
  const uint64_t records = records_bytes(s, context, values);
  if (content.records.size() != records)
    return corrupt(s, "its records have " + number(content.records.size()) + " bytes, " + number(values) + " values need " +
                          number(records));
  // Any multiple of the granularity gives the same sums; a large one saves calls.
  const uint32_t granularity = std::max(s.code().granularity(context), 1u);
  const uint32_t block = granularity * std::max(1u, kSumValues / granularity);
  FZM_TRY(has_stream ? trim_padding(s, context, block, values, stream_bytes, content)
                     : check_pieces(s, context, content, block, values));
  return content;
}

}  // namespace fzm
