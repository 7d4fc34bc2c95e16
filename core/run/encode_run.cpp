#include "core/run/encode_run.h"

#include <algorithm>
#include <cstring>

#include "core/plan/sizes.h"
#include "core/plan/useful_bytes.h"
#include "core/run/findings.h"
#include "core/run/walk.h"
#include "core/run/workers.h"

namespace fzm {
namespace {

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
  EncodeRun(const Plan& plan, const void* input, uint32_t threads) : plan_(plan), input_(input), threads_(threads), findings_(plan) {
    const size_t n = plan.stages.size();
    result_.input_values.assign(n, 0);
    result_.ports.resize(n);
    arrays_.resize(n);
    for (size_t i = 0; i < n; ++i) result_.ports[i].resize(plan.stages[i].readers.size());
  }

  Result<EncodeResult> run() {
    for (const Group& g : plan_.groups) FZM_TRY(run_group(g));
    result_.facts = std::move(findings_.facts);
    result_.is_identity = std::move(findings_.is_identity);
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

  // Shows the array to the watchers' observe, in parallel; all of them see a part before the next one is read.
  void observe(const std::vector<uint32_t>& watchers, const Array& array) {
    const uint32_t workers = workers_for(array.values, threads_);
    const uint64_t share = (uint64_t{array.values} / workers / kObserveValues + 1) * kObserveValues;
    std::vector<std::vector<Object>> partial(workers);
    std::vector<Object> contexts;
    for (const uint32_t w : watchers) {
      const PlannedStage& s = plan_.stages[w];
      contexts.push_back(make_context(s, findings_.facts[w], array.values));
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
      findings_.note(watchers[w], std::move(partial[0][w]));
    }
  }

  Status run_group(const Group& g) {
    const uint32_t first = g.stages[0];
    const Result<Array> input = input_of(first);
    if (!input.ok()) return input.status();
    result_.input_values[first] = input->values;
    if (const auto watchers = findings_.watchers(first); !watchers.empty()) observe(watchers, *input);
    FZM_TRY(findings_.conclude(first));
    const PlannedStage& head = plan_.stages[first];
    if (findings_.is_identity[first]) {
      arrays_[first] = *input;
      return {};
    }
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

  struct Worker {
    GroupIo io;
    std::vector<std::array<Memory, kMaxPieces>> pieces;
    Memory scratch;
    bool fits = true;
  };

  Status run_blocks(const Group& g, const Array& input) {
    const WalkPlan walk(plan_, g);
    const GroupContexts group(plan_, g, findings_.facts, input.values);
    const std::vector<Object>& contexts = group.contexts;
    const PlannedStage& head = plan_.stages[g.stages.front()];
    const uint32_t values = group.values;
    for (size_t i = 1; i < g.stages.size(); ++i) result_.input_values[g.stages[i]] = values;

    const PlannedStage& tail = plan_.stages[g.stages.back()];
    Memory out;
    if (tail.array_port() >= 0) {
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
      if (!w.fits) return too_many_bytes();
    if (!is_useful(g, crew)) return too_many_bytes();
    collect(g, contexts, records, crew, std::move(out), values);
    return {};
  }

  // Whether the workers' pieces are within useful_bytes together, too.
  bool is_useful(const Group& g, const std::vector<Worker>& crew) const {
    for (size_t i = 0; i < g.stages.size(); ++i)
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        uint64_t bytes = 0;
        for (const Worker& w : crew) bytes += w.io.stage[i].piece_bytes[k];
        if (bytes > useful_bytes(plan_, plan_.stages[g.stages[i]])) return false;
      }
    return true;
  }

  // One block more than is useful, since room is asked for by the worst case of the next block.
  Status give_room(const PlannedStage& s, const void* context, uint32_t block, Worker& w, size_t i) {
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      const uint64_t one_block = max_piece_bytes(s, context, k, std::min(block, w.io.count), block);
      const uint64_t room =
          std::min(max_piece_bytes(s, context, k, w.io.count, block), useful_bytes(plan_, s) + one_block);
      if (room == 0) continue;
      w.pieces[i][k] = Memory(room);
      if (!w.pieces[i][k].is_there()) return no_memory();
      w.io.stage[i].piece[k] = w.pieces[i][k].data();
      w.io.stage[i].piece_room[k] = room;
    }
    return {};
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
    const int32_t p = plan_.stages[last].array_port();
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
  Findings findings_;
  EncodeResult result_;
  std::vector<Array> arrays_;        // per stage: its array output
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
