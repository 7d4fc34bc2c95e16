#include "tools/fzm/inspect_text.h"

#include <algorithm>

#include "tools/fzm/array_file.h"
#include "tools/fzm/text.h"

namespace fzm::cli {
namespace {

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

}  // namespace

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

}  // namespace fzm::cli
