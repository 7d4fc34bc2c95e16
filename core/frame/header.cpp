#include "core/frame/header.h"

#include "core/base/checksum.h"
#include "core/spec/spec_record.h"

namespace fzm {
namespace {

constexpr uint8_t kMagic[4] = {'F', 'Z', 'M', 0x1A};
constexpr size_t kFixedBytes = 8;   // magic, version, flags, header length
constexpr size_t kTailBytes = 8;    // header checksum, payload checksum

constexpr uint8_t kBigEndian = 1, kRaw = 2, kPad = 4, kKnownFlags = 7;

bool reads_external(const Spec& spec, size_t stage) {
  return spec.stages[stage].inputs.empty() || spec.stages[stage].inputs[0].from == kExternal;
}

void write_body(ByteWriter& out, const FrameHeader& h) {
  out.number(static_cast<uint8_t>(h.array.type));
  if (h.array.type == DType::unknown) out.varint(h.array.item_bytes);
  out.varint(h.array.shape.size());
  for (const uint64_t n : h.array.shape) out.varint(n);
  if (h.is_raw) return;
  write_spec(out, h.spec);
  for (size_t i = 0; i < h.spec.stages.size(); ++i) {
    const Stage& s = *h.spec.stages[i].stage;
    if (!s.facts.empty()) write_rows(out, s.facts, h.facts[i].data(), default_facts(s).data());
  }
  for (size_t i = 0; i < h.spec.stages.size(); ++i)
    if (!reads_external(h.spec, i)) out.varint(h.input_values[i]);
  for (const uint64_t n : h.segment_bytes) out.varint(n);
}

// The header's checksum was right and its end is known: what cannot be read inside is damage, unless it is newer.
Status in_header(const Status& s, const std::string& where = "frame header") {
  return s.ok() || s.code() == Code::newer_frame ? s.at(where) : Status(Code::corrupt, s.message()).at(where);
}

// A header of a known version whose checksum is right.
struct Opened {
  uint8_t flags;
  size_t header_bytes;
  uint32_t payload_checksum;
  ByteReader body;
};

Result<Opened> open_header(ConstBytes frame) {
  if (frame.size() < kFixedBytes + kTailBytes)
    return Status(Code::truncated, "a frame has at least 16 bytes, this one " + std::to_string(frame.size()));
  for (size_t i = 0; i < sizeof kMagic; ++i)
    if (frame[i] != kMagic[i]) return Status(Code::not_a_frame, "the bytes do not begin like an FZM frame");
  if (frame[4] > kFrameVersion)
    return Status(Code::newer_frame, "frame version " + std::to_string(frame[4]) + ", this reader knows version " +
                                         std::to_string(kFrameVersion) + ": a newer fzm is needed");
  if (frame[4] == 0) return Status(Code::corrupt, "frame version 0");
  const size_t length = frame[6] + 256u * frame[7];
  if (length < kFixedBytes + kTailBytes || length > frame.size())
    return Status(Code::truncated, "a header of " + std::to_string(length) + " bytes, the frame has " + std::to_string(frame.size()));
  ByteReader tail(frame.subspan(length - kTailBytes, kTailBytes));
  if (tail.number<uint32_t>() != checksum(frame.first(length - kTailBytes)))
    return Status(Code::checksum, "the frame's header is damaged (its checksum does not match)");
  if (frame[5] & ~kKnownFlags) return Status(Code::newer_frame, "frame flags " + std::to_string(frame[5]) + " are not known");
  return Opened{frame[5], length, tail.number<uint32_t>(),
                ByteReader(frame.subspan(kFixedBytes, length - kFixedBytes - kTailBytes))};
}

Status ends_too_early() { return Status(Code::corrupt, "the frame's header ends too early"); }

Status read_array(ByteReader& in, ArrayInfo& array) {
  const auto type = in.number<uint8_t>();
  if (type > 9 && type != 255) return Status(Code::corrupt, "frame header: element type " + std::to_string(type));
  array.type = static_cast<DType>(type);
  if (array.type == DType::unknown) {
    const uint64_t item = in.varint();
    if (item == 0 || item > UINT32_MAX) return Status(Code::corrupt, "frame header: items of " + std::to_string(item) + " bytes");
    array.item_bytes = static_cast<uint32_t>(item);
  }
  const uint64_t rank = in.varint();
  if (rank == 0 || rank > kMaxRank) return Status(Code::corrupt, "frame header: " + std::to_string(rank) + " dimensions");
  for (uint64_t i = 0; i < rank; ++i) array.shape.push_back(in.varint());
  const Result<uint32_t> values = count_values(array.shape);
  if (!values.ok()) return in_header(values.status());
  const uint64_t bytes = uint64_t{*values} * array.bytes_per_item();
  if (bytes > UINT32_MAX) return Status(Code::corrupt, "frame header: a chunk of " + std::to_string(bytes) + " bytes, over 2^32 - 1");
  return {};
}

Status read_body(ByteReader& in, FrameHeader& h) {
  FZM_TRY(read_array(in, h.array));
  if (h.is_raw) return {};
  Result<Spec> spec = read_spec(in);
  if (!spec.ok()) return in_header(spec.status());
  if (spec->stages.empty()) return Status(Code::corrupt, "frame header: a pipeline without stages");
  h.spec = std::move(spec).value();
  for (const StageSpec& s : h.spec.stages) {
    Object facts = default_facts(*s.stage);
    if (!s.stage->facts.empty())
      FZM_TRY(in_header(read_rows(in, s.stage->facts, facts.data(), default_facts(*s.stage).data()), "frame header, facts of " + s.name));
    h.facts.push_back(std::move(facts));
  }
  h.input_values.assign(h.spec.stages.size(), *count_values(h.array.shape));
  for (size_t i = 0; i < h.spec.stages.size(); ++i)
    if (!reads_external(h.spec, i)) h.input_values[i] = in.varint();
  for (size_t i = stored_ports(h.spec).size(); i > 0; --i) h.segment_bytes.push_back(in.varint());
  return {};
}

// Payload and pad fill the frame to the byte.
Status check_length(const FrameHeader& h, size_t frame_bytes) {
  uint64_t wanted = h.header_bytes + h.has_pad;
  if (h.is_raw) wanted += h.raw_bytes();
  for (const uint64_t n : h.segment_bytes) {
    if (n > frame_bytes - std::min<uint64_t>(wanted, frame_bytes))
      return Status(Code::truncated, "a segment of " + std::to_string(n) + " bytes, the frame has " +
                                         std::to_string(frame_bytes) + " bytes in all");
    wanted += n;
  }
  if (wanted == frame_bytes) return {};
  return Status(wanted > frame_bytes ? Code::truncated : Code::corrupt,
                "the header speaks of " + std::to_string(wanted) + " bytes, the frame has " + std::to_string(frame_bytes));
}

}  // namespace

uint64_t FrameHeader::raw_bytes() const {
  uint64_t n = array.bytes_per_item();
  for (const uint64_t d : array.shape) n *= d;
  return n;
}

uint64_t FrameHeader::payload_bytes() const {
  if (is_raw) return raw_bytes();
  uint64_t sum = 0;
  for (const uint64_t n : segment_bytes) sum += n;
  return sum;
}

std::vector<Edge> stored_ports(const Spec& spec) {
  std::vector<Edge> stored;
  for (size_t i = 0; i < spec.stages.size(); ++i)
    for (uint32_t p = 0; p < spec.stages[i].stage->outputs.size(); ++p) {
      const Edge port{static_cast<int32_t>(i), p};
      bool is_read = false;
      for (const StageSpec& s : spec.stages)
        for (const Edge& e : s.inputs) is_read |= e == port;
      if (!is_read) stored.push_back(port);
    }
  return stored;
}

std::vector<uint8_t> write_header(const FrameHeader& h) {
  ByteWriter out;
  for (const uint8_t b : kMagic) out.number(b);
  out.number(kFrameVersion);
  out.number(static_cast<uint8_t>((h.array.big_endian ? kBigEndian : 0) | (h.is_raw ? kRaw : 0) | (h.has_pad ? kPad : 0)));
  out.number(uint16_t{0});
  write_body(out, h);
  const auto length = static_cast<uint16_t>(out.size() + kTailBytes);
  out.bytes()[6] = static_cast<uint8_t>(length);
  out.bytes()[7] = static_cast<uint8_t>(length >> 8);
  out.number(checksum(out.bytes()));
  out.number(h.payload_checksum);
  return std::move(out.bytes());
}

Result<ArrayInfo> read_header_array(ConstBytes frame) {
  Result<Opened> opened = open_header(frame);
  if (!opened.ok()) return opened.status();
  auto& [flags, header_bytes, payload_checksum, body] = opened.value();
  ArrayInfo array;
  array.big_endian = flags & kBigEndian;
  FZM_TRY(read_array(body, array));
  if (body.failed()) return ends_too_early();
  return array;
}

Result<FrameHeader> read_header(ConstBytes frame) {
  Result<Opened> opened = open_header(frame);
  if (!opened.ok()) return opened.status();
  auto& [flags, header_bytes, payload_checksum, body] = opened.value();
  FrameHeader h;
  h.payload_checksum = payload_checksum;
  h.header_bytes = header_bytes;
  h.array.big_endian = flags & kBigEndian;
  h.is_raw = flags & kRaw;
  h.has_pad = flags & kPad;
  FZM_TRY(read_body(body, h));
  if (body.failed()) return ends_too_early();
  if (body.left() != 0) return Status(Code::corrupt, "the frame's header has bytes left over");
  FZM_TRY(check_length(h, frame.size()));
  if (h.has_pad && frame.back() != 0) return Status(Code::corrupt, "the pad byte is not zero");
  return h;
}

}  // namespace fzm
