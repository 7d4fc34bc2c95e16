// fzm inspect: what is in a frame, or in every chunk of a dataset. Reads headers only; needs no
// plugin.
#include <algorithm>
#include <memory>

#include "filter/id.h"
#include "tools/fzm/array_file.h"
#include "tools/fzm/files.h"
#include "tools/fzm/hdf5_file.h"
#include "tools/fzm/json.h"
#include "tools/fzm/progress.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

constexpr int kFletcher32 = 3;  // HDF5's own checksum, whose 4 bytes stand behind the frame

struct Arguments {
  std::string file, dataset;
  size_t rows = 40;
  bool as_json = false;
};

// A chunk as it is stored: a frame, or raw where the filter did not run.
struct Seen {
  std::vector<uint64_t> offset;
  uint64_t raw_bytes = 0, stored_bytes = 0;
  FrameInfo info;  // of a frame
  std::string fault;
};

double values_of(const Seen& s) {
  return static_cast<double>(s.raw_bytes) / s.info.array.bytes_per_item();
}
double escape_share(const Seen& s) {
  return s.raw_bytes == 0 ? 0 : static_cast<double>(s.info.escapes) / values_of(s);
}
double ratio_of(const Seen& s) {
  return s.stored_bytes == 0
             ? 0
             : static_cast<double>(s.raw_bytes) / static_cast<double>(s.stored_bytes);
}

std::string stage_names(const Seen& s) {
  if (!s.fault.empty()) return s.fault;
  if (s.info.is_raw) return "stored raw in a frame";
  std::vector<std::string> names;
  for (const StageInfo& stage : s.info.stages) names.push_back(stage.name);
  return joined(names, " ");
}

std::string bound_text(const Seen& s) {
  return s.info.has_bound ? format("%.6g", s.info.abs_bound) : "exact";
}

std::string pairs_text(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : pairs) parts.push_back(key + "=" + value);
  return joined(parts, ", ");
}

std::string offset_text(const std::vector<uint64_t>& offset) {
  std::vector<std::string> parts;
  for (const uint64_t o : offset) parts.push_back(std::to_string(o));
  return joined(parts, ",");
}

std::string frame_text(const Seen& s) {
  const FrameInfo& f = s.info;
  std::string text = format("frame of version %u: %s\n", f.version, describe(f.array).c_str());
  text += format("%llu -> %llu bytes, ratio %.4g; header %llu bytes\n",
                 static_cast<unsigned long long>(f.raw_bytes),
                 static_cast<unsigned long long>(f.frame_bytes), ratio_of(s),
                 static_cast<unsigned long long>(f.header_bytes));
  text += f.has_bound
              ? format("bound %.17g (%s), escapes %llu of %.0f values (%.3g %%)\n", f.abs_bound,
                       f.bound_mode.c_str(), static_cast<unsigned long long>(f.escapes),
                       values_of(s), 100 * escape_share(s))
              : std::string("every bit kept\n");
  if (f.is_raw) return text + "stored raw: no pipeline made it smaller\n";
  if (f.masked_bytes != 0)
    text +=
        format("masked values take %llu bytes\n", static_cast<unsigned long long>(f.masked_bytes));
  Table stages({"stage", "parameters", "facts"});
  for (const StageInfo& stage : f.stages)
    stages.add({stage.name, pairs_text(stage.params), pairs_text(stage.facts)});
  Table segments({"segment", "bytes", "share"});
  for (const SegmentInfo& g : f.segments)
    segments.add({g.stage + "." + g.port, std::to_string(g.bytes),
                  format("%.1f %%",
                         100 * static_cast<double>(g.bytes) / static_cast<double>(f.frame_bytes))});
  return text + "\n" + stages.text() + "\n" + segments.text();
}

std::string pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto& [key, value] : pairs) members.emplace_back(key, json(value));
  return json_object(members);
}

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

Result<int> inspect_frame(const Arguments& a) {
  const auto bytes = read_file(a.file);
  if (!bytes.ok()) return bytes.status();
  const Result<FrameInfo> info = read_frame_info(*bytes);
  if (!info.ok()) return info.status().at(a.file);
  const Seen s{{}, info->raw_bytes, bytes->size(), *info, ""};
  print(a.as_json ? seen_json(s) + "\n" : frame_text(s));
  return 0;
}

// Where our filter stands in the pipeline, and whether its output can be read: only a checksum may
// follow.
struct Place {
  uint32_t index = 0;
  bool has_checksum = false;
  std::vector<uint32_t> words;
};

Result<Place> find_place(const Dataset& dataset, const std::string& name) {
  const std::vector<StoredFilter> filters = dataset.filters();
  const auto ours = std::find_if(filters.begin(), filters.end(),
                                 [](const StoredFilter& f) { return f.id == H5Z_FILTER_FZM; });
  if (ours == filters.end())
    return Status(Code::not_a_frame, name + ": filter " + std::to_string(H5Z_FILTER_FZM) +
                                         " (fzm) is not in its pipeline");
  Place place{static_cast<uint32_t>(ours - filters.begin()), false, ours->words};
  for (auto later = ours + 1; later != filters.end(); ++later) {
    if (later->id != kFletcher32)
      return Status(Code::not_a_frame, name + ": filter " + std::to_string(later->id) + " (" +
                                           later->name + ") runs after fzm and hides the frames");
    place.has_checksum = true;
  }
  return place;
}

Seen look_at(const StoredChunk& chunk, ConstBytes bytes, const Place& place, uint64_t raw_bytes) {
  Seen s{chunk.offset, raw_bytes, chunk.stored_bytes, {}, ""};
  if (chunk.filter_mask >> place.index & 1) {
    s.fault = "not filtered";
    return s;
  }
  if (place.has_checksum && bytes.size() >= 4) bytes = bytes.first(bytes.size() - 4);
  const Result<FrameInfo> info = read_frame_info(bytes);
  if (info.ok())
    s.info = *info;
  else
    s.fault = info.status().message();
  return s;
}

struct Totals {
  uint64_t raw = 0, stored = 0, escapes = 0, faults = 0, exact = 0;
  double values = 0, smallest_bound = 0, largest_bound = 0;
  std::vector<SegmentInfo> segments;

  void add(const Seen& s) {
    raw += s.raw_bytes;
    stored += s.stored_bytes;
    faults += !s.fault.empty();
    if (!s.fault.empty()) return;
    escapes += s.info.escapes;
    values += values_of(s);
    add_bound(s.info);
    for (const SegmentInfo& g : s.info.segments) add_segment(g);
  }

 private:
  void add_bound(const FrameInfo& f) {
    if (!f.has_bound) {
      ++exact;
      return;
    }
    smallest_bound = largest_bound == 0 ? f.abs_bound : std::min(smallest_bound, f.abs_bound);
    largest_bound = std::max(largest_bound, f.abs_bound);
  }
  void add_segment(const SegmentInfo& g) {
    for (SegmentInfo& have : segments)
      if (have.stage == g.stage && have.port == g.port) {
        have.bytes += g.bytes;
        return;
      }
    segments.push_back(g);
  }
};

std::string totals_text(const Totals& t, size_t chunks) {
  const double ratio =
      t.stored == 0 ? 0 : static_cast<double>(t.raw) / static_cast<double>(t.stored);
  std::string text = format("\n%zu chunks, %llu -> %llu bytes, ratio %.4g\n", chunks,
                            static_cast<unsigned long long>(t.raw),
                            static_cast<unsigned long long>(t.stored), ratio);
  if (t.largest_bound > 0)
    text += format("bounds %.6g to %.6g, escapes %llu of %.0f values (%.3g %%)\n", t.smallest_bound,
                   t.largest_bound, static_cast<unsigned long long>(t.escapes), t.values,
                   t.values > 0 ? 100 * static_cast<double>(t.escapes) / t.values : 0);
  if (t.exact > 0)
    text += format("%llu chunks keep every bit\n", static_cast<unsigned long long>(t.exact));
  if (t.faults > 0)
    text += format("%llu chunks are no frames\n", static_cast<unsigned long long>(t.faults));
  Table segments({"segment", "bytes", "share"});
  for (const SegmentInfo& g : t.segments)
    segments.add(
        {g.stage + "." + g.port, std::to_string(g.bytes),
         format("%.1f %%", 100 * static_cast<double>(g.bytes) / static_cast<double>(t.stored))});
  return segments.is_empty() ? text : text + "\n" + segments.text();
}

std::string chunks_text(const std::vector<Seen>& seen, size_t rows) {
  Table table({"chunk at", "raw", "stored", "ratio", "bound", "escapes", "masked", "stages"});
  for (size_t i = 0; i < std::min(rows, seen.size()); ++i) {
    const Seen& s = seen[i];
    table.add({offset_text(s.offset), std::to_string(s.raw_bytes), std::to_string(s.stored_bytes),
               format("%.4g", ratio_of(s)), s.fault.empty() ? bound_text(s) : "-",
               format("%.3g %%", 100 * escape_share(s)), std::to_string(s.info.masked_bytes),
               stage_names(s)});
  }
  std::string text = table.text();
  if (seen.size() > rows)
    text += format("... and %zu more (--rows N shows N)\n", seen.size() - rows);
  return text;
}

std::string request_sentence(const std::vector<uint32_t>& words) {
  const Result<Words> read = read_words(words);
  return read.ok() ? read->request.to_sentence() : read.status().message();
}

Result<std::vector<Seen>> look_at_all(const Dataset& dataset, const Place& place) {
  const auto chunks = dataset.chunks();
  if (!chunks.ok()) return chunks.status();
  Progress progress("reading chunks");
  std::vector<Seen> seen;
  for (const StoredChunk& chunk : *chunks) {
    const auto bytes = dataset.read_stored(chunk);
    if (!bytes.ok()) return bytes.status();
    seen.push_back(look_at(chunk, *bytes, place, dataset.chunk_bytes()));
    progress.set(static_cast<double>(seen.size()) / static_cast<double>(chunks->size()));
  }
  return seen;
}

std::string dataset_json(const std::string& name, const ArrayInfo& array, const Dataset& dataset,
                         const Place& place, const std::vector<Seen>& seen, const Totals& t) {
  std::vector<std::string> chunks;
  for (const Seen& s : seen) chunks.push_back(seen_json(s));
  return json_object({{"dataset", json(name)},
                      {"array", json(describe(array))},
                      {"chunk_shape", json_list(dataset.chunk_shape())},
                      {"words", json_list(place.words)},
                      {"request", json(request_sentence(place.words))},
                      {"raw_bytes", json(t.raw)},
                      {"stored_bytes", json(t.stored)},
                      {"escapes", json(t.escapes)},
                      {"no_frames", json(t.faults)},
                      {"chunks", json_array(chunks)}});
}

// Exit status 1 where a stored chunk should be a frame and is none.
Result<int> inspect_dataset(const Arguments& a, const std::string& path) {
  const std::string name = a.file + ":" + path;
  const Result<Dataset> dataset = Dataset::open({a.file, path});
  if (!dataset.ok()) return dataset.status();
  const Result<ArrayInfo> array = dataset->array();
  if (!array.ok()) return array.status();
  const Result<Place> place = find_place(*dataset, name);
  if (!place.ok()) return place.status();
  const auto seen = look_at_all(*dataset, *place);
  if (!seen.ok()) return seen.status();
  Totals totals;
  for (const Seen& s : *seen) totals.add(s);
  if (a.as_json) {
    print(dataset_json(name, *array, *dataset, *place, *seen, totals) + "\n");
  } else {
    print(name + ": " + describe(*array) + ", chunks of " + to_string(dataset->chunk_shape()) +
          "\n");
    print(request_sentence(place->words) + "\n\n");
    print(chunks_text(*seen, a.rows));
    print(totals_text(totals, seen->size()));
    if (seen->size() == 1 && (*seen)[0].fault.empty()) print("\n" + frame_text((*seen)[0]));
  }
  return totals.faults == 0 ? 0 : 1;
}

Result<int> list_datasets(const Arguments& a) {
  const auto names = Dataset::list(a.file);
  if (!names.ok()) return names.status();
  if (names->size() == 1) return inspect_dataset(a, names->front());
  return Status(Code::bad_request, a.file + ": say which dataset: " +
                                       (names->empty() ? "it has none" : joined(*names, ", ")));
}

bool is_hdf5(const std::string& file) {
  const auto names = Dataset::list(file);
  return names.ok();
}

Result<int> run(Arguments a) {
  if (const auto path = dataset_path(a.file); path && a.dataset.empty())
    a = {path->file, path->dataset, a.rows, a.as_json};
  if (!a.dataset.empty())
    return inspect_dataset(a, a.dataset[0] == '/' ? a.dataset : "/" + a.dataset);
  return is_hdf5(a.file) ? list_datasets(a) : inspect_frame(a);
}

}  // namespace

Verb add_inspect(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "inspect", "A frame, or every chunk of a dataset: bound, ratio, stages, share of escapes");
  verb.add_option("FILE", a->file, "a frame (.fzm), or an HDF5 file")->required();
  verb.add_option("DATASET", a->dataset, "may be left out where the file has one");
  verb.add_option("--rows", a->rows, "chunks to list; the totals are over all")
      ->capture_default_str();
  verb.add_flag("--json", a->as_json, "for programs");
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
