// fzm::decode and read_frame_info.
#include <bit>
#include <cstring>
#include <new>

#include "core/base/byte_order.h"
#include "core/base/checksum.h"
#include "core/frame/header.h"
#include "core/fzm.h"
#include "core/run/backend.h"
#include "core/base/memory.h"

namespace fzm {
namespace {

constexpr bool kNativeIsBig = std::endian::native == std::endian::big;

Status check_payload(const FrameHeader& h, ConstBytes payload) {
  if (tree_checksum(payload) == h.payload_checksum) return {};
  return Status(Code::checksum, "the frame's payload is damaged (its checksum does not match)");
}

Status decode_pipeline(const FrameHeader& h, ConstBytes payload, void* out, const Options& options) {
  const auto plan = make_plan(h.spec, h.array);
  if (!plan.ok()) return Status(Code::corrupt, "the frame's pipeline: " + plan.status().message());
  DecodeInput input;
  input.facts = h.facts;
  for (const uint64_t n : h.input_values) {
    if (n > UINT32_MAX) return Status(Code::corrupt, "a stage's input of " + std::to_string(n) + " values");
    input.input_values.push_back(static_cast<uint32_t>(n));
  }
  size_t at = 0;
  for (const uint64_t n : h.segment_bytes) {
    input.segments.push_back(payload.subspan(at, n));
    at += n;
  }
  return decode_anywhere(**plan, input, out, options.backend, options.threads);
}

Status decode_aligned(const FrameHeader& h, ConstBytes payload, uint8_t* out, uint64_t raw_bytes, const Options& options) {
  if (h.is_raw) {
    if (raw_bytes) std::memcpy(out, payload.data(), raw_bytes);
    return {};
  }
  FZM_TRY(decode_pipeline(h, payload, out, options));
  const uint32_t item = h.array.bytes_per_item();
  if (h.array.type != DType::unknown && item > 1 && h.array.big_endian != kNativeIsBig)
    swap_bytes(out, out, raw_bytes / item, item);
  return {};
}

Status decode_checked(ConstBytes frame, void* out, size_t out_bytes, const Options& options) {
  const Result<FrameHeader> h = read_header(frame);
  if (!h.ok()) return h.status();
  const uint64_t raw_bytes = h->raw_bytes();
  if (raw_bytes != out_bytes)
    return Status(Code::wrong_size, "the frame holds " + std::to_string(raw_bytes) + " bytes, " + std::to_string(out_bytes) +
                                        " are expected");
  const ConstBytes payload = frame.subspan(h->header_bytes, h->payload_bytes());
  if (options.verify_checksum) FZM_TRY(check_payload(*h, payload));
  if (raw_bytes == 0 && !h->is_raw) return Status(Code::corrupt, "an empty chunk with a pipeline");
  if (reinterpret_cast<uintptr_t>(out) % 8 == 0)
    return decode_aligned(*h, payload, static_cast<uint8_t*>(out), raw_bytes, options);
  const Memory aligned(raw_bytes);
  if (!aligned.is_there()) return Status(Code::no_memory, "not enough memory to decode the chunk");
  FZM_TRY(decode_aligned(*h, payload, aligned.data(), raw_bytes, options));
  if (raw_bytes) std::memcpy(out, aligned.data(), raw_bytes);
  return {};
}

std::vector<std::pair<std::string, std::string>> texts(std::span<const Param> rows, const Object& object, const Object& defaults,
                                                       bool all) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Param& row : rows)
    if (all || !(row.get(object.data()) == row.get(defaults.data())))
      list.emplace_back(row.name, to_text(row, row.get(object.data())));
  return list;
}

// The resolved bound is a fact of this name, whatever stage has it.
void note_bound(FrameInfo& info, const StageSpec& s, const Object& facts) {
  for (const Param& row : s.stage->facts)
    if (row.name == "abs_bound" && !info.has_bound) {
      info.has_bound = true;
      info.abs_bound = row.get(facts.data()).real;
    }
  for (const Param& row : s.stage->params)
    if (row.name == "error_bound_mode" && info.bound_mode.empty()) info.bound_mode = to_text(row, row.get(s.params.data()));
}

FrameInfo info_of(const FrameHeader& h, uint64_t frame_bytes) {
  FrameInfo info;
  info.version = kFrameVersion;
  info.array = h.array;
  info.raw_bytes = h.raw_bytes();
  info.frame_bytes = frame_bytes;
  info.header_bytes = h.header_bytes;
  info.is_raw = h.is_raw;
  for (size_t i = 0; i < h.spec.stages.size(); ++i) {
    const StageSpec& s = h.spec.stages[i];
    note_bound(info, s, h.facts[i]);
    info.stages.push_back(StageInfo{std::string(s.stage->name),
                                    texts(s.stage->params, s.params, default_params(*s.stage), false),
                                    texts(s.stage->facts, h.facts[i], default_facts(*s.stage), true)});
  }
  const std::vector<Edge> ports = stored_ports(h.spec);
  for (size_t i = 0; i < ports.size(); ++i) {
    const Stage& s = *h.spec.stages[static_cast<size_t>(ports[i].from)].stage;
    const Port& port = s.outputs[ports[i].port];
    info.segments.push_back(SegmentInfo{std::string(s.name), std::string(port.name), h.segment_bytes[i]});
    if (port.name == "outlier_idxs") info.escapes += h.segment_bytes[i] / 4;
    if (s.is_identity) info.masked_bytes += h.segment_bytes[i];
  }
  return info;
}

}  // namespace

Status decode(ConstBytes frame, void* out, size_t out_bytes, const Options& options) {
  try {
    return decode_checked(frame, out, out_bytes, options);
  } catch (const std::bad_alloc&) {
    return Status(Code::no_memory, "not enough memory to decode the chunk");
  }
}

Result<FrameInfo> read_frame_info(ConstBytes frame) {
  const Result<FrameHeader> h = read_header(frame);
  if (!h.ok()) return h.status();
  return info_of(*h, frame.size());
}

}  // namespace fzm
