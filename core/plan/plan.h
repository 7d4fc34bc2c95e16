// What will be done for one spec on one kind of chunk: typed ports, groups, slots, sizes. Immutable.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/run/group_io.h"
#include "core/spec/array_info.h"
#include "core/spec/spec.h"

namespace fzm {

inline constexpr int32_t kSegment = -1;  // a port that nobody reads is stored in the frame

struct PlannedStage {
  const Stage* stage = nullptr;
  std::string name;
  Object params;            // complete: nothing automatic is left
  Edge input;               // what feeds the array input
  DType in = DType::unknown, out = DType::unknown;
  uint32_t variant = 0;     // index into stage->codes()
  Extent extent;            // of the array input; an upper bound unless is_exact
  bool is_exact = true;     // the number of values follows from the chunk's shape
  uint32_t out_values = 0;  // of the array output, likewise
  std::vector<int32_t> readers;  // per output port: the stage that reads it, or kSegment

  const BlockCode& code() const { return stage->codes()[variant]; }
  // How many pieces a block of this stage has, by its ports.
  uint32_t pieces() const;
  int32_t array_port() const;  // -1: none
};

// A tuned version of a whole group for this machine; same bytes.
struct FastGroup {
  const char* name;
  bool (*encode)(GroupIo& io);  // false: some piece's room is used up (nothing beyond it was written)
  void (*decode)(GroupIo& io);  // piece bounds were checked against the records
  uint32_t scratch_bytes;
};

// Stages that run in one pass over the data, block by block.
struct Group {
  std::vector<uint32_t> stages;  // indices, in order
  uint32_t granularity = 1;
  uint32_t block_values = 1;     // what the walk takes at a time: a multiple of the granularity
  uint32_t values = 0;           // of the block-contiguous arrays (bound unless the first stage is_exact)
  uint32_t scratch_bytes = 0;    // of one worker
  FastGroup fast = {};           // encode null where there is none
  bool is_in_place = false;      // its array output takes the place of its array input, if that is the encoder's own
  std::string why_not_fused;     // for explain: what ended the group
};

// A planned buffer of the encoder: an array between groups.
struct Slot {
  Edge port;
  uint64_t bytes = 0;
  uint32_t born = 0, dies = 0;  // first and last group that touch it
  uint32_t color = 0;           // slots of one colour share memory
};

struct Plan {
  ArrayInfo array;
  uint64_t raw_bytes = 0;
  uint32_t values = 0;  // of the external array
  std::vector<PlannedStage> stages;
  std::vector<Group> groups;      // in encoding order
  std::vector<Edge> segments;     // ports that are stored, in frame order
  std::vector<Slot> slots;
  std::vector<uint64_t> color_bytes;
};

// Errors name the stage, the rule and the value.
Result<std::shared_ptr<const Plan>> make_plan(const Spec& spec, const ArrayInfo& array);

// The context of a stage, by value. `values` replaces the planned number where that was only a bound.
Object make_context(const PlannedStage& s, const Object& facts, uint32_t values);

// Bytes of the buffers between groups, shared ones counted once.
uint64_t working_bytes(const Plan& plan);

// The most bytes that encoding holds at once besides input and frame: arrays between groups, and what a group writes (a chunk that
// takes more than its own size there is given up).
uint64_t encode_working_bytes(const Plan& plan);

std::string explain(const Plan& plan);
std::string explain_json(const Plan& plan);

// The tuned version of a run of stages, where this machine has one (kernels/fast). encode is null otherwise.
FastGroup find_fast_group(std::span<const PlannedStage* const> stages);

}  // namespace fzm
