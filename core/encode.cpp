// fzm::encode: the pipeline asked for, else lossless, else raw.
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/base/byte_order.h"
#include "core/base/checksum.h"
#include "core/frame/header.h"
#include "core/fzm.h"
#include "core/run/backend.h"

namespace fzm {

struct EncodedFrame::Content {
  std::vector<uint8_t> header;
  EncodeResult made;               // owns what parts points to
  Memory swapped;                  // the chunk in native order, where it was not
  std::vector<ConstBytes> parts;   // the payload
  uint64_t payload_bytes = 0;
  bool has_pad = false;
  uint64_t size() const { return header.size() + payload_bytes + has_pad; }
};

namespace {

using Content = EncodedFrame::Content;

constexpr bool kNativeIsBig = std::endian::native == std::endian::big;

void finish(Content& c, FrameHeader& h, uint64_t raw_bytes) {
  for (const ConstBytes p : c.parts) c.payload_bytes += p.size();
  c.header = write_header(h);
  if (c.size() != raw_bytes) return;
  h.has_pad = c.has_pad = true;
  c.header = write_header(h);
}

// The stages that did something, with edges around those that did not.
FrameHeader header_of(const Plan& plan, const EncodeResult& made) {
  FrameHeader h;
  h.array = plan.array;
  std::vector<Edge> feeds(plan.stages.size());  // per old stage: who makes its array output now
  std::vector<int32_t> place(plan.stages.size(), 0);
  for (size_t i = 0; i < plan.stages.size(); ++i) {
    const PlannedStage& s = plan.stages[i];
    Edge input = s.input;
    if (input.from != kExternal) {
      const auto from = static_cast<size_t>(input.from);
      input = made.is_identity[from] ? feeds[from] : Edge{place[from], input.port};
    }
    feeds[i] = input;
    if (made.is_identity[i]) continue;
    place[i] = static_cast<int32_t>(h.spec.stages.size());
    h.spec.stages.push_back(StageSpec{s.stage, s.name, s.params, {input}});
    h.facts.push_back(made.facts[i]);
    h.input_values.push_back(made.input_values[i]);
  }
  return h;
}

Result<std::shared_ptr<Content>> encode_with(const Request& request, const ArrayInfo& array, const void* native,
                                             const Options& options) {
  const Result<Spec> spec = request.spec_for(array);
  if (!spec.ok()) return spec.status();
  const auto plan = make_plan(*spec, array);
  if (!plan.ok()) return plan.status();
  Result<EncodeResult> made = encode_anywhere(**plan, native, options.backend, options.threads);
  if (!made.ok()) return made.status();
  auto c = std::make_shared<Content>();
  c->made = std::move(made).value();
  FrameHeader h = header_of(**plan, c->made);
  for (const Edge& port : (*plan)->segments) {
    const auto stage = static_cast<size_t>(port.from);
    if (c->made.is_identity[stage]) continue;
    const PortBytes& bytes = c->made.ports[stage][port.port];
    h.segment_bytes.push_back(bytes.bytes());
    c->parts.insert(c->parts.end(), bytes.parts.begin(), bytes.parts.end());
  }
  finish(*c, h, (*plan)->raw_bytes);
  return c;
}

std::shared_ptr<Content> raw_frame(const ArrayInfo& array, const void* data, uint64_t raw_bytes) {
  auto c = std::make_shared<Content>();
  FrameHeader h;
  h.array = array;
  h.is_raw = true;
  c->parts = {ConstBytes(static_cast<const uint8_t*>(data), raw_bytes)};
  finish(*c, h, raw_bytes);
  return c;
}

bool is_data_dependent(const Status& s) { return s.code() == Code::needs_exact; }

// One way after the other until the frame is smaller than the chunk.
Result<std::shared_ptr<Content>> best_frame(const Request& request, const ArrayInfo& array, const void* data, const void* native,
                                            uint64_t raw_bytes, const Options& options) {
  Result<std::shared_ptr<Content>> c = encode_with(request, array, native, options);
  if (!c.ok() && !is_data_dependent(c.status())) return c;
  if (c.ok() && (*c)->size() < raw_bytes) return c;
  c = Status(Code::needs_exact, "not smaller than the chunk");  // and its memory is free for the next way
  const bool was_lossless = !request.is_lossy() && request.preset_number() == lossless_request().preset_number();
  if (!was_lossless) {
    c = encode_with(lossless_request(), array, native, options);
    if (!c.ok() && !is_data_dependent(c.status())) return c;
  }
  if (c.ok() && (*c)->size() < raw_bytes) return c;
  return raw_frame(array, data, raw_bytes);
}

Result<EncodedFrame> encode_checked(const Request& request, const ArrayInfo& array, const void* data, const Options& options) {
  const Result<uint32_t> items = count_values(array.shape);
  if (!items.ok()) return items.status();
  const uint64_t raw_bytes = uint64_t{*items} * array.bytes_per_item();
  if (raw_bytes > UINT32_MAX)
    return Status(Code::too_large, "a chunk of " + std::to_string(raw_bytes) + " bytes; the limit is 4 GiB - 1");
  if (raw_bytes == 0) return EncodedFrame(raw_frame(array, data, 0));

  const bool swaps = array.type != DType::unknown && array.bytes_per_item() > 1 && array.big_endian != kNativeIsBig;
  const bool is_aligned = reinterpret_cast<uintptr_t>(data) % std::min(array.bytes_per_item(), 8u) == 0;
  Memory copy;
  if (swaps || !is_aligned) {
    copy = Memory(raw_bytes);
    if (!copy.is_there()) return Status(Code::no_memory, "not enough memory to encode the chunk");
    if (swaps) swap_bytes(data, copy.data(), *items, array.bytes_per_item());
    else std::memcpy(copy.data(), data, raw_bytes);
  }
  const void* const native = copy.is_there() ? copy.data() : data;
  Result<std::shared_ptr<Content>> c = best_frame(request, array, data, native, raw_bytes, options);
  if (!c.ok()) return c.status();
  (*c)->swapped = std::move(copy);
  return EncodedFrame(std::move(c).value());
}

}  // namespace

size_t EncodedFrame::size() const { return content_->size(); }

void EncodedFrame::copy_to(uint8_t* to) const {
  std::memcpy(to, content_->header.data(), content_->header.size());
  uint8_t* const payload = to + content_->header.size();
  uint8_t* at = payload;
  for (const ConstBytes part : content_->parts) {
    if (!part.empty()) std::memcpy(at, part.data(), part.size());
    at += part.size();
  }
  ByteWriter sum;
  sum.number(tree_checksum(ConstBytes(payload, content_->payload_bytes)));
  std::memcpy(payload - 4, sum.bytes().data(), 4);
  if (content_->has_pad) *at = 0;
}

uint32_t threads_from_environment(uint32_t fallback) {
  const char* const text = std::getenv("FZM_THREADS");
  if (text == nullptr || *text < '0' || *text > '9') return fallback;
  return static_cast<uint32_t>(std::min(std::strtoul(text, nullptr, 10), 1024ul));
}

Result<EncodedFrame> encode(const Request& request, const ArrayInfo& array, const void* data, const Options& options) {
  try {
    return encode_checked(request, array, data, options);
  } catch (const std::bad_alloc&) {
    return Status(Code::no_memory, "not enough memory to encode the chunk");
  }
}

}  // namespace fzm
