// fzm presets: the pipelines that come with the library. docs/presets.md is made by `fzm presets
// --markdown`.
#include <memory>

#include "tools/fzm/json.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  std::string name;
  bool as_json = false, as_markdown = false;
};

struct Row {
  const PresetInfo* info;
  Request request;
};

Result<std::vector<Row>> all_presets() {
  std::vector<Row> rows;
  for (const PresetInfo& info : presets()) {
    Result<Request> request = Request::from_preset(info.name);
    if (!request.ok()) return request.status();
    rows.push_back({&info, std::move(request).value()});
  }
  return rows;
}

std::vector<std::string> stage_names(const Request& r) {
  std::vector<std::string> names;
  for (const StageSpec& s : r.spec().stages) names.emplace_back(s.stage->name);
  return names;
}

constexpr std::string_view kModeNames[] = {"-", "abs", "rel", "noa", "prel"};

std::string bound_text(const Request& r) {
  const auto [mode, bound] = r.bound();
  if (mode == BoundMode::none) return "every bit kept";
  return std::string(kModeNames[static_cast<int>(mode)]) + " " + format("%g", bound);
}

std::string table_text(const std::vector<Row>& rows, TableStyle style) {
  Table table({"preset", "number", "own bound", "pipeline", "summary"});
  for (const Row& row : rows)
    table.add({std::string(row.info->name), std::to_string(row.info->number),
               bound_text(row.request), joined(stage_names(row.request), ", "),
               std::string(row.info->summary)});
  return table.text(style);
}

std::string rows_json(const std::vector<Row>& rows) {
  std::vector<std::string> items;
  for (const Row& row : rows) {
    const auto [mode, bound] = row.request.bound();
    items.push_back(json_object({{"name", json(row.info->name)},
                                 {"number", json(row.info->number)},
                                 {"lossy", json(row.info->is_lossy)},
                                 {"mode", json(kModeNames[static_cast<int>(mode)])},
                                 {"bound", json(bound)},
                                 {"stages", json_list(stage_names(row.request))},
                                 {"summary", json(row.info->summary)},
                                 {"toml", json(row.request.to_toml())}}));
  }
  return json_array(items) + "\n";
}

constexpr std::string_view kPageHead =
    "# Presets\n\n"
    "Made by `fzm presets --markdown > docs/presets.md`; a test fails when it is stale. `fzm "
    "presets NAME` prints one as a\n"
    "pipeline file.\n\n";

Result<int> run(const Arguments& a) {
  if (!a.name.empty()) {
    const Result<Request> request = Request::from_preset(a.name);
    if (!request.ok()) return request.status();
    print(request->to_toml());
    return 0;
  }
  const auto rows = all_presets();
  if (!rows.ok()) return rows.status();
  if (a.as_json)
    print(rows_json(*rows));
  else if (a.as_markdown)
    print(std::string(kPageHead) + table_text(*rows, TableStyle::markdown));
  else
    print(table_text(*rows, TableStyle::plain));
  return 0;
}

}  // namespace

Verb add_presets(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand("presets", "The pipelines that come with the library");
  verb.add_option("NAME", a->name, "print this one as a pipeline file");
  CLI::Option* const as_json = verb.add_flag("--json", a->as_json, "for programs");
  verb.add_flag("--markdown", a->as_markdown, "the page docs/presets.md")->excludes(as_json);
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
