#include "core/spec/words_general.h"

#include <algorithm>

#include "core/spec/request_codec.h"
#include "core/spec/spec_record.h"
#include "core/spec/words_array.h"

namespace fzm {
namespace {

constexpr uint32_t kMagic = 0x465A;  // "ZF"
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxPreset = 29;  // 31 is kept for a wider form

// Word 0. Bits 0-4: words that follow, 5-7: version, 8: an array, 9: no mask, 10: no fill, 11-15: a
// preset's number + 1, or 0 for a pipeline of one's own, 16-31: magic.
struct Head {
  uint32_t words = 0, version = kVersion;
  bool has_array = false, no_mask = false, no_fill = false;
  uint32_t preset = 0;
};

uint32_t pack(const Head& h) {
  return kMagic << 16 | h.preset << 11 | uint32_t{h.no_fill} << 10 | uint32_t{h.no_mask} << 9 |
         uint32_t{h.has_array} << 8 | h.version << 5 | h.words;
}

Head unpack(uint32_t w) {
  return {w & 31,      w >> 5 & 7, (w >> 8 & 1) != 0, (w >> 9 & 1) != 0, (w >> 10 & 1) != 0,
          w >> 11 & 31};
}

Status fault(const std::string& sentence) { return Status(Code::bad_words, sentence); }

Status check_head(const Head& h, std::span<const uint32_t> words) {
  if (h.version != kVersion)
    return fault("general form of version " + std::to_string(h.version) +
                 ", this library knows version " + std::to_string(kVersion));
  if (h.words > words.size() - 1)
    return fault("word 0 announces " + std::to_string(h.words) + " words, there are " +
                 std::to_string(words.size() - 1));
  for (size_t i = h.words + 1; i < words.size(); ++i)
    if (words[i] != 0)
      return fault("word " + std::to_string(i) + " is not zero, though word 0 announces only " +
                   std::to_string(h.words) + " words");
  return {};
}

std::vector<uint32_t> to_words(Head head, const std::vector<uint8_t>& bytes) {
  head.words = static_cast<uint32_t>((bytes.size() + 3) / 4);
  std::vector<uint32_t> words(head.words + 1);
  words[0] = pack(head);
  for (size_t i = 0; i < bytes.size(); ++i) words[1 + i / 4] |= uint32_t{bytes[i]} << (8 * (i % 4));
  return words;
}

std::vector<uint8_t> to_bytes(std::span<const uint32_t> words) {
  std::vector<uint8_t> bytes;
  for (const uint32_t w : words)
    for (uint32_t shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<uint8_t>(w >> shift));
  return bytes;
}

// The rows of each stage against the preset's values; stages at the end that are as in the preset
// are left out.
void write_changes(ByteWriter& out, const Request& request) {
  const Request base = base_of(request);
  size_t end = out.size();
  for (size_t i = 0; i < base.spec().stages.size(); ++i) {
    const StageSpec& s = request.spec().stages[i];
    const size_t start = out.size();
    write_rows(out, s.stage->params, s.params.data(), base.spec().stages[i].params.data());
    if (out.bytes()[start] != 0) end = out.size();  // 0: no row differs
  }
  out.bytes().resize(end);
}

Status read_changes(ByteReader& in, Request& request) {
  const Request base = request;
  std::vector<StageSpec>& stages = RequestCodec::spec(request).stages;
  for (size_t i = 0; i < stages.size() && in.left() > 0; ++i) {
    StageSpec& s = stages[i];
    FZM_TRY(read_rows(in, s.stage->params, s.params.data(), base.spec().stages[i].params.data())
                .at("stage '" + s.name + "'"));
  }
  return {};
}

Result<Request> read_own(ByteReader& in, const Head& head) {
  Result<Spec> spec = read_spec(in);
  if (!spec.ok()) return spec.status();
  if (spec->stages.empty()) return fault("a pipeline without stages");
  if (head.no_mask) return fault("a flag of presets set for a pipeline of one's own");
  PipelineFile file;
  file.spec = std::move(spec).value();
  file.use_fill = !head.no_fill;
  return RequestCodec::make(std::move(file), "");
}

Result<Request> read_request(ByteReader& in, const Head& head) {
  if (head.preset == 0) return read_own(in, head);
  Result<Request> request = preset_request(head.preset - 1);
  if (!request.ok()) return request;
  if (head.no_mask) FZM_TRY(request.value().drop_mask());
  if (head.no_fill) request.value().ignore_fill();
  FZM_TRY(read_changes(in, request.value()));
  return request;
}

Result<Words> read_content(const Head& head, std::span<const uint32_t> words) {
  FZM_TRY(check_head(head, words));
  const std::vector<uint8_t> bytes = to_bytes(words.subspan(1, head.words));
  ByteReader in(bytes);
  std::optional<ArrayInfo> array;
  if (head.has_array) {
    Result<ArrayInfo> read = read_array(in);
    if (!read.ok()) return read.status();
    array = std::move(read).value();
  }
  Result<Request> request = read_request(in, head);
  if (!request.ok()) return request.status();
  if (in.failed()) return fault("the record ends early");
  const ConstBytes rest = in.take(in.left());
  if (rest.size() >= 4 || std::any_of(rest.begin(), rest.end(), [](uint8_t b) { return b != 0; }))
    return fault(std::to_string(rest.size()) + " bytes left over after the record");
  return Words{std::move(request).value(), std::move(array)};
}

// A fill value that no stage will ask for is not worth its bytes.
ArrayInfo worth_storing(const Request& request, ArrayInfo array) {
  ArrayInfo probe = array;
  probe.has_fill = false;
  const Result<Spec> with = request.spec_for(array), without = request.spec_for(probe);
  if (!array.has_fill || !with.ok() || !without.ok()) return array;
  ByteWriter a, b;
  write_spec(a, *with);
  write_spec(b, *without);
  if (a.bytes() == b.bytes()) array.has_fill = false, array.fill_bits = 0;
  return array;
}

Status write_content(ByteWriter& out, const Request& request, const ArrayInfo* array,
                     size_t max_rank) {
  if (array != nullptr) FZM_TRY(write_array(out, worth_storing(request, *array), max_rank));
  if (request.preset_name().empty())
    write_spec(out, request.spec());
  else
    write_changes(out, request);
  return {};
}

}  // namespace

bool is_general(uint32_t word0) { return word0 >> 16 == kMagic; }

Result<std::vector<uint32_t>> write_general(const Request& request, const ArrayInfo* array) {
  Head head;
  head.has_array = array != nullptr;
  head.no_mask = request.is_mask_dropped();
  head.no_fill = !request.uses_fill();
  head.preset = request.preset_number() ? *request.preset_number() + 1 : 0;
  if (head.preset > kMaxPreset + 1)
    return fault("presets above " + std::to_string(kMaxPreset) + " have no cd_values");
  // Where words are short, more axes are folded: stages tell at most three apart.
  size_t count = 0;
  for (const size_t max_rank : {4, 3}) {
    ByteWriter out;
    FZM_TRY(write_content(out, request, array, max_rank));
    count = 1 + (out.size() + 3) / 4;
    if (count <= kMaxWords) return to_words(head, out.bytes());
  }
  return fault("this request takes " + std::to_string(count) + " words of cd_values, at most " +
               std::to_string(kMaxWords) +
               " are allowed; start from a nearer preset, or change fewer parameters");
}

Result<Words> read_general(std::span<const uint32_t> words) {
  Result<Words> content = read_content(unpack(words[0]), words);
  if (content.ok()) return content;
  // Whatever the readers of records called it, it is the words that are bad.
  return fault("cd_values: " + content.status().message());
}

}  // namespace fzm
