#include <algorithm>

#include "core/spec/bound_rule.h"
#include "core/spec/pipeline_file.h"
#include "core/spec/stage_table.h"
#include "core/spec/suggest.h"
#include "core/spec/toml_value.h"

namespace fzm {
namespace {

Status read_pipeline_key(const TomlEntry& e, PipelineFile& file) {
  RunOptions& run = file.spec.run;
  if (e.key == "memory_strategy")
    return read_choice(e, {"MINIMAL", "PREALLOCATE"}, run.memory_strategy);
  if (e.key == "specialization")
    return read_choice(e, {"off", "auto", "force"}, run.specialization);
  if (e.key == "pool_multiplier") return read_positive(e, run.pool_multiplier);
  if (e.key == "num_streams") return read_toml(e, run.streams);
  if (e.key == "coloring") return read_toml(e, run.coloring);
  if (e.key == "input_size") return read_toml(e, run.input_size);
  if (e.key == "dims") return read_toml(e, run.dims);
  if (e.key == "primary_source") return read_toml(e, run.primary_source);
  if (e.key == "fill") return read_toml(e, file.use_fill);
  return unknown_key(e, "[pipeline]",
                     {"memory_strategy", "specialization", "pool_multiplier", "num_streams",
                      "coloring", "input_size", "dims", "primary_source", "fill"});
}

Status read_preset_key(const TomlEntry& e, PresetTable& preset) {
  if (e.key == "number") return read_toml(e, preset.number);
  if (e.key == "summary") return read_toml(e, preset.summary);
  if (e.key == "lossy") return read_toml(e, preset.is_lossy);
  return unknown_key(e, "[preset]", {"number", "summary", "lossy"});
}

Result<std::vector<NamedStage>> read_stages(const TomlEntry& e) {
  std::vector<NamedStage> stages;
  if (e.kind != TomlKind::array) return fault(e, "'stage' must be a list of tables, [[stage]]");
  for (const TomlEntry& table : e.entries) {
    if (table.kind != TomlKind::table)
      return fault(table, "'stage' must be a list of tables, [[stage]]");
    Result<NamedStage> s = read_stage_table(table);
    if (!s.ok()) return s.status();
    stages.push_back(std::move(s).value());
  }
  return stages;
}

Status read_top(const TomlEntry& e, PipelineFile& file, std::vector<NamedStage>& stages) {
  if (e.key == "stage") {
    Result<std::vector<NamedStage>> read = read_stages(e);
    if (!read.ok()) return read.status();
    stages = std::move(read).value();
    return {};
  }
  if (e.key != "pipeline" && e.key != "preset")
    return unknown_key(e, "the file", {"pipeline", "stage", "preset"});
  if (e.kind != TomlKind::table)
    return fault(e, "'" + e.key + "' must be a table, [" + e.key + "]");
  if (e.key == "preset") file.preset.emplace();
  for (const TomlEntry& key : e.entries)
    FZM_TRY(e.key == "preset" ? read_preset_key(key, *file.preset) : read_pipeline_key(key, file));
  return {};
}

Status check_primary_source(const Spec& spec, std::string_view source) {
  if (spec.run.primary_source.empty()) return {};
  Names known;
  for (const StageSpec& s : spec.stages) known.push_back(s.name);
  if (std::find(known.begin(), known.end(), spec.run.primary_source) != known.end()) return {};
  return Status(Code::bad_graph, std::string(source) + ": primary_source '" +
                                     spec.run.primary_source + "' is not a stage" +
                                     suggestion(spec.run.primary_source, known));
}

}  // namespace

Result<PipelineFile> read_pipeline(std::string_view text, std::string_view source) {
  const Result<TomlTable> document = parse_toml(text, source);
  if (!document.ok()) return document.status();
  PipelineFile file;
  std::vector<NamedStage> stages;
  for (const TomlEntry& e : *document) FZM_TRY(read_top(e, file, stages));
  if (stages.empty()) return Status(Code::bad_toml, std::string(source) + ": no [[stage]] in it");

  Result<std::vector<StageSpec>> connected = connect(std::move(stages));
  if (!connected.ok()) return connected.status();
  file.spec.stages = std::move(connected).value();
  FZM_TRY(check_primary_source(file.spec, source));
  FZM_TRY(check_spec(file.spec).at(std::string(source)));
  FZM_TRY(check_bound_is_on_chunk(file.spec).at(std::string(source)));
  return file;
}

}  // namespace fzm
