#include "core/spec/words.h"

#include "core/spec/request_codec.h"
#include "core/spec/value_text.h"
#include "core/spec/words_general.h"

namespace fzm {
namespace {

constexpr uint32_t kNoMask = 1;  // option word of the short form
constexpr size_t kShortWords = 5;

Status fault(const std::string& sentence) {
  return Status(Code::bad_words, "cd_values: " + sentence);
}

// Whatever the request called it, it is the words that are bad.
Status as_words(const Status& s) { return s.ok() ? s : fault(s.message()); }

double bound_of(uint32_t low, uint32_t high) {
  return std::bit_cast<double>(uint64_t{high} << 32 | low);
}

Status check_short(std::span<const uint32_t> words) {
  if (words[0] >> 16 != 0)
    return fault("word 0 is " + std::to_string(words[0]) +
                 ", neither a preset's number nor the general form");
  for (size_t i = kShortWords; i < words.size(); ++i)
    if (words[i] != 0)
      return fault("word " + std::to_string(i) + " is " + std::to_string(words[i]) +
                   "; the short form has 5 words: preset, mode, bound (2), options");
  return {};
}

Status set_short_bound(uint32_t mode, double bound, Request& request) {
  if (mode > static_cast<uint32_t>(BoundMode::prel))
    return fault("word 1, the mode, is " + std::to_string(mode) +
                 "; must be 0 (the preset's own bound), 1 (abs), 2 (rel), 3 (noa) or 4 (prel)");
  if (mode != 0) return as_words(request.set_bound(static_cast<BoundMode>(mode), bound));
  if (std::bit_cast<uint64_t>(bound) != 0)
    return fault("a bound of " + real_text(bound) +
                 " with mode 0, the preset's own bound; set word 1 to 1 (abs), 2 (rel), 3 (noa) or "
                 "4 (prel)");
  return {};
}

Result<Request> read_short(std::span<const uint32_t> words) {
  FZM_TRY(check_short(words));
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : 0u; };
  Result<Request> request = preset_request(word(0));
  if (!request.ok()) return as_words(request.status());
  if (word(4) & ~kNoMask)
    return fault("word 4, the options, is " + std::to_string(word(4)) +
                 "; the only one known is 1, no mask");
  if (word(4) & kNoMask) FZM_TRY(as_words(request.value().drop_mask()));
  FZM_TRY(set_short_bound(word(1), bound_of(word(2), word(3)), request.value()));
  return request;
}

// Empty where the short form cannot say it.
std::vector<uint32_t> write_short(const Request& request) {
  if (request.preset_name().empty() || !request.uses_fill()) return {};
  const Differences d = differences(request);
  if (!d.rows.empty()) return {};
  const uint64_t bits = std::bit_cast<uint64_t>(d.has_bound ? d.bound : 0.0);
  std::vector<uint32_t> words{*request.preset_number(), static_cast<uint32_t>(d.mode),
                              static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32),
                              request.is_mask_dropped() ? kNoMask : 0};
  while (words.size() > 1 && words.back() == 0) words.pop_back();
  return words;
}

}  // namespace

Result<Words> read_words(std::span<const uint32_t> words) {
  if (words.empty()) return Words{Request(), std::nullopt};
  if (is_general(words[0])) return read_general(words);
  Result<Request> request = read_short(words);
  if (!request.ok()) return request.status();
  return Words{std::move(request).value(), std::nullopt};
}

Result<std::vector<uint32_t>> write_words(const Request& request) {
  std::vector<uint32_t> words = write_short(request);
  if (!words.empty()) return words;
  return write_general(request, nullptr);
}

Result<std::vector<uint32_t>> write_stored_words(const Request& request, const ArrayInfo& array) {
  return write_general(request, &array);
}

}  // namespace fzm
