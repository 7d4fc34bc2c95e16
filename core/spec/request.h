// What a user asks for before a chunk is known: a preset with overrides, or a whole pipeline. It becomes a Spec when
// type and shape are known, and can be spelled as TOML, as one line of options, and as cd_values.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/array_info.h"
#include "core/spec/spec.h"

namespace fzm {

enum class BoundMode : uint8_t { none = 0, abs = 1, rel = 2, noa = 3, prel = 4 };  // the numbers of the short cd_values form

struct PresetInfo {
  std::string_view name;
  uint32_t number;  // in cd_values; never changes
  std::string_view summary;
  bool is_lossy;
};
// In the order of their numbers.
std::span<const PresetInfo> presets();

class Request {
 public:
  // The default request is the preset `lossless`.
  Request();

  // Errors name the nearest known preset.
  static Result<Request> from_preset(std::string_view name);
  // A pipeline file. `source` stands in messages: "mine.toml:7:1: unknown key 'eror_bound' in stage 'quant'; did you
  // mean 'error_bound'?"
  static Result<Request> from_toml(std::string_view text, std::string_view source);
  // "preset=fsz, abs=1e-3, quant.quant_radius=512": a preset (or toml=PATH), then whatever `set` takes. The page is
  // docs/cd_values.md.
  static Result<Request> from_options(std::string_view text);

  // Sets mode and bound of every stage that has `error_bound` and `error_bound_mode`. Errors: no such stage, not positive.
  Status set_bound(BoundMode mode, double bound);
  // `key` is "stage.param", or "param" where only one stage has it, or a mode (abs, rel, noa, prel) with the bound as value,
  // or "mask" or "fill" with the value "no".
  Status set(std::string_view key, std::string_view value);
  // Leaves out the stages that ask for the fill value (those with a parameter has_fill). Errors: none, or no other stage.
  Status drop_mask();
  // The dataset's fill value is not handed to the stages that ask for it.
  void ignore_fill() { use_fill_ = false; }

  bool is_lossy() const;
  std::optional<uint32_t> preset_number() const;  // none for a pipeline of one's own
  std::string preset_name() const;                // "" for a pipeline of one's own
  // The first stage's bound with its mode, BoundMode::none where there is none.
  std::pair<BoundMode, double> bound() const;
  bool is_mask_dropped() const { return mask_dropped_; }
  bool uses_fill() const { return use_fill_; }

  // The pipeline, as asked for: automatic parameters are still automatic.
  const Spec& spec() const { return spec_; }
  // The pipeline for one chunk: its fill value goes to the stages that ask for one (rows has_fill and fill_bits) and were
  // not given one; a lossy request on opaque items becomes the lossless preset.
  Result<Spec> spec_for(const ArrayInfo& array) const;

  std::string to_toml() const;
  std::string to_options() const;   // round trip of from_options; empty for pipelines of one's own
  std::string to_sentence() const;  // "preset fsz, |x - x'| <= 0.001 (abs)"

 private:
  friend struct RequestCodec;
  struct Blank {};
  explicit Request(Blank) {}

  std::string preset_;         // "" for a pipeline of one's own
  bool mask_dropped_ = false;  // of a preset
  bool use_fill_ = true;
  Spec spec_;
};

// The lossless pipeline, with which everything can be stored.
const Request& lossless_request();

}  // namespace fzm
