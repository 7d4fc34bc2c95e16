// fzm doctor: whether HDF5 finds the plugin here, and if not, why.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/fzm.h"
#include "filter/id.h"
#include "tools/fzm/json.h"
#include "tools/fzm/plugin_search.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

enum class Verdict : uint8_t { good, note, bad };

struct Finding {
  Verdict verdict;
  std::string text;
};

std::string id_text() { return std::to_string(H5Z_FILTER_FZM); }

void judge_directory(const SearchedDirectory& d, bool is_from_environment,
                     std::vector<Finding>& out) {
  if (!d.is_there) {
    out.push_back(
        {is_from_environment ? Verdict::bad : Verdict::note,
         d.path + ": no such directory" +
             (is_from_environment
                  ? "; HDF5 before 1.14.2 stops its search here: take it out of HDF5_PLUGIN_PATH"
                  : "")});
    return;
  }
  for (const std::string& link : d.dead_links)
    out.push_back(
        {Verdict::bad, link + ": the link leads nowhere; HDF5 stops its search here: remove it"});
  for (const PluginFile& p : d.plugins) {
    if (!p.fault.empty())
      out.push_back({Verdict::note, p.path + ": does not load: " + p.fault});
    else if (p.id != H5Z_FILTER_FZM)
      out.push_back({Verdict::note, p.path + ": filter " + std::to_string(p.id) + ", " + p.name});
    else
      out.push_back({Verdict::good, p.path + ": filter " + id_text() + ", " + p.name +
                                        ", encoder " + (p.has_encoder ? "yes" : "no") +
                                        ", decoder " + (p.has_decoder ? "yes" : "no")});
  }
  if (d.plugins.empty()) out.push_back({Verdict::note, d.path + ": no plugins"});
}

void judge_plugins(const PluginSearch& s, std::vector<Finding>& out) {
  size_t ours = 0;
  for (const SearchedDirectory& d : s.directories) {
    judge_directory(d, s.has_environment, out);
    ours += static_cast<size_t>(std::count_if(
        d.plugins.begin(), d.plugins.end(),
        [](const PluginFile& p) { return p.fault.empty() && p.id == H5Z_FILTER_FZM; }));
  }
  if (ours == 0)
    out.push_back({Verdict::bad, "no plugin for filter " + id_text() +
                                     " on the path; export HDF5_PLUGIN_PATH=the directory of "
                                     "libh5zfzm.so, before the program starts"});
  if (ours > 1)
    out.push_back({Verdict::note,
                   std::to_string(ours) + " plugins for filter " + id_text() +
                       " on the path; HDF5 takes the first directory's, and of one directory any"});
}

void judge_library(const PluginSearch& s, std::vector<Finding>& out) {
  out.push_back(
      {Verdict::good, "HDF5 " + s.hdf5_version + " (" + joined(s.hdf5_files, ", ") + ")"});
  if (s.hdf5_files.size() > 1)
    out.push_back(
        {Verdict::bad,
         std::to_string(s.hdf5_files.size()) +
             " copies of HDF5 in this process; identifiers of one mean nothing to the other"});
  if (!s.is_loading_on)
    out.push_back(
        {Verdict::bad, "HDF5's plugin loading is turned off (HDF5_PLUGIN_PRELOAD=\"::\"?)"});
}

// The library takes a word it does not know for the default, and says nothing.
void judge_environment(std::vector<Finding>& out) {
  struct Choice {
    const char* variable;
    std::vector<std::string> words;
  };
  const Choice choices[] = {{"FZM_BACKEND", {"auto", "host", "cuda"}},
                            {"FZM_LOG", {"off", "error", "warn", "info"}}};
  for (const Choice& c : choices) {
    const char* const text = std::getenv(c.variable);
    if (text == nullptr || *text == '\0' ||
        std::find(c.words.begin(), c.words.end(), text) != c.words.end())
      continue;
    out.push_back({Verdict::bad, std::string(c.variable) + "=" + text + ": must be one of " +
                                     joined(c.words, ", ") + "; passed by, as if it were not set"});
  }
}

// Whether a chunk can go through a GPU here, whatever FZM_BACKEND and its size would choose.
Finding device_finding() {
  const std::vector<float> values(1 << 14);
  ArrayInfo array;
  array.type = DType::f32;
  array.shape = {values.size()};
  const Result<EncodedFrame> frame =
      encode(Request(), array, values.data(), Options{.backend = BackendChoice::device});
  if (frame.ok()) return {Verdict::good, "a chunk was encoded on the GPU"};
  return {Verdict::note, frame.status().message() + "; chunks are done by the CPU"};
}

std::vector<Finding> findings_of(const PluginSearch& s) {
  std::vector<Finding> out;
  out.push_back({Verdict::good, "fzm " + std::string(kVersion)});
  judge_library(s, out);
  out.push_back(
      {Verdict::good, s.has_environment
                          ? "HDF5_PLUGIN_PATH=" + s.environment
                          : "HDF5_PLUGIN_PATH is not set; HDF5 looks in its default directory"});
  judge_plugins(s, out);
  judge_environment(out);
  out.push_back(device_finding());
  if (s.round_trip.empty())
    out.push_back({Verdict::good, "a dataset in memory was written through filter " + id_text() +
                                      " and read back"});
  else
    out.push_back(
        {Verdict::bad, "a dataset in memory could not be written and read back: " + s.round_trip});
  return out;
}

constexpr const char* kMarks[] = {"ok   ", "note ", "BAD  "};
constexpr const char* kWords[] = {"ok", "note", "bad"};

std::string json_of(const std::vector<Finding>& findings, bool is_well) {
  std::vector<std::string> items;
  for (const Finding& f : findings)
    items.push_back(json_object(
        {{"verdict", json(kWords[static_cast<int>(f.verdict)])}, {"text", json(f.text)}}));
  return json_object({{"well", json(is_well)}, {"findings", json_array(items)}}) + "\n";
}

Result<int> run(bool as_json) {
  const Result<PluginSearch> search = search_plugins();
  if (!search.ok()) return search.status();
  const std::vector<Finding> findings = findings_of(*search);
  const bool is_well = std::none_of(findings.begin(), findings.end(),
                                    [](const Finding& f) { return f.verdict == Verdict::bad; });
  if (as_json) {
    print(json_of(findings, is_well));
    return is_well ? 0 : 1;
  }
  for (const Finding& f : findings) print(kMarks[static_cast<int>(f.verdict)] + f.text + "\n");
  print(is_well ? "all is well\n" : "something is wrong, see BAD\n");
  return is_well ? 0 : 1;
}

}  // namespace

Verb add_doctor(CLI::App& fzm) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App& verb =
      *fzm.add_subcommand("doctor", "Whether HDF5 finds the plugin here; exit status 1 if not");
  verb.add_flag("--json", *as_json, "for programs");
  return {&verb, [as_json] { return run(*as_json); }};
}

}  // namespace fzm::cli
