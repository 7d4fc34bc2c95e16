#include "core/spec/stage_table.h"

#include <algorithm>
#include <optional>

#include "core/spec/suggest.h"
#include "core/spec/toml_value.h"
#include "core/spec/value_text.h"

namespace fzm {
namespace {

// Names from older files. "rze4" is RZE with word_size = 4, for every stage that has that
// parameter.
struct StageType {
  const Stage* stage = nullptr;
  std::optional<uint64_t> word_size{};
};

StageType find_type(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {
      {"Lorenzo1D", "LorenzoQuant"},
      {"Lorenzo2D", "LorenzoQuant"},
      {"Lorenzo3D", "LorenzoQuant"},
      {"BitplaneRLE", "BitplaneRZE"}};
  for (const auto& [old_name, new_name] : kOldNames)
    if (name == old_name) name = new_name;
  if (const Stage* s = find_stage(name)) return {s};
  if (name.empty() || name.back() < '1' || name.back() > '8') return {};
  const Stage* s = find_stage(name.substr(0, name.size() - 1));
  if (s == nullptr || find_param(*s, "word_size") == nullptr) return {};
  return {s, static_cast<uint64_t>(name.back() - '0')};
}

Status unknown_type(const TomlEntry& e) {
  Names known;
  for (const Stage* s : stages()) known.push_back(s->name);
  return fault(e, "unknown stage type '" + e.text + "'" + suggestion(e.text, known));
}

bool fits(ParamKind kind, TomlKind toml) {
  switch (kind) {
    case ParamKind::boolean:
      return toml == TomlKind::boolean;
    case ParamKind::real:
      return toml == TomlKind::real || toml == TomlKind::integer;
    case ParamKind::choice:
    case ParamKind::type:
      return toml == TomlKind::string;
    // TOML's integers end at 2^63; larger numbers and bit patterns come in quotes.
    case ParamKind::wide:
    case ParamKind::bits:
      return toml == TomlKind::integer || toml == TomlKind::string;
    case ParamKind::count:
      return toml == TomlKind::integer;
  }
  return false;
}

// Keys that files from elsewhere have and that say nothing here: types follow from the data, and no
// escape is ever dropped. A stage without such a parameter takes them as remarks, as long as they
// make sense.
bool is_remark(const TomlEntry& e) {
  static constexpr std::string_view kTypes[] = {"input_type", "output_type", "code_type",
                                                "data_type"};
  if (std::find(std::begin(kTypes), std::end(kTypes), e.key) != std::end(kTypes))
    return e.text == "auto" || dtype_named(e.text) != DType::unknown;
  return e.key == "outlier_capacity" && (e.kind == TomlKind::real || e.kind == TomlKind::integer);
}

Status read_param(const TomlEntry& e, StageSpec& s) {
  const std::string table = "stage '" + s.name + "'";
  const Param* row = find_param(*s.stage, e.key);
  if (row == nullptr) {
    if (is_remark(e)) return {};
    Names known{"name", "type", "inputs"};
    for (const Param& p : s.stage->params) known.push_back(p.name);
    return unknown_key(e, table, known);
  }
  if (!fits(row->kind, e.kind))
    return wrong_value(e,
                       allowed_text(*row) + (e.kind == TomlKind::string ? ", without quotes" : ""),
                       table + ": ");
  const Result<ParamValue> v = parse_value(*row, e.text);
  if (!v.ok()) return Status(Code::bad_toml, e.where + ": " + table + ": " + v.status().message());
  row->set(s.params.data(), *v);
  return {};
}

Status read_input(const TomlEntry& e, NamedStage& s) {
  if (e.kind != TomlKind::table)
    return fault(e, "inputs: must be a list of {from = \"stage\", port = \"port\"}");
  NamedInput input{"", "", e.where};
  for (const TomlEntry& key : e.entries) {
    if (key.key == "from")
      FZM_TRY(read_toml(key, input.from));
    else if (key.key == "port")
      FZM_TRY(read_toml(key, input.port));
    else
      return unknown_key(key, "an input of stage '" + s.spec.name + "'", Names{"from", "port"});
  }
  if (input.from.empty()) return fault(e, "an input of stage '" + s.spec.name + "' has no 'from'");
  s.inputs.push_back(std::move(input));
  return {};
}

Status read_inputs(const TomlEntry& e, NamedStage& s) {
  if (e.kind != TomlKind::array)
    return wrong_value(e, "a list of {from = \"stage\", port = \"port\"}");
  for (const TomlEntry& element : e.entries) FZM_TRY(read_input(element, s));
  return {};
}

}  // namespace

Result<NamedStage> read_stage_table(const TomlEntry& table) {
  NamedStage s;
  s.where = table.where;
  const TomlEntry* name = find_key(table.entries, "name");
  if (name == nullptr) return fault(table, "a stage without a name");
  FZM_TRY(read_toml(*name, s.spec.name));
  const TomlEntry* type = find_key(table.entries, "type");
  if (type == nullptr) return fault(table, "stage '" + s.spec.name + "' has no type");
  std::string type_name;
  FZM_TRY(read_toml(*type, type_name));
  const StageType found = find_type(type_name);
  if (found.stage == nullptr) return unknown_type(*type);
  s.spec.stage = found.stage;
  s.spec.params = default_params(*found.stage);
  if (found.word_size)
    find_param(*found.stage, "word_size")
        ->set(s.spec.params.data(), {ParamKind::count, *found.word_size, 0});

  for (const TomlEntry& e : table.entries) {
    if (e.key == "name" || e.key == "type") continue;
    FZM_TRY(e.key == "inputs" ? read_inputs(e, s) : read_param(e, s.spec));
  }
  return s;
}

}  // namespace fzm
