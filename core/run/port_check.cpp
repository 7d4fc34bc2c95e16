#include "core/run/port_check.h"

#include <algorithm>

#include "core/run/port_layout.h"
#include "kernels/base/bits.h"

namespace fzm {
namespace {

constexpr uint32_t kSumValues = 1u << 16;

std::string number(uint64_t n) { return std::to_string(n); }

Status check_order(const PlannedStage& s, const StageContent& content, uint32_t values) {
  const uint64_t entries = content.piece[1].size() / 4;
  int64_t before = -1;
  for (uint64_t i = 0; i < entries; ++i) {
    const int64_t index = generic::load_le<uint32_t>(content.piece[1].data() + 4 * i);
    if (index <= before || index >= values)
      return corrupt_stage(s, "index " + number(static_cast<uint64_t>(index)) + " at place " + number(i) + " of its list, of " +
                                  number(values) + " values, is out of order or range");
    before = index;
  }
  return {};
}

ConstBytes part_of(const std::vector<ConstBytes>& ports, const PortPart& part) {
  return part.port < 0 ? ConstBytes() : ports[static_cast<size_t>(part.port)].subspan(part.begin, part.bytes);
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

Result<StageContent> cut_ports(const PlannedStage& s, const void* context, const std::vector<ConstBytes>& ports, uint32_t values,
                               uint32_t input_values) {
  std::vector<uint64_t> bytes;
  for (const ConstBytes port : ports) bytes.push_back(port.size());
  Result<PortLayout> cut = lay_out_ports(s, context, bytes, values);
  if (!cut.ok()) return cut.status();
  PortLayout& layout = cut.value();
  if (layout.stream >= 0)
    FZM_TRY(check_stream_header(s, context, ports[static_cast<size_t>(layout.stream)].data(), input_values));
  StageContent content{part_of(ports, layout.array), part_of(ports, layout.records),
                       {part_of(ports, layout.piece[0]), part_of(ports, layout.piece[1])}};
  if (s.code().is_list) {
    FZM_TRY(check_order(s, content, values));
    return content;
  }
  // Any multiple of the granularity gives the same sums; a large one saves calls.
  const uint32_t granularity = std::max(s.code().granularity(context), 1u);
  const uint32_t block = granularity * std::max(1u, kSumValues / granularity);
  FZM_TRY(settle_pieces(s, piece_extent(s, context, content, block, 0, values), layout));
  FZM_TRY(check_padding(s, content.piece[0].subspan(layout.piece[0].bytes)));
  content.piece[0] = content.piece[0].first(layout.piece[0].bytes);
  return content;
}

}  // namespace fzm
