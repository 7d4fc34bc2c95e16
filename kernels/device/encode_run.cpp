#include "kernels/device/encode_run.h"

#include "core/plan/sizes.h"
#include "core/run/findings.h"
#include "core/run/useful_bytes.h"
#include "kernels/device/block_slots.h"
#include "kernels/device/ledger.h"
#include "kernels/device/stage_job.h"

namespace fzm {
namespace {

uint64_t rounded(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

class DeviceEncodeRun {
 public:
  DeviceEncodeRun(Queue& queue, const Plan& plan, DeviceArray chunk)
      : queue_(queue), plan_(plan), findings_(plan), chunk_(std::move(chunk)), arrays_(plan.stages.size()) {
    result_.input_values.assign(plan.stages.size(), 0);
    result_.ports.resize(plan.stages.size());
    for (size_t i = 0; i < plan.stages.size(); ++i) result_.ports[i].resize(plan.stages[i].readers.size());
    for (uint32_t i = 0; i < plan.stages.size(); ++i)
      if (plan.stages[i].input.from == kExternal) last_reader_of_chunk_ = i;
  }
  ~DeviceEncodeRun() { queue_.drain(); }
  DeviceEncodeRun(const DeviceEncodeRun&) = delete;
  DeviceEncodeRun& operator=(const DeviceEncodeRun&) = delete;

  Result<DeviceEncoded> run() {
    FZM_TRY(ledger_.make(queue_, plan_.stages.size()));
    for (const Group& g : plan_.groups)
      for (const uint32_t stage : g.stages) FZM_TRY(run_stage(stage, stage == g.stages.front()));
    FZM_TRY(settle());
    result_.facts = std::move(findings_.facts);
    result_.is_identity = std::move(findings_.is_identity);
    return std::move(result_);
  }

 private:
  Status run_stage(uint32_t i, bool is_head) {
    DeviceArray input;
    FZM_TRY(input_of(i, input));
    result_.input_values[i] = input.values;
    if (is_head) {
      if (const auto watchers = findings_.watchers(i); !watchers.empty()) FZM_TRY(observe(watchers, input));
      FZM_TRY(findings_.conclude(i));
    }
    if (!findings_.is_identity[i]) return encode(i, std::move(input));
    arrays_[i] = std::move(input);
    release_input(i);
    return {};
  }

  // What a stage reads: the chunk, an array that another wrote, or the bytes of another port.
  Status input_of(uint32_t i, DeviceArray& input) {
    const PlannedStage& s = plan_.stages[i];
    if (s.input.from == kExternal) {
      input = chunk_;
      return {};
    }
    const auto from = static_cast<size_t>(s.input.from);
    if (plan_.stages[from].stage->outputs[s.input.port].kind == PortKind::array) {
      input = arrays_[from];
      return {};
    }
    FZM_TRY(settle());  // the port's length
    const DeviceSection& made = result_.ports[from][s.input.port];
    input = {made.memory, made.memory ? made.memory->data() : nullptr, static_cast<uint32_t>(made.bytes / dtype_bytes(s.in))};
    return {};
  }

  // The one reader of a port has queued its work.
  void release_input(uint32_t i) {
    const Edge& input = plan_.stages[i].input;
    if (input.from == kExternal) {
      if (i == last_reader_of_chunk_) chunk_.owner.reset();
      return;
    }
    arrays_[static_cast<size_t>(input.from)] = {};
    result_.ports[static_cast<size_t>(input.from)][input.port] = {};
  }

  // Shows the array to all watchers and waits once.
  Status observe(const std::vector<uint32_t>& watchers, const DeviceArray& array) {
    std::vector<DeviceBuffer> partials(watchers.size());
    seen_.clear();
    for (const uint32_t w : watchers) {
      const BlockCode& code = plan_.stages[w].code();
      seen_.emplace_back(code.partial_bytes, code.start_partial);
    }
    for (size_t w = 0; w < watchers.size(); ++w) {
      const PlannedStage& s = plan_.stages[watchers[w]];
      StageJob stage;
      FZM_TRY(make_stage_job(queue_, s, make_context(s, findings_.facts[watchers[w]], array.values), array.values, stage));
      BlockJob job = stage.observed();
      job.in = array.data;
      job.fault = ledger_.fault(watchers[w]);
      DeviceBuffer scratch;
      FZM_TRY(stage.fit(queue_, DeviceWork::observe, job, scratch));
      FZM_TRY(queue_.allocate(uint64_t{job.resident} * s.code().partial_bytes, partials[w]));
      FZM_TRY(queue_.check(stage.code->observe(job, stage.context.data(), partials[w].data(), queue_.stream()), "observing"));
      FZM_TRY(queue_.to_host(seen_[w].data(), partials[w].data(), s.code().partial_bytes));
    }
    FZM_TRY(queue_.wait());
    for (size_t w = 0; w < watchers.size(); ++w) findings_.note(watchers[w], std::move(seen_[w]));
    return {};
  }

  Status encode(uint32_t i, DeviceArray input) {
    const PlannedStage& s = plan_.stages[i];
    StageJob stage;
    FZM_TRY(make_stage_job(queue_, s, make_context(s, findings_.facts[i], input.values), input.values, stage));
    BlockJob job = stage.blocks();
    job.in = input.data;
    job.fault = ledger_.fault(i);
    if (s.code().max_piece_bytes) FZM_TRY(make_room());
    FZM_TRY(place_array(i, stage, job));
    std::vector<BlockSlots> slots;
    FZM_TRY(BlockSlots::place(queue_, stage, useful_bytes(plan_, s), job, slots));
    DeviceBuffer records, scratch;
    FZM_TRY(place_records(i, stage, job, records));
    FZM_TRY(stage.fit(queue_, DeviceWork::encode, job, scratch));
    FZM_TRY(queue_.check(stage.code->encode(job, stage.context.data(), queue_.stream()), "encoding"));
    scratch = {};
    input = {};
    release_input(i);  // so that the sections may take its place
    FZM_TRY(place_stream(i, stage, records, slots));
    for (BlockSlots& piece : slots) FZM_TRY(gather(i, job, std::move(piece)));
    return {};
  }

  Status place_array(uint32_t i, const StageJob& stage, BlockJob& job) {
    const PlannedStage& s = *stage.planned;
    const int32_t p = s.array_port();
    if (p < 0) return {};
    DeviceSection& port = result_.ports[i][static_cast<size_t>(p)];
    port.bytes = uint64_t{stage.values} * dtype_bytes(s.out);
    FZM_TRY(queue_.allocate(port.bytes, port.memory));
    job.out = port.memory->data();
    arrays_[i] = {port.memory, job.out, stage.values};
    return {};
  }

  // Records go to their port; a stream is made later, and takes them from `loose`.
  Status place_records(uint32_t i, const StageJob& stage, BlockJob& job, DeviceBuffer& loose) {
    const PlannedStage& s = *stage.planned;
    const uint64_t records = records_bytes(s, stage.context.data(), stage.values);
    for (size_t p = 0; p < s.stage->outputs.size(); ++p) {
      if (s.stage->outputs[p].kind != PortKind::records) continue;
      DeviceSection& port = result_.ports[i][p];
      port.bytes = records;
      FZM_TRY(queue_.allocate(records, port.memory));
      job.records = port.memory->data();
      return {};
    }
    if (records == 0) return {};
    FZM_TRY(queue_.allocate(records, loose));
    job.records = loose.data();
    return {};
  }

  // Header and records, with room behind them for the pieces, if the stage has such a port.
  Status place_stream(uint32_t i, const StageJob& stage, const DeviceBuffer& records,
                      const std::vector<BlockSlots>& slots) {
    const PlannedStage& s = *stage.planned;
    const StreamFrame& frame = s.stage->stream;
    const int32_t p = port_of_piece(s, 0);
    if (p < 0 || s.stage->outputs[static_cast<size_t>(p)].kind != PortKind::stream) return {};
    DeviceSection& port = result_.ports[i][static_cast<size_t>(p)];
    port.bytes = frame.header_bytes + records.bytes();
    FZM_TRY(queue_.allocate(port.bytes + (slots.empty() ? 0 : slots[0].room) + frame.alignment, port.memory));
    FZM_TRY(queue_.copy(port.memory->data() + frame.header_bytes, records.data(), records.bytes()));
    if (slots.empty()) FZM_TRY(pad(frame, port));
    if (frame.header_bytes == 0) return {};
    std::vector<uint8_t> header(frame.header_bytes);
    frame.write_header(header.data(), stage.context.data(), s.in, stage.values);
    return queue_.to_device(port.memory->data(), std::move(header));
  }

  // From slots to the port, behind what a stream has already.
  Status gather(uint32_t i, const BlockJob& job, BlockSlots piece) {
    const auto p = static_cast<uint32_t>(port_of_piece(plan_.stages[i], piece.piece));
    DeviceSection& port = result_.ports[i][p];
    if (!port.memory) FZM_TRY(queue_.allocate(piece.room, port.memory));
    unsettled_.push_back({i, piece.piece, p});
    return piece.gather(queue_, job, port.memory->data() + port.bytes, ledger_.bytes(i, piece.piece));
  }

  // Brings the lengths of all ports so far to the host.
  Status settle() {
    if (unsettled_.empty()) return {};
    FZM_TRY(ledger_.fetch(queue_));
    FZM_TRY(queue_.wait());
    for (const Unsettled& u : unsettled_) {
      const PlannedStage& s = plan_.stages[u.stage];
      const uint64_t bytes = ledger_.bytes_seen(u.stage, u.piece);
      if (bytes > useful_bytes(plan_, s)) return too_many_bytes();
      DeviceSection& port = section(u);
      port.bytes += bytes;
      if (s.stage->outputs[u.port].kind == PortKind::stream) FZM_TRY(pad(s.stage->stream, port));
    }
    unsettled_.clear();
    return {};
  }

  Status pad(const StreamFrame& frame, DeviceSection& port) {
    const uint64_t padded = rounded(port.bytes, frame.alignment);
    FZM_TRY(queue_.clear(port.memory->data() + port.bytes, padded - port.bytes));
    port.bytes = padded;
    return {};
  }

  // Sections have room for what they might become. Where that is much, it is worth a wait to cut them to their lengths before a
  // stage asks for slots of its own. Of the presets, only a Mask that takes something out makes such a section.
  Status make_room() {
    std::vector<Unsettled> large;
    for (const Unsettled& u : unsettled_)
      if (section(u).memory->bytes() > plan_.raw_bytes / 2) large.push_back(u);
    if (large.empty()) return {};
    FZM_TRY(settle());
    for (const Unsettled& u : large) FZM_TRY(trim(section(u)));
    return {};
  }

  Status trim(DeviceSection& section) {
    if (section.bytes > section.memory->bytes() / 2) return {};
    std::shared_ptr<DeviceBuffer> exact;
    FZM_TRY(queue_.allocate(section.bytes, exact));
    FZM_TRY(queue_.copy(exact->data(), section.memory->data(), section.bytes));
    section.memory = std::move(exact);
    return {};
  }

  // A port whose length the ledger will tell.
  struct Unsettled {
    uint32_t stage, piece, port;
  };
  DeviceSection& section(const Unsettled& u) { return result_.ports[u.stage][u.port]; }

  Queue& queue_;
  const Plan& plan_;
  Findings findings_;
  DeviceArray chunk_;
  uint32_t last_reader_of_chunk_ = 0;
  std::vector<DeviceArray> arrays_;  // per stage: its array output
  std::vector<Object> seen_;         // partials on their way to the host
  Ledger ledger_;
  std::vector<Unsettled> unsettled_;
  DeviceEncoded result_;
};

// The stored ports as the host has them.
Result<EncodeResult> download(Queue& queue, const Plan& plan, DeviceEncoded made) {
  EncodeResult result;
  const DrainAtEnd guard(queue);
  result.ports.resize(made.ports.size());
  for (size_t i = 0; i < made.ports.size(); ++i) result.ports[i].resize(made.ports[i].size());
  for (const Edge& port : plan.segments) {
    const auto stage = static_cast<size_t>(port.from);
    const DeviceSection& section = made.ports[stage][port.port];
    if (made.is_identity[stage] || section.bytes == 0) continue;
    PortBytes& bytes = result.ports[stage][port.port];
    bytes.owned.emplace_back(section.bytes);
    const Memory& memory = bytes.owned.back();
    bytes.parts = {ConstBytes(memory.data(), section.bytes)};
    if (!memory.is_there()) return Status(Code::no_memory, "not enough memory to encode the chunk");
    FZM_TRY(queue.to_host(memory.data(), section.memory->data(), section.bytes));
  }
  FZM_TRY(queue.wait());
  result.facts = std::move(made.facts);
  result.is_identity = std::move(made.is_identity);
  result.input_values = std::move(made.input_values);
  return result;
}

}  // namespace

Result<DeviceEncoded> encode_on_device(Queue& queue, const Plan& plan, DeviceArray chunk) {
  return DeviceEncodeRun(queue, plan, std::move(chunk)).run();
}

Result<EncodeResult> encode_on_device(Device& device, const Plan& plan, const void* input) {
  Queue queue(device);
  DeviceArray chunk{nullptr, nullptr, plan.values};
  FZM_TRY(queue.allocate(plan.raw_bytes, chunk.owner));
  chunk.data = chunk.owner->data();
  FZM_TRY(queue.to_device(chunk.owner->data(), input, plan.raw_bytes));
  Result<DeviceEncoded> made = encode_on_device(queue, plan, std::move(chunk));
  if (!made.ok()) return made.status();
  return download(queue, plan, std::move(made).value());
}

}  // namespace fzm
