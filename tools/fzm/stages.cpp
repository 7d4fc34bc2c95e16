// fzm stages: every stage there is, from its description. docs/stages.md is made by `fzm stages
// --markdown`.
#include <memory>
#include <set>

#include "tools/fzm/json.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

constexpr const char* kRoles[] = {"map", "tile", "pack", "whole"};
constexpr const char* kPortKinds[] = {"array", "records", "piece 0", "piece 1", "stream"};

std::string role_of(const Stage& s) { return kRoles[static_cast<int>(s.role)]; }

std::string default_of(const Stage& s, const Param& row) {
  const Object defaults = default_params(s);
  return to_text(row, row.get(defaults.data()));
}

// In the order of their numbers, each once.
std::vector<std::string> input_types(const Stage& s) {
  std::set<DType> types;
  for (const BlockCode& code : s.codes()) types.insert(code.in);
  std::vector<std::string> names;
  for (const DType t : types) names.emplace_back(dtype_name(t));
  return names;
}

std::string type_of(const Port& port) {
  return port.type == DType::unknown ? "as the stage's" : std::string(dtype_name(port.type));
}

std::string params_text(const Stage& s, TableStyle style) {
  if (s.params.empty()) return "No parameters.\n";
  const bool marks = style == TableStyle::markdown;
  Table table({"parameter", "default", "allowed", "meaning"});
  for (const Param& row : s.params) {
    const std::string name(row.name);
    table.add({marks ? "`" + name + "`" : name, default_of(s, row), allowed_text(row),
               std::string(row.help)});
  }
  return table.text(style);
}

std::string ports_text(const Stage& s, TableStyle style) {
  Table table({"output", "form", "type", "meaning"});
  for (const Port& port : s.outputs)
    table.add({std::string(port.name), kPortKinds[static_cast<int>(port.kind)], type_of(port),
               std::string(port.help)});
  return table.text(style);
}

std::string facts_text(const Stage& s, TableStyle style) {
  if (s.facts.empty()) return "";
  Table table({"fact", "meaning"});
  for (const Param& row : s.facts) table.add({std::string(row.name), std::string(row.help)});
  return "\n" + table.text(style);
}

std::string overview(std::span<const Stage* const> list, TableStyle style) {
  Table table({"stage", "id", "role", "lossy", "input types", "summary"});
  for (const Stage* s : list)
    table.add({std::string(s->name), std::to_string(s->id), role_of(*s), s->is_lossy ? "yes" : "no",
               joined(input_types(*s), " "), std::string(s->summary)});
  return table.text(style);
}

std::string section(const Stage& s, TableStyle style) {
  const std::string head = style == TableStyle::markdown ? "\n## " + std::string(s.name) + "\n\n"
                                                         : "\n" + std::string(s.name) + ": ";
  return head + std::string(s.summary) + "\n\n" + params_text(s, style) + "\n" +
         ports_text(s, style) + facts_text(s, style);
}

std::string param_json(const Stage& s, const Param& row) {
  std::vector<std::string> choices;
  for (const Choice& c : row.choices) choices.push_back(json(c.name));
  return json_object({{"name", json(row.name)},
                      {"default", json(default_of(s, row))},
                      {"allowed", json(allowed_text(row))},
                      {"choices", json_array(choices)},
                      {"help", json(row.help)}});
}

std::string stage_json(const Stage& s) {
  std::vector<std::string> params, facts, outputs;
  for (const Param& row : s.params) params.push_back(param_json(s, row));
  for (const Param& row : s.facts)
    facts.push_back(json_object({{"name", json(row.name)}, {"help", json(row.help)}}));
  for (const Port& p : s.outputs)
    outputs.push_back(json_object({{"name", json(p.name)},
                                   {"form", json(kPortKinds[static_cast<int>(p.kind)])},
                                   {"type", json(dtype_name(p.type))},
                                   {"help", json(p.help)}}));
  return json_object({{"name", json(s.name)},
                      {"id", json(s.id)},
                      {"role", json(role_of(s))},
                      {"lossy", json(s.is_lossy)},
                      {"summary", json(s.summary)},
                      {"types", json_list(input_types(s))},
                      {"params", json_array(params)},
                      {"outputs", json_array(outputs)},
                      {"facts", json_array(facts)}});
}

constexpr std::string_view kPageHead =
    "# Stages\n\n"
    "Made by `fzm stages --markdown > docs/stages.md`; a test fails when it is stale.\n\n"
    "map: a value in, a value out. tile: a block in, as many values out. pack: a block in, bytes "
    "out.\n"
    "whole: needs the whole array, or several passes. Ids are on the wire and never change.\n\n";

std::string page(std::span<const Stage* const> list, TableStyle style) {
  std::string all = style == TableStyle::markdown ? std::string(kPageHead) : "";
  all += overview(list, style);
  for (const Stage* s : list) all += section(*s, style);
  return all;
}

struct Arguments {
  std::string name;
  bool as_json = false, as_markdown = false;
};

Result<int> run(const Arguments& a) {
  std::vector<const Stage*> list(stages().begin(), stages().end());
  if (!a.name.empty()) {
    const Stage* const s = find_stage(a.name);
    std::vector<std::string_view> known;
    for (const Stage* each : list) known.push_back(each->name);
    if (s == nullptr) {
      const std::string near = nearest(a.name, known);
      return Status(Code::bad_request, "no stage '" + a.name + "'" +
                                           (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    list = {s};
  }
  if (a.as_json) {
    std::vector<std::string> items;
    for (const Stage* s : list) items.push_back(stage_json(*s));
    print(json_array(items) + "\n");
  } else {
    print(page(list, a.as_markdown ? TableStyle::markdown : TableStyle::plain));
  }
  return 0;
}

}  // namespace

Verb add_stages(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "stages", "What pipelines are made of: parameters, ports and types of every stage");
  verb.add_option("NAME", a->name, "only this stage");
  CLI::Option* const as_json = verb.add_flag("--json", a->as_json, "for programs");
  verb.add_flag("--markdown", a->as_markdown, "the page docs/stages.md")->excludes(as_json);
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
