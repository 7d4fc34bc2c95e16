#include "core/run/encode_run.h"

#include <algorithm>
#include <cstring>

#include "core/plan/sizes.h"
#include "core/run/walk.h"
#include "core/run/workers.h"

namespace fzm {
namespace {

// Pieces that add up to more than the chunk itself would not be stored anyway. One block more, since room is asked for by
// the worst case of the next block; and small chunks may pass through a larger form.
constexpr uint64_t kPieceFloor = 1u << 16;
uint64_t useful_room(uint64_t raw_bytes, uint64_t one_block) { return std::max(raw_bytes, kPieceFloor) + one_block; }
// A list's two pieces hold an escape twice over (value and index): with a quarter of the chunk in either, lossless is better.
uint64_t useful_list_room(uint64_t raw_bytes, uint64_t one_block) { return useful_room(raw_bytes / 4, one_block); }
// How much of the array observe() sees at a time, so that a second observer finds it in the cache.
constexpr uint32_t kObserveValues = 16384;

Status no_memory() { return Status(Code::no_memory, "not enough memory to encode the chunk"); }

// A typed array: the chunk, or a port that was made.
struct Array {
  const void* data = nullptr;
  uint32_t values = 0;
};

class EncodeRun {
 public:
  EncodeRun(const Plan& plan, const void* input, uint32_t threads) : plan_(plan), input_(input), threads_(threads) {
    const size_t n = plan.stages.size();
    result_.facts.reserve(n);
    for (const PlannedStage& s : plan.stages) result_.facts.push_back(default_facts(*s.stage));
    result_.is_identity.assign(n, false);
    result_.input_values.assign(n, 0);
    result_.ports.resize(n);
    arrays_.resize(n);
    for (size_t i = 0; i < n; ++i) result_.ports[i].resize(plan.stages[i].readers.size());
    observed_.resize(n);
  }

  Result<EncodeResult> run() {
    for (const Group& g : plan_.groups) FZM_TRY(run_group(g));
    return std::move(result_);
  }

 private:
  // What a stage reads: the chunk, an array that a group wrote, or the bytes of another port.
  Result<Array> input_of(uint32_t stage) {
    const PlannedStage& s = plan_.stages[stage];
    if (s.input.from == kExternal) return Array{input_, plan_.values};
    const auto from = static_cast<size_t>(s.input.from);
    const PlannedStage& source = plan_.stages[from];
    const Port& port = source.stage->outputs[s.input.port];
    if (port.kind == PortKind::array) return arrays_[from];
    PortBytes& made = result_.ports[from][s.input.port];
    FZM_TRY(join(made));
    return Array{made.parts.empty() ? nullptr : made.parts[0].data(), static_cast<uint32_t>(made.bytes() / dtype_bytes(s.in))};
  }

  static Status join(PortBytes& port) {
    if (port.parts.size() <= 1) return {};
    Memory whole(port.bytes());
    if (!whole.is_there()) return no_memory();
    uint8_t* to = whole.data();
    for (const ConstBytes part : port.parts) {
      if (!part.empty()) std::memcpy(to, part.data(), part.size());
      to += part.size();
    }
    port.parts = {ConstBytes(whole.data(), whole.bytes())};
    port.owned.clear();
    port.owned.push_back(std::move(whole));
    return {};
  }

  // Shows the array to a stage's observe, in parallel. `follower` (or null) sees the same data right behind it.
  void observe(uint32_t stage, const Array& array, int32_t follower) {
    const std::vector<uint32_t> watchers =
        follower >= 0 ? std::vector<uint32_t>{stage, static_cast<uint32_t>(follower)} : std::vector<uint32_t>{stage};
    const uint32_t workers = workers_for(array.values, threads_);
    const uint64_t share = (uint64_t{array.values} / workers / kObserveValues + 1) * kObserveValues;
    std::vector<std::vector<Object>> partial(workers);
    std::vector<Object> contexts;
    for (const uint32_t w : watchers) {
      const PlannedStage& s = plan_.stages[w];
      contexts.push_back(make_context(s, result_.facts[w], array.values));
      for (auto& p : partial) p.emplace_back(s.code().partial_bytes, s.code().start_partial);
    }
    run_on_threads(workers, [&](uint32_t t) {
      const uint64_t begin = t * share, end = std::min<uint64_t>(array.values, begin + share);
      for (uint64_t at = begin; at < end; at += kObserveValues) {
        BlockIo b;
        b.first = static_cast<uint32_t>(at);
        b.count = static_cast<uint32_t>(std::min<uint64_t>(kObserveValues, end - at));
        for (size_t w = 0; w < watchers.size(); ++w) {
          const PlannedStage& s = plan_.stages[watchers[w]];
          b.in = static_cast<const uint8_t*>(array.data) + at * dtype_bytes(s.in);
          s.code().observe(b, contexts[w].data(), partial[t][w].data());
        }
      }
    });
    for (size_t w = 0; w < watchers.size(); ++w) {
      const BlockCode& code = plan_.stages[watchers[w]].code();
      for (uint32_t t = 1; t < workers; ++t) code.merge(partial[0][w].data(), partial[t][w].data());
      observed_[watchers[w]] = std::move(partial[0][w]);
      is_observed_.push_back(watchers[w]);
    }
  }

  bool wants_observe(uint32_t stage) const {
    const PlannedStage& s = plan_.stages[stage];
    return s.code().observe && (!s.stage->needs_observe || s.stage->needs_observe(s.params.data()));
  }

  // The stage that would see the very same array if `stage` turns out to be the identity.
  int32_t follower_of(uint32_t stage) const {
    const PlannedStage& s = plan_.stages[stage];
    if (!s.stage->is_identity) return -1;
    const int32_t next = s.readers.empty() ? kSegment : s.readers[0];
    if (next == kSegment || !wants_observe(static_cast<uint32_t>(next))) return -1;
    return plan_.stages[static_cast<size_t>(next)].in == s.in ? next : -1;
  }

  Status conclude(uint32_t stage, const Array& array) {
    const PlannedStage& s = plan_.stages[stage];
    if (!s.stage->conclude) return {};
    const bool wants = wants_observe(stage);
    const bool was_seen = std::find(is_observed_.begin(), is_observed_.end(), stage) != is_observed_.end();
    if (wants && !was_seen) observe(stage, array, follower_of(stage));
    const StageInput input{s.in, s.extent};
    return s.stage->conclude(s.params.data(), wants ? observed_[stage].data() : nullptr, input, result_.facts[stage].data())
        .at("stage '" + s.name + "'");
  }

  Status run_group(const Group& g) {
    const uint32_t first = g.stages[0];
    const Result<Array> input = input_of(first);
    if (!input.ok()) return input.status();
    result_.input_values[first] = input->values;
    FZM_TRY(conclude(first, *input));
    const PlannedStage& head = plan_.stages[first];
    if (head.stage->is_identity && head.stage->is_identity(result_.facts[first].data())) {
      result_.is_identity[first] = true;
      arrays_[first] = *input;
      return {};
    }
    if (head.stage->is_identity) forget_followers(first);
    FZM_TRY(run_blocks(g, *input));
    release_input(head);
    return {};
  }

  // The one reader of a port is done with it.
  void release_input(const PlannedStage& s) {
    if (s.input.from != kExternal) result_.ports[static_cast<size_t>(s.input.from)][s.input.port] = {};
  }

  // The array that the stage reads, for a group that writes in place; nothing where it isn't ours (a Mask had nothing to do).
  Memory take_input(const PlannedStage& s, uint64_t bytes) {
    std::vector<Memory>& owned = result_.ports[static_cast<size_t>(s.input.from)][s.input.port].owned;
    return owned.size() == 1 && owned[0].bytes() == bytes ? std::move(owned[0]) : Memory();
  }

  // What a follower saw was not its input after all.
  void forget_followers(uint32_t stage) {
    const int32_t follower = follower_of(stage);
    std::erase(is_observed_, static_cast<uint32_t>(follower));
  }

  struct Worker {
    GroupIo io;
    std::vector<std::array<Memory, kMaxPieces>> pieces;
    Memory scratch;
    bool fits = true;
  };

  Status run_blocks(const Group& g, const Array& input) {
    const WalkPlan walk(plan_, g);
    const GroupContexts group(plan_, g, result_.facts, input.values);
    const std::vector<Object>& contexts = group.contexts;
    const PlannedStage& head = plan_.stages[g.stages.front()];
    const uint32_t values = group.values;
    for (size_t i = 1; i < g.stages.size(); ++i) result_.input_values[g.stages[i]] = values;

    const PlannedStage& tail = plan_.stages[g.stages.back()];
    Memory out;
    if (array_port(tail) >= 0) {
      const uint64_t bytes = uint64_t{values} * dtype_bytes(tail.out);
      if (g.is_in_place) out = take_input(head, bytes);
      if (!out.is_there()) out = Memory(bytes);
      if (!out.is_there()) return no_memory();
    }
    std::vector<Memory> records;
    for (size_t i = 0; i < g.stages.size(); ++i) {
      records.emplace_back(records_bytes(plan_.stages[g.stages[i]], contexts[i].data(), values));
      if (!records.back().is_there()) return no_memory();
    }

    const uint32_t workers = workers_for(values, threads_);
    const uint64_t share = (uint64_t{values} / workers / g.block_values + 1) * g.block_values;
    std::vector<Worker> crew(workers);
    for (uint32_t t = 0; t < workers; ++t) {
      const uint64_t begin = std::min<uint64_t>(values, t * share);
      const uint64_t end = std::min<uint64_t>(values, begin + share);
      Worker& w = crew[t];
      w.io.first = static_cast<uint32_t>(begin);
      w.io.count = static_cast<uint32_t>(end - begin);
      w.io.in = head.code().is_wide ? input.data : static_cast<const uint8_t*>(input.data) + begin * dtype_bytes(head.in);
      w.io.out = out.is_there() ? out.data() + begin * dtype_bytes(tail.out) : nullptr;
      w.scratch = Memory(std::max<uint64_t>(walk.scratch_bytes, g.fast.scratch_bytes));
      if (!w.scratch.is_there()) return no_memory();
      w.io.scratch = w.scratch.data();
      w.pieces.resize(g.stages.size());
      for (size_t i = 0; i < g.stages.size(); ++i) {
        const PlannedStage& s = plan_.stages[g.stages[i]];
        w.io.stage[i].context = contexts[i].data();
        w.io.stage[i].records =
            records[i].data() + records_bytes(s, contexts[i].data(), static_cast<uint32_t>(begin));
        FZM_TRY(give_room(s, contexts[i].data(), g.block_values, w, i));
      }
    }
    run_on_threads(workers, [&](uint32_t t) {
      Worker& w = crew[t];
      w.fits = w.io.count == 0 || (g.fast.encode ? g.fast.encode(w.io) : walk_encode(walk, w.io));
    });
    for (const Worker& w : crew)
      if (!w.fits) return Status(Code::needs_exact, "the pipeline makes the chunk larger");
    collect(g, contexts, records, crew, std::move(out), values);
    return {};
  }

  Status give_room(const PlannedStage& s, const void* context, uint32_t block, Worker& w, size_t i) {
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      const uint64_t one_block = max_piece_bytes(s, context, k, std::min(block, w.io.count), block);
      const uint64_t room = std::min(max_piece_bytes(s, context, k, w.io.count, block), s.code().is_list ? useful_list_room(plan_.raw_bytes, one_block)
                                                                        : useful_room(plan_.raw_bytes, one_block));
      if (room == 0) continue;
      w.pieces[i][k] = Memory(room);
      if (!w.pieces[i][k].is_there()) return no_memory();
      w.io.stage[i].piece[k] = w.pieces[i][k].data();
      w.io.stage[i].piece_room[k] = room;
    }
    return {};
  }

  static int32_t array_port(const PlannedStage& s) {
    for (size_t p = 0; p < s.stage->outputs.size(); ++p)
      if (s.stage->outputs[p].kind == PortKind::array) return static_cast<int32_t>(p);
    return -1;
  }

  // Turns what the workers wrote into ports.
  void collect(const Group& g, const std::vector<Object>& contexts, std::vector<Memory>& records, std::vector<Worker>& crew,
               Memory out, uint32_t values) {
    for (size_t i = 0; i < g.stages.size(); ++i) {
      const PlannedStage& s = plan_.stages[g.stages[i]];
      for (uint32_t p = 0; p < s.stage->outputs.size(); ++p) {
        PortBytes& port = result_.ports[g.stages[i]][p];
        switch (s.stage->outputs[p].kind) {
          case PortKind::array: break;
          case PortKind::records: add(port, std::move(records[i])); break;
          case PortKind::piece0: add_pieces(port, crew, i, 0); break;
          case PortKind::piece1: add_pieces(port, crew, i, 1); break;
          case PortKind::stream: add_stream(port, s, contexts[i], records[i], crew, i, values); break;
        }
      }
    }
    const uint32_t last = g.stages.back();
    if (!out.is_there()) return;
    arrays_[last] = Array{out.data(), values};
    const int32_t p = array_port(plan_.stages[last]);
    add(result_.ports[last][static_cast<size_t>(p)], std::move(out));
  }

  static void add(PortBytes& port, Memory bytes) {
    port.parts.emplace_back(bytes.data(), bytes.bytes());
    port.owned.push_back(std::move(bytes));
  }

  static void add_pieces(PortBytes& port, std::vector<Worker>& crew, size_t i, uint32_t k) {
    for (Worker& w : crew) {
      // The groups to come need the room that this one did not.
      w.pieces[i][k].shrink(w.io.stage[i].piece_bytes[k]);
      add(port, std::move(w.pieces[i][k]));
    }
  }

  static void add_stream(PortBytes& port, const PlannedStage& s, const Object& context, Memory& records, std::vector<Worker>& crew,
                         size_t i, uint32_t values) {
    const StreamFrame& frame = s.stage->stream;
    if (frame.header_bytes) {
      Memory header(frame.header_bytes);
      if (header.is_there()) frame.write_header(header.data(), context.data(), s.in, values);
      add(port, std::move(header));
    }
    add(port, std::move(records));
    add_pieces(port, crew, i, 0);
    if (const uint64_t over = port.bytes() % frame.alignment; over != 0) {
      static constexpr uint8_t zeros[64] = {};
      port.parts.emplace_back(zeros, frame.alignment - over);
    }
  }

  const Plan& plan_;
  const void* const input_;
  const uint32_t threads_;
  EncodeResult result_;
  std::vector<Array> arrays_;        // per stage: its array output
  std::vector<Object> observed_;     // per stage
  std::vector<uint32_t> is_observed_;
};

}  // namespace

uint64_t PortBytes::bytes() const {
  uint64_t sum = 0;
  for (const ConstBytes part : parts) sum += part.size();
  return sum;
}

Result<EncodeResult> run_encode(const Plan& plan, const void* input, uint32_t threads) {
  return EncodeRun(plan, input, threads).run();
}

}  // namespace fzm
