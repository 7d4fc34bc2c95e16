// A request as one line: "preset=fsz, abs=1e-3, quant.quant_radius=512".
#include <charconv>
#include <fstream>
#include <sstream>

#include "core/spec/request_codec.h"
#include "core/spec/suggest.h"
#include "core/spec/value_text.h"

namespace fzm {
namespace {

struct Mode {
  std::string_view name;
  BoundMode mode;
  std::string_view scale;  // of the bound, in a sentence
};
constexpr Mode kModes[] = {{"abs", BoundMode::abs, ""},
                           {"rel", BoundMode::rel, " * |x|"},
                           {"noa", BoundMode::noa, " * (max - min)"},
                           {"prel", BoundMode::prel, " * max |x|"}};

const Mode* find_mode(std::string_view name) {
  for (const Mode& m : kModes)
    if (m.name == name) return &m;
  return nullptr;
}
const Mode* find_mode(BoundMode mode) {
  for (const Mode& m : kModes)
    if (m.mode == mode) return &m;
  return nullptr;
}

std::string_view trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r\n") - first + 1);
}

std::string_view unquoted(std::string_view s) {
  return s.size() >= 2 && s.front() == '"' && s.back() == '"' ? s.substr(1, s.size() - 2) : s;
}

struct Option {
  std::string_view key, value;
};

Result<std::vector<Option>> split(std::string_view text) {
  std::vector<Option> options;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      return Status(Code::bad_request, "option '" + std::string(item) +
                                           "': expected key=value, as in 'preset=fsz, abs=1e-3'");
    options.push_back(
        {trimmed(item.substr(0, equals)), unquoted(trimmed(item.substr(equals + 1)))});
  }
  return options;
}

Result<Request> read_file(std::string_view path) {
  std::ifstream file{std::string(path)};
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Status(Code::io, "cannot read '" + std::string(path) + "'");
  return Request::from_toml(text.str(), path);
}

// The request that the other options change.
Result<Request> start(const std::vector<Option>& options) {
  const Option* chosen = nullptr;
  for (const Option& o : options) {
    if (o.key != "preset" && o.key != "toml") continue;
    if (chosen != nullptr)
      return Status(Code::bad_request, "more than one preset or file: '" +
                                           std::string(chosen->value) + "' and '" +
                                           std::string(o.value) + "'");
    chosen = &o;
  }
  if (chosen == nullptr && options.empty()) return Request();
  if (chosen == nullptr)
    return Status(Code::bad_request, "no preset: start with preset=NAME or toml=PATH");
  return chosen->key == "preset" ? Request::from_preset(chosen->value) : read_file(chosen->value);
}

// A second bound would replace the first without a word.
Status check_one_bound(const std::vector<Option>& options) {
  const Option* bound = nullptr;
  for (const Option& o : options) {
    if (find_mode(o.key) == nullptr) continue;
    if (bound != nullptr)
      return Status(Code::bad_request, "more than one error bound: '" + std::string(bound->key) +
                                           "' and '" + std::string(o.key) + "'");
    bound = &o;
  }
  return {};
}

Result<double> read_bound(std::string_view mode, std::string_view text) {
  double bound = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bound);
  if (error == std::errc() && end == text.data() + text.size()) return bound;
  return Status(Code::bad_request, "error bound '" + std::string(text) + "' (" + std::string(mode) +
                                       "): must be a finite number greater than 0");
}

struct Target {
  StageSpec* stage = nullptr;
  const Param* row = nullptr;
};

Result<Target> find_stage_param(Spec& spec, std::string_view name, std::string_view key) {
  std::vector<std::string_view> known;
  for (StageSpec& s : spec.stages) {
    known.push_back(s.name);
    if (s.name != name) continue;
    if (const Param* row = find_param(*s.stage, key)) return Target{&s, row};
    known.clear();
    for (const Param& row : s.stage->params) known.push_back(row.name);
    return Status(Code::bad_request, "stage '" + s.name + "' (" + std::string(s.stage->name) +
                                         ") has no parameter '" + std::string(key) + "'" +
                                         suggestion(key, known));
  }
  return Status(Code::bad_request,
                "there is no stage '" + std::string(name) + "'" + suggestion(name, known));
}

Result<Target> find_target(Spec& spec, std::string_view key) {
  if (const size_t dot = key.find('.'); dot != std::string_view::npos)
    return find_stage_param(spec, key.substr(0, dot), key.substr(dot + 1));
  Target found;
  std::vector<std::string_view> known{"preset", "toml", "mask", "fill"};
  for (const Mode& m : kModes) known.push_back(m.name);
  for (StageSpec& s : spec.stages)
    for (const Param& row : s.stage->params) {
      known.push_back(row.name);
      if (row.name != key) continue;
      if (found.row != nullptr)
        return Status(Code::bad_request, "'" + std::string(key) +
                                             "' is a parameter of several stages: say " +
                                             found.stage->name + "." + std::string(key) + " or " +
                                             s.name + "." + std::string(key));
      found = {&s, &row};
    }
  if (found.row == nullptr)
    return Status(Code::bad_request,
                  "unknown option '" + std::string(key) + "'" + suggestion(key, known));
  return found;
}

Status set_switch(std::string_view key, std::string_view value, Request& r) {
  if (value == "yes") return {};
  if (value != "no")
    return Status(Code::bad_request,
                  std::string(key) + " = " + std::string(value) + ": must be yes or no");
  if (key == "mask") return r.drop_mask();
  r.ignore_fill();
  return {};
}

std::string row_text(const Differences::Row& d, const char* equals) {
  return d.stage->name + "." + std::string(d.row->name) + equals +
         value_text(*d.row, value_of(*d.row, d.stage->params.data()));
}

}  // namespace

Status Request::set(std::string_view key, std::string_view value) {
  if (const Mode* m = find_mode(key)) {
    const Result<double> bound = read_bound(key, value);
    return bound.ok() ? set_bound(m->mode, *bound) : bound.status();
  }
  if (key == "mask" || key == "fill") return set_switch(key, value, *this);
  const Result<Target> target = find_target(spec_, key);
  if (!target.ok()) return target.status();
  const Result<ParamValue> v = parse_value(*target->row, value);
  if (!v.ok()) return v.status().at("stage '" + target->stage->name + "'");
  target->row->set(target->stage->params.data(), *v);
  return {};
}

Result<Request> Request::from_options(std::string_view text) {
  const Result<std::vector<Option>> options = split(text);
  if (!options.ok()) return options.status();
  FZM_TRY(check_one_bound(*options));
  Result<Request> request = start(*options);
  if (!request.ok()) return request;
  for (const Option& o : *options)
    if (o.key != "preset" && o.key != "toml") FZM_TRY(request.value().set(o.key, o.value));
  return request;
}

std::string Request::to_options() const {
  if (preset_.empty()) return "";
  const Differences d = differences(*this);
  std::string text = "preset=" + preset_;
  if (mask_dropped_) text += ", mask=no";
  if (!use_fill_) text += ", fill=no";
  if (d.has_bound) text += ", " + std::string(find_mode(d.mode)->name) + "=" + real_text(d.bound);
  for (const Differences::Row& row : d.rows) text += ", " + row_text(row, "=");
  return text;
}

std::string Request::to_sentence() const {
  std::string text = preset_.empty() ? "pipeline" : "preset " + preset_;
  if (preset_.empty())
    for (size_t i = 0; i < spec_.stages.size(); ++i)
      text += (i == 0 ? " " : " -> ") + std::string(spec_.stages[i].stage->name);
  if (const auto [mode, bound_value] = bound(); mode != BoundMode::none)
    text += ", |x - x'| <= " + real_text(bound_value) + std::string(find_mode(mode)->scale) + " (" +
            std::string(find_mode(mode)->name) + ")";
  else if (!is_lossy())
    text += ", every bit kept";
  if (mask_dropped_) text += ", no mask";
  if (!use_fill_) text += ", fill value not masked";
  if (!preset_.empty())
    for (const Differences::Row& row : differences(*this).rows) text += ", " + row_text(row, " = ");
  return text;
}

}  // namespace fzm
