#include "core/spec/request.h"

#include <algorithm>
#include <cmath>

#include "core/spec/bound_rule.h"
#include "core/spec/request_codec.h"
#include "core/spec/suggest.h"
#include "core/spec/value_text.h"

namespace fzm {
namespace {

constexpr std::pair<std::string_view, BoundMode> kModes[] = {{"abs", BoundMode::abs},
                                                             {"rel", BoundMode::rel},
                                                             {"noa", BoundMode::noa},
                                                             {"prel", BoundMode::prel}};

// Choices are spelled in upper or lower case.
std::string lower(std::string_view s) {
  std::string t(s);
  for (char& c : t)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return t;
}

BoundMode mode_named(std::string_view name) {
  for (const auto& [known, mode] : kModes)
    if (known == lower(name)) return mode;
  return BoundMode::none;
}

std::string_view name_of(BoundMode mode) {
  for (const auto& [name, known] : kModes)
    if (known == mode) return name;
  return "";
}

struct BoundRows {
  const Param* mode = nullptr;
  const Param* bound = nullptr;
  explicit operator bool() const { return mode != nullptr && bound != nullptr; }
};
BoundRows bound_rows(const Stage& s) {
  return {find_param(s, "error_bound_mode"), find_param(s, "error_bound")};
}

std::pair<BoundMode, double> bound_of(const StageSpec& s) {
  const BoundRows rows = bound_rows(*s.stage);
  if (!rows) return {BoundMode::none, 0};
  return {mode_named(to_text(*rows.mode, value_of(*rows.mode, s.params.data()))),
          rows.bound->get(s.params.data()).real};
}

bool asks_for_fill(const StageSpec& s) {
  return find_param(*s.stage, "has_fill") != nullptr &&
         find_param(*s.stage, "fill_bits") != nullptr;
}

// Relative bounds have codes of their own: neither linear ones, nor raw bits among them.
void use_relative_codes(StageSpec& s) {
  for (const char* key : {"linear_mode", "inplace_outliers"})
    if (const Param* row = find_param(*s.stage, key)) row->set(s.params.data(), {ParamKind::boolean, 0, 0});
}

// Takes stage `i` out: who read it, reads what it read.
void bypass(Spec& spec, size_t i) {
  const Edge source = spec.stages[i].inputs.front();
  spec.stages.erase(spec.stages.begin() + static_cast<ptrdiff_t>(i));
  for (StageSpec& s : spec.stages)
    for (Edge& e : s.inputs) {
      if (e.from == static_cast<int32_t>(i))
        e = source;
      else if (e.from > static_cast<int32_t>(i))
        --e.from;
    }
}

bool is_side_port_read(const Spec& spec, size_t i) {
  for (const StageSpec& s : spec.stages)
    for (const Edge& e : s.inputs)
      if (e.from == static_cast<int32_t>(i) && e.port != 0) return true;
  return false;
}

std::string label(const std::string& preset) {
  return preset.empty() ? "the pipeline" : "preset " + preset;
}

}  // namespace

Result<Request> Request::from_toml(std::string_view text, std::string_view source) {
  Result<PipelineFile> file = read_pipeline(text, source);
  if (!file.ok()) return file.status();
  return RequestCodec::make(std::move(file).value(), "");
}

Status Request::set_bound(BoundMode mode, double bound) {
  if (name_of(mode).empty())
    return Status(Code::bad_request, "error bound mode " + std::to_string(static_cast<int>(mode)) +
                                         ": must be 1 (abs), 2 (rel), 3 (noa) or 4 (prel)");
  if (!(bound > 0) || !std::isfinite(bound))
    return Status(Code::bad_request, "error bound " + real_text(bound) + " (" +
                                         std::string(name_of(mode)) +
                                         "): must be a finite number greater than 0");
  bool found = false;
  for (StageSpec& s : spec_.stages) {
    const BoundRows rows = bound_rows(*s.stage);
    if (!rows) continue;
    const Result<ParamValue> v = from_text(*rows.mode, name_of(mode));
    if (!v.ok()) return v.status().at("stage '" + s.name + "'");
    const ParamValue b{ParamKind::real, 0, bound};
    FZM_TRY(check_value(*rows.bound, b).at("stage '" + s.name + "'"));
    rows.mode->set(s.params.data(), *v);
    rows.bound->set(s.params.data(), b);
    if (mode == BoundMode::rel) use_relative_codes(s);
    found = true;
  }
  if (found) return {};
  return Status(Code::bad_request, label(preset_) + " has no error bound to set");
}

Status Request::drop_mask() {
  size_t dropped = 0;
  for (size_t i = spec_.stages.size(); i-- > 0;) {
    if (!asks_for_fill(spec_.stages[i]) || is_side_port_read(spec_, i)) continue;
    if (spec_.stages.size() == 1)
      return Status(Code::bad_request, "mask = no: " + label(preset_) + " has no other stage");
    bypass(spec_, i);
    ++dropped;
  }
  if (dropped == 0)
    return Status(Code::bad_request, "mask = no: " + label(preset_) + " has no mask to leave out");
  mask_dropped_ = !preset_.empty();
  return {};
}

bool Request::is_lossy() const {
  return std::any_of(spec_.stages.begin(), spec_.stages.end(),
                     [](const StageSpec& s) { return s.stage->is_lossy; });
}

std::string Request::preset_name() const { return preset_; }

std::pair<BoundMode, double> Request::bound() const {
  for (const StageSpec& s : spec_.stages)
    if (const auto b = bound_of(s); b.first != BoundMode::none) return b;
  return {BoundMode::none, 0};
}

Result<Spec> Request::spec_for(const ArrayInfo& array) const {
  FZM_TRY(check_bound_is_on_chunk(spec_));
  if (array.type == DType::unknown && is_lossy()) return lossless_request().spec();
  Spec spec = spec_;
  if (!array.has_fill || !use_fill_) return spec;
  for (StageSpec& s : spec.stages) {
    if (!asks_for_fill(s) || find_param(*s.stage, "has_fill")->get(s.params.data()).whole != 0)
      continue;
    find_param(*s.stage, "has_fill")->set(s.params.data(), {ParamKind::boolean, 1, 0});
    find_param(*s.stage, "fill_bits")->set(s.params.data(), {ParamKind::bits, array.fill_bits, 0});
  }
  return spec;
}

std::string Request::to_toml() const { return write_pipeline(spec_, use_fill_); }

Request base_of(const Request& request) {
  Request base = Request::from_preset(request.preset_name()).value();
  if (request.is_mask_dropped()) (void)base.drop_mask();
  return base;
}

Differences differences(const Request& request) {
  Differences d;
  Request base = base_of(request);
  const auto asked = request.bound();
  const bool uniform = std::all_of(request.spec().stages.begin(), request.spec().stages.end(),
                                   [&](const StageSpec& s) {
                                     const auto b = bound_of(s);
                                     return b.first == BoundMode::none || b == asked;
                                   });
  if (uniform && asked != base.bound() && base.set_bound(asked.first, asked.second).ok()) {
    d.has_bound = true;
    d.mode = asked.first;
    d.bound = asked.second;
  }
  for (size_t i = 0; i < request.spec().stages.size(); ++i) {
    const StageSpec& s = request.spec().stages[i];
    for (const Param& row : s.stage->params)
      if (!(value_of(row, s.params.data()) == value_of(row, base.spec().stages[i].params.data())))
        d.rows.push_back({&s, &row});
  }
  return d;
}

}  // namespace fzm
