// Chunks of a dataset as they are stored, and the frames in them.
#pragma once
#include "tools/fzm/hdf5_file.h"

namespace fzm::cli {

// A chunk as it is stored: a frame, or raw where the filter did not run.
struct Seen {
  std::vector<uint64_t> offset;
  uint64_t raw_bytes = 0, stored_bytes = 0;
  FrameInfo info;  // of a frame
  std::string fault;
};

double values_of(const Seen& s);
double escape_share(const Seen& s);
double ratio_of(const Seen& s);

// Where our filter stands in the pipeline, and whether its output can be read: only a checksum may
// follow.
struct Place {
  uint32_t index = 0;
  bool has_checksum = false;
  std::vector<uint32_t> words;
};

// Errors: the filter is not in the pipeline, or another one hides its output. `name` stands in
// them.
Result<Place> find_place(const Dataset& dataset, const std::string& name);

Seen look_at(const StoredChunk& chunk, ConstBytes bytes, const Place& place, uint64_t raw_bytes);

// Over all chunks of a dataset.
struct Totals {
  uint64_t raw = 0, stored = 0, escapes = 0, faults = 0, exact = 0;
  double values = 0, smallest_bound = 0, largest_bound = 0;
  std::vector<SegmentInfo> segments;

  void add(const Seen& s);

 private:
  void add_bound(const FrameInfo& f);
  void add_segment(const SegmentInfo& g);
};

}  // namespace fzm::cli
