#include "tools/fzm/inspect_json.h"

#include "tools/fzm/array_file.h"
#include "tools/fzm/json.h"

namespace fzm::cli {
namespace {

std::string pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto& [key, value] : pairs) members.emplace_back(key, json(value));
  return json_object(members);
}

}  // namespace

std::string seen_json(const Seen& s) {
  const FrameInfo& f = s.info;
  std::vector<std::string> stages, segments;
  for (const StageInfo& stage : f.stages)
    stages.push_back(json_object({{"name", json(stage.name)},
                                  {"params", pairs_json(stage.params)},
                                  {"facts", pairs_json(stage.facts)}}));
  for (const SegmentInfo& g : f.segments)
    segments.push_back(
        json_object({{"stage", json(g.stage)}, {"port", json(g.port)}, {"bytes", json(g.bytes)}}));
  return json_object({{"offset", json_list(s.offset)},
                      {"raw_bytes", json(s.raw_bytes)},
                      {"stored_bytes", json(s.stored_bytes)},
                      {"ratio", json(ratio_of(s))},
                      {"is_frame", json(s.fault.empty())},
                      {"fault", json(s.fault)},
                      {"version", json(f.version)},
                      {"array", json(describe(f.array))},
                      {"header_bytes", json(f.header_bytes)},
                      {"is_raw", json(f.is_raw)},
                      {"abs_bound", f.has_bound ? json(f.abs_bound) : "null"},
                      {"bound_mode", json(f.bound_mode)},
                      {"escapes", json(f.escapes)},
                      {"escape_share", json(escape_share(s))},
                      {"masked_bytes", json(f.masked_bytes)},
                      {"stages", json_array(stages)},
                      {"segments", json_array(segments)}});
}

std::string dataset_json(const SeenDataset& d) {
  std::vector<std::string> chunks;
  for (const Seen& s : d.chunks) chunks.push_back(seen_json(s));
  return json_object({{"dataset", json(d.name)},
                      {"array", json(describe(d.array))},
                      {"chunk_shape", json_list(d.chunk_shape)},
                      {"words", json_list(d.place.words)},
                      {"request", json(d.request)},
                      {"raw_bytes", json(d.totals.raw)},
                      {"stored_bytes", json(d.totals.stored)},
                      {"escapes", json(d.totals.escapes)},
                      {"no_frames", json(d.totals.faults)},
                      {"chunks", json_array(chunks)}});
}

}  // namespace fzm::cli
