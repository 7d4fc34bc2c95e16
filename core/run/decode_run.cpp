#include "core/run/decode_run.h"

#include <algorithm>
#include <cstring>

#include "core/base/memory.h"
#include "core/run/frame_check.h"
#include "core/run/port_check.h"
#include "core/run/port_layout.h"
#include "core/run/walk.h"
#include "core/run/workers.h"

namespace fzm {
namespace {

Status no_memory() { return Status(Code::no_memory, "not enough memory to decode the chunk"); }

class DecodeRun {
 public:
  DecodeRun(const Plan& plan, const DecodeInput& input, void* out, uint32_t threads)
      : plan_(plan), input_(input), out_(out), threads_(threads), made_(plan.stages.size()), owned_(plan.stages.size()) {
    for (size_t i = 0; i < plan.stages.size(); ++i) made_[i].resize(plan.stages[i].readers.size());
    for (size_t i = 0; i < plan.segments.size(); ++i)
      made_[static_cast<size_t>(plan.segments[i].from)][plan.segments[i].port] = input.segments[i];
  }

  Status run() {
    for (size_t g = plan_.groups.size(); g-- > 0;) FZM_TRY(run_group(plan_.groups[g]));
    return {};
  }

 private:
  Status run_group(const Group& g) {
    const PlannedStage& head = plan_.stages[g.stages.front()];
    const Result<GroupContexts> group = check_group(plan_, g, input_);
    if (!group.ok()) return group.status();
    const std::vector<Object>& contexts = group->contexts;
    const uint32_t inputs = group->inputs, values = group->values;

    std::vector<StageContent> contents;
    for (size_t i = 0; i < g.stages.size(); ++i) {
      const uint32_t index = g.stages[i];
      const Result<StageContent> c = cut_ports(plan_.stages[index], contexts[i].data(), made_[index], values,
                                                     i == 0 ? inputs : values);
      if (!c.ok()) return c.status();
      contents.push_back(*c);
    }
    FZM_TRY(align_array(g, contents.back(), values));
    void* to = nullptr;
    FZM_TRY(place_output(head, inputs, to));
    uint32_t fault = 0;
    FZM_TRY(head.code().decode_passes ? sweep(head, contexts[0], contents[0], to, fault)
                                      : run_blocks(g, contexts, contents, values, to, fault));
    if (fault) return Status(Code::corrupt, "stage '" + head.name + "' and its group: " + faults_text(fault));
    for (const uint32_t i : g.stages) owned_[i].clear();
    return {};
  }

  // The array that the last stage of the group wrote, complete and aligned.
  Status align_array(const Group& g, StageContent& last, uint32_t values) {
    const PlannedStage& tail = plan_.stages[g.stages.back()];
    if (tail.array_port() < 0) return {};
    FZM_TRY(check_array(tail, last.array.size(), values));
    const uint64_t wanted = last.array.size();
    if (reinterpret_cast<uintptr_t>(last.array.data()) % dtype_bytes(tail.out) == 0) return {};
    Memory aligned(wanted);
    if (!aligned.is_there()) return no_memory();
    if (wanted) std::memcpy(aligned.data(), last.array.data(), wanted);
    last.array = ConstBytes(aligned.data(), wanted);
    owned_[g.stages.back()].push_back(std::move(aligned));
    return {};
  }

  // Where the group's array input is rebuilt: the caller's buffer, or a port of the stage before.
  Status place_output(const PlannedStage& head, uint32_t values, void*& to) {
    if (head.input.from == kExternal) {
      to = out_;
      return {};
    }
    const auto from = static_cast<size_t>(head.input.from);
    Memory array(uint64_t{values} * dtype_bytes(head.in));
    if (!array.is_there()) return no_memory();
    to = array.data();
    made_[from][head.input.port] = ConstBytes(array.data(), array.bytes());
    owned_[from].push_back(std::move(array));
    return {};
  }

  static GroupIo::Stage stage_io(const Object& context, const StageContent& content) {
    GroupIo::Stage s;
    s.context = context.data();
    s.records = const_cast<uint8_t*>(content.records.data());
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      s.piece[k] = const_cast<uint8_t*>(content.piece[k].data());
      s.piece_room[k] = content.piece[k].size();
    }
    return s;
  }

  Status run_blocks(const Group& g, const std::vector<Object>& contexts, const std::vector<StageContent>& contents,
                    uint32_t values, void* to, uint32_t& fault) {
    const WalkPlan walk(plan_, g);
    const PlannedStage& head = plan_.stages[g.stages.front()];
    const PlannedStage& tail = plan_.stages[g.stages.back()];
    const uint32_t workers = workers_for(values, threads_);
    const uint64_t share = (uint64_t{values} / workers / g.block_values + 1) * g.block_values;
    std::vector<GroupIo> crew(workers);
    std::vector<Memory> scratch;
    std::vector<std::array<uint64_t, kMaxPieces>> offset(g.stages.size());
    for (uint32_t t = 0; t < workers; ++t) {
      const auto begin = static_cast<uint32_t>(std::min<uint64_t>(values, t * share));
      const auto end = static_cast<uint32_t>(std::min<uint64_t>(values, begin + share));
      GroupIo& io = crew[t];
      io.first = begin;
      io.count = end - begin;
      const ConstBytes array = contents.back().array;
      io.in = array.empty() ? nullptr : array.data() + uint64_t{begin} * dtype_bytes(tail.out);
      io.out = head.code().is_wide ? to : static_cast<uint8_t*>(to) + uint64_t{begin} * dtype_bytes(head.in);
      scratch.emplace_back(std::max<uint64_t>(walk.scratch_bytes, g.fast.scratch_bytes));
      if (!scratch.back().is_there()) return no_memory();
      io.scratch = scratch.back().data();
      for (size_t i = 0; i < g.stages.size(); ++i) {
        const PlannedStage& s = plan_.stages[g.stages[i]];
        io.stage[i] = stage_io(contexts[i], contents[i]);
        if (s.code().record_bytes && begin) io.stage[i].records += s.code().record_bytes(begin, contexts[i].data());
        const auto taken = workers == 1 ? std::array<uint64_t, kMaxPieces>{contents[i].piece[0].size(), contents[i].piece[1].size()}
                                        : piece_extent(s, contexts[i].data(), contents[i], g.block_values, begin, end);
        for (uint32_t k = 0; k < kMaxPieces; ++k) {
          io.stage[i].piece[k] += offset[i][k];
          io.stage[i].piece_room[k] = taken[k];
          offset[i][k] += taken[k];
        }
      }
    }
    run_on_threads(workers, [&](uint32_t t) {
      if (crew[t].count == 0) return;
      if (g.fast.decode) g.fast.decode(crew[t]);
      else walk_decode(walk, crew[t]);
    });
    for (const GroupIo& io : crew) fault |= io.fault;
    return {};
  }

  // A stage that is undone in several sweeps over the whole array.
  Status sweep(const PlannedStage& s, const Object& context, const StageContent& content, void* to, uint32_t& fault) {
    const BlockCode& code = s.code();
    const uint32_t passes = code.decode_passes(context.data());
    for (uint32_t pass = 0; pass < passes; ++pass) {
      const uint32_t blocks = code.decode_blocks(pass, context.data());
      const uint32_t workers = std::min(workers_for(s.extent.values, threads_), std::max(blocks, 1u));
      std::vector<uint32_t> faults(workers, 0);
      run_on_threads(workers, [&](uint32_t t) {
        BlockIo b;
        b.count = s.extent.values;
        b.in = content.array.data();
        b.out = to;
        b.records = const_cast<uint8_t*>(content.records.data());
        for (uint32_t k = 0; k < kMaxPieces; ++k) {
          b.piece[k] = const_cast<uint8_t*>(content.piece[k].data());
          b.piece_bytes[k] = static_cast<uint32_t>(content.piece[k].size());
        }
        for (uint64_t i = uint64_t{blocks} * t / workers; i < uint64_t{blocks} * (t + 1) / workers; ++i)
          code.decode_pass(pass, static_cast<uint32_t>(i), b, context.data(), &faults[t]);
      });
      for (const uint32_t f : faults) fault |= f;
    }
    return {};
  }

  const Plan& plan_;
  const DecodeInput& input_;
  void* const out_;
  const uint32_t threads_;
  std::vector<std::vector<ConstBytes>> made_;  // [stage][port]: segments, and ports rebuilt by their readers
  std::vector<std::vector<Memory>> owned_;     // per stage: memory behind its rebuilt ports
};

}  // namespace

Status run_decode(const Plan& plan, const DecodeInput& input, void* out, uint32_t threads) {
  return DecodeRun(plan, input, out, threads).run();
}

}  // namespace fzm
