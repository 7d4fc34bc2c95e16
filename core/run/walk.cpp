#include "core/run/walk.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/bits.h"

namespace fzm {
namespace {

constexpr uint64_t kMaxItemBytes = 8;

uint64_t array_bytes(uint32_t values) { return (uint64_t{values} * kMaxItemBytes + 64 + 63) / 64 * 64; }

// Where a worker's two block arrays and the codecs' scratch lie.
struct Bench {
  uint8_t* array[2];
  uint8_t* codec;
  Bench(const WalkPlan& walk, uint8_t* base)
      : array{base, base + array_bytes(walk.array_values)}, codec(base + 2 * array_bytes(walk.array_values)) {}
};

uint8_t* at_value(void* array, DType type, uint64_t values) {
  return array ? static_cast<uint8_t*>(array) + values * dtype_bytes(type) : nullptr;
}
const uint8_t* at_value(const void* array, DType type, uint64_t values) {
  return array ? static_cast<const uint8_t*>(array) + values * dtype_bytes(type) : nullptr;
}

uint8_t* records_at(const BlockCode& code, const GroupIo::Stage& s, uint32_t done) {
  return code.record_bytes && done ? s.records + code.record_bytes(done, s.context) : s.records;
}

bool has_room(const PlannedStage& stage, const GroupIo::Stage& s, uint32_t n) {
  const BlockCode& code = stage.code();
  if (!code.max_piece_bytes) return true;
  for (uint32_t k = 0; k < stage.pieces(); ++k)
    if (s.piece_bytes[k] + code.max_piece_bytes(k, n, s.context) > s.piece_room[k]) return false;
  return true;
}

// The output takes the place of the input: a block is written when all of it was read.
bool is_in_place(const GroupIo& io) { return io.out != nullptr && io.out == io.in; }

// Entries of an index-ordered list that belong to values below `end`, from entry `from` on.
uint32_t list_entries(const uint8_t* indices, uint64_t from, uint64_t entries, uint64_t end) {
  uint64_t to = from;
  while (to < entries && generic::load_le<uint32_t>(indices + 4 * to) < end) ++to;
  return static_cast<uint32_t>(to - from);
}

// What is left of a list belongs to no value of the range.
bool is_used_up(const GroupIo::Stage& list) {
  return list.piece_bytes[0] == list.piece_room[0] && list.piece_bytes[1] == list.piece_room[1];
}

// Points b at the pieces of its block, from the cursor s.piece_bytes, and moves the cursor on.
void take_pieces(const PlannedStage& stage, GroupIo::Stage& s, BlockIo& b) {
  const BlockCode& code = stage.code();
  const uint32_t pieces = stage.pieces();
  if (code.is_list) {
    const uint64_t taken = s.piece_bytes[1] / 4;
    const uint32_t n = list_entries(s.piece[1], taken, s.piece_room[1] / 4, uint64_t{b.first} + b.count);
    b.piece[0] = s.piece[0] + taken * code.entry_bytes;
    b.piece[1] = s.piece[1] + taken * 4;
    b.piece_bytes[0] = n * code.entry_bytes;
    b.piece_bytes[1] = n * 4;
  } else if (code.piece_bytes) {
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      b.piece[k] = s.piece[k] + s.piece_bytes[k];
      b.piece_bytes[k] = k < pieces ? code.piece_bytes(k, b.records, b.count, s.context) : 0;
    }
  }
  for (uint32_t k = 0; k < kMaxPieces; ++k) s.piece_bytes[k] += b.piece_bytes[k];
}

}  // namespace

WalkPlan::WalkPlan(const Plan& plan, const Group& group)
    : block_values(group.block_values), array_values(std::min(group.block_values, group.values)), codec_scratch(group.scratch_bytes) {
  for (const uint32_t i : group.stages) stages.push_back(&plan.stages[i]);
  scratch_bytes = 2 * array_bytes(array_values) + codec_scratch + 64;
}

GroupContexts::GroupContexts(const Plan& plan, const Group& group, const std::vector<Object>& facts, uint32_t head_inputs)
    : inputs(head_inputs) {
  const uint32_t first = group.stages.front();
  const PlannedStage& head = plan.stages[first];
  contexts.push_back(make_context(head, facts[first], inputs));
  values = head.code().out_values ? head.code().out_values(contexts[0].data()) : inputs;
  for (size_t i = 1; i < group.stages.size(); ++i)
    contexts.push_back(make_context(plan.stages[group.stages[i]], facts[group.stages[i]], values));
}

bool walk_encode(const WalkPlan& walk, GroupIo& io) {
  const Bench bench(walk, io.scratch);
  const size_t last = walk.stages.size() - 1;
  const bool in_place = is_in_place(io);
  for (uint64_t at = 0; at < io.count; at += walk.block_values) {
    const auto done = static_cast<uint32_t>(at);
    const uint32_t n = std::min(walk.block_values, io.count - done);
    const void* in = walk.stages[0]->code().is_wide ? io.in : at_value(io.in, walk.stages[0]->in, done);
    for (size_t i = 0; i <= last; ++i) {
      const BlockCode& code = walk.stages[i]->code();
      GroupIo::Stage& s = io.stage[i];
      if (!has_room(*walk.stages[i], s, n)) return false;
      BlockIo b;
      b.first = io.first + done;
      b.count = n;
      b.in = in;
      b.out = i == last && !in_place ? at_value(io.out, walk.stages[i]->out, done) : bench.array[i % 2];
      b.records = records_at(code, s, done);
      b.scratch = bench.codec;
      for (uint32_t k = 0; k < kMaxPieces; ++k) b.piece[k] = s.piece[k] ? s.piece[k] + s.piece_bytes[k] : nullptr;
      const Pieces written = code.encode(b, s.context, &io.fault);
      for (uint32_t k = 0; k < kMaxPieces; ++k) s.piece_bytes[k] += written.bytes[k];
      in = b.out;
    }
    const DType type = walk.stages[last]->out;
    if (in_place) std::memcpy(at_value(io.out, type, done), in, uint64_t{n} * dtype_bytes(type));
  }
  return true;
}

void walk_decode(const WalkPlan& walk, GroupIo& io) {
  const Bench bench(walk, io.scratch);
  const size_t last = walk.stages.size() - 1;
  for (uint64_t at = 0; at < io.count; at += walk.block_values) {
    const auto done = static_cast<uint32_t>(at);
    const uint32_t n = std::min(walk.block_values, io.count - done);
    const void* in = at_value(io.in, walk.stages[last]->out, done);
    for (size_t i = last + 1; i-- > 0;) {
      const BlockCode& code = walk.stages[i]->code();
      GroupIo::Stage& s = io.stage[i];
      BlockIo b;
      b.first = io.first + done;
      b.count = n;
      b.in = in;
      b.out = i > 0 ? bench.array[i % 2] : code.is_wide ? static_cast<uint8_t*>(io.out) : at_value(io.out, walk.stages[0]->in, done);
      b.records = records_at(code, s, done);
      b.scratch = bench.codec;
      take_pieces(*walk.stages[i], s, b);
      code.decode(b, s.context, &io.fault);
      in = b.out;
    }
  }
  for (size_t i = 0; i <= last; ++i)
    if (walk.stages[i]->code().is_list && !is_used_up(io.stage[i])) io.fault |= 1u << static_cast<uint32_t>(Fault::bad_index);
}

}  // namespace fzm
