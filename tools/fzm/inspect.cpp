// fzm inspect: what is in a frame, or in every chunk of a dataset. Reads headers only; needs no
// plugin.
#include <memory>

#include "tools/fzm/array_file.h"
#include "tools/fzm/files.h"
#include "tools/fzm/inspect_json.h"
#include "tools/fzm/inspect_text.h"
#include "tools/fzm/progress.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  std::string file, dataset;
  size_t rows = 40;
  bool as_json = false;
};

Result<int> inspect_frame(const Arguments& a) {
  const auto bytes = read_file(a.file);
  if (!bytes.ok()) return bytes.status();
  const Result<FrameInfo> info = read_frame_info(*bytes);
  if (!info.ok()) return info.status().at(a.file);
  const Seen s{{}, info->raw_bytes, bytes->size(), *info, ""};
  print(a.as_json ? seen_json(s) + "\n" : frame_text(s));
  return 0;
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

Result<SeenDataset> look_at_dataset(const DatasetPath& path) {
  SeenDataset d;
  d.name = path.file + ":" + path.dataset;
  const Result<Dataset> dataset = Dataset::open(path);
  if (!dataset.ok()) return dataset.status();
  Result<ArrayInfo> array = dataset->array();
  if (!array.ok()) return array.status();
  Result<Place> place = find_place(*dataset, d.name);
  if (!place.ok()) return place.status();
  Result<std::vector<Seen>> chunks = look_at_all(*dataset, *place);
  if (!chunks.ok()) return chunks.status();
  d.array = std::move(array).value();
  d.chunk_shape = dataset->chunk_shape();
  d.place = std::move(place).value();
  d.request = request_sentence(d.place.words);
  d.chunks = std::move(chunks).value();
  for (const Seen& s : d.chunks) d.totals.add(s);
  return d;
}

// Exit status 1 where a stored chunk should be a frame and is none.
Result<int> inspect_dataset(const Arguments& a, const std::string& path) {
  const auto seen = look_at_dataset({a.file, path});
  if (!seen.ok()) return seen.status();
  const SeenDataset& d = *seen;
  if (a.as_json) {
    print(dataset_json(d) + "\n");
  } else {
    print(d.name + ": " + describe(d.array) + ", chunks of " + to_string(d.chunk_shape) + "\n");
    print(d.request + "\n\n");
    print(chunks_text(d.chunks, a.rows));
    print(totals_text(d.totals, d.chunks.size()));
    if (d.chunks.size() == 1 && d.chunks[0].fault.empty()) print("\n" + frame_text(d.chunks[0]));
  }
  return d.totals.faults == 0 ? 0 : 1;
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
