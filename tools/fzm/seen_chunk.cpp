#include "tools/fzm/seen_chunk.h"

#include <algorithm>

#include "filter/id.h"

namespace fzm::cli {
namespace {

constexpr int kFletcher32 = 3;  // HDF5's own checksum, whose 4 bytes stand behind the frame

}  // namespace

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

void Totals::add(const Seen& s) {
  raw += s.raw_bytes;
  stored += s.stored_bytes;
  faults += !s.fault.empty();
  if (!s.fault.empty()) return;
  escapes += s.info.escapes;
  values += values_of(s);
  add_bound(s.info);
  for (const SegmentInfo& g : s.info.segments) add_segment(g);
}

void Totals::add_bound(const FrameInfo& f) {
  if (!f.has_bound) {
    ++exact;
    return;
  }
  smallest_bound = largest_bound == 0 ? f.abs_bound : std::min(smallest_bound, f.abs_bound);
  largest_bound = std::max(largest_bound, f.abs_bound);
}

void Totals::add_segment(const SegmentInfo& g) {
  for (SegmentInfo& have : segments)
    if (have.stage == g.stage && have.port == g.port) {
      have.bytes += g.bytes;
      return;
    }
  segments.push_back(g);
}

}  // namespace fzm::cli
