#include "kernels/device/decode_run.h"

#include <algorithm>

#include "core/run/frame_check.h"
#include "core/run/port_layout.h"
#include "kernels/device/ledger.h"
#include "kernels/device/stage_job.h"

namespace fzm {
namespace {

// A stage before it is decoded: where its content lies, and each block's share of it.
struct Prepared {
  StageJob job;
  PortLayout layout;
  DeviceBuffer at[kMaxPieces];
  std::vector<uint8_t> header, tail;  // of a stream, where only the device has its bytes
  bool is_ready = false;
};

class DeviceDecodeRun {
 public:
  DeviceDecodeRun(Queue& queue, const Plan& plan, const DecodeInput& frame, std::vector<DeviceSegment> segments, void* out)
      : queue_(queue), plan_(plan), frame_(frame), out_(out), made_(plan.stages.size()), stages_(plan.stages.size()) {
    for (size_t i = 0; i < plan.stages.size(); ++i) made_[i].resize(plan.stages[i].readers.size());
    for (size_t i = 0; i < plan.segments.size(); ++i)
      made_[static_cast<size_t>(plan.segments[i].from)][plan.segments[i].port] = std::move(segments[i]);
  }
  ~DeviceDecodeRun() { queue_.drain(); }
  DeviceDecodeRun(const DeviceDecodeRun&) = delete;
  DeviceDecodeRun& operator=(const DeviceDecodeRun&) = delete;

  // Queues everything but the last look at the fault words.
  Status start() {
    FZM_TRY(ledger_.make(queue_, plan_.stages.size()));
    for (size_t g = plan_.groups.size(); g-- > 0;) FZM_TRY(check(plan_.groups[g]));
    for (size_t g = plan_.groups.size(); g-- > 0;)
      for (size_t k = plan_.groups[g].stages.size(); k-- > 0;) FZM_TRY(run_stage(plan_.groups[g].stages[k]));
    return ledger_.fetch(queue_);
  }
  Status finish() {
    FZM_TRY(queue_.wait());
    return check_faults();
  }

 private:
  Status check(const Group& g) {
    Result<GroupContexts> group = check_group(plan_, g, frame_);
    if (!group.ok()) return group.status();
    GroupContexts& c = group.value();
    for (size_t k = 0; k < g.stages.size(); ++k) {
      const uint32_t i = g.stages[k];
      FZM_TRY(make_stage_job(queue_, plan_.stages[i], std::move(c.contexts[k]), k == 0 ? c.inputs : c.values, stages_[i].job));
    }
    return {};
  }

  // A fault makes what comes after it meaningless: the stage that was decoded first is the one to name.
  Status check_faults() const {
    for (size_t g = plan_.groups.size(); g-- > 0;)
      for (size_t k = plan_.groups[g].stages.size(); k-- > 0;)
        if (const uint32_t i = plan_.groups[g].stages[k]; ledger_.fault_seen(i) != 0)
          return corrupt_stage(plan_.stages[i], faults_text(ledger_.fault_seen(i)));
    return {};
  }

  Status run_stage(uint32_t i) {
    if (!stages_[i].is_ready) FZM_TRY(prepare());
    if (!stages_[i].is_ready) return Status(Code::internal, "stage '" + plan_.stages[i].name + "': read before it was rebuilt");
    FZM_TRY(decode(i));
    made_[i].clear();
    stages_[i] = {};
    return {};
  }

  // All stages whose content is there, with one wait. Those of segments are, so that most frames need no second one.
  Status prepare() {
    std::vector<uint32_t> stages;
    for (size_t g = plan_.groups.size(); g-- > 0;)
      for (size_t k = plan_.groups[g].stages.size(); k-- > 0;)
        if (const uint32_t i = plan_.groups[g].stages[k]; !stages_[i].is_ready && has_content(i)) stages.push_back(i);
    for (const uint32_t i : stages) FZM_TRY(look_into(i));
    FZM_TRY(ledger_.fetch(queue_));
    FZM_TRY(queue_.wait());
    FZM_TRY(check_faults());
    for (const uint32_t i : stages) FZM_TRY(settle(i));
    return {};
  }

  // Everything but the array, which is not needed to cut the rest.
  bool has_content(uint32_t i) const {
    const PlannedStage& s = plan_.stages[i];
    if (made_[i].empty()) return false;  // it was decoded
    for (size_t p = 0; p < s.readers.size(); ++p)
      if (s.stage->outputs[p].kind != PortKind::array && s.readers[p] != kSegment && !made_[i][p].data) return false;
    return true;
  }

  const uint8_t* part(uint32_t i, const PortPart& part) const {
    return part.port < 0 ? nullptr : made_[i][static_cast<size_t>(part.port)].data + part.begin;
  }

  // The stage's blocks with its records and pieces; positions come later.
  BlockJob job_of(uint32_t i) const {
    const Prepared& s = stages_[i];
    BlockJob job = s.job.blocks();
    job.records = const_cast<uint8_t*>(part(i, s.layout.records));
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      job.piece[k] = const_cast<uint8_t*>(part(i, s.layout.piece[k]));
      job.section_bytes[k] = s.layout.piece[k].bytes;
      job.at[k] = s.at[k].as<uint64_t>();
    }
    job.fault = ledger_.fault(i);
    return job;
  }

  // Checks what lengths tell and asks the device for the rest.
  Status look_into(uint32_t i) {
    Prepared& stage = stages_[i];
    const PlannedStage& s = plan_.stages[i];
    std::vector<uint64_t> bytes;
    for (const DeviceSegment& port : made_[i]) bytes.push_back(port.bytes);
    Result<PortLayout> layout = lay_out_ports(s, stage.job.context.data(), bytes, stage.job.values);
    if (!layout.ok()) return layout.status();
    stage.layout = *layout;
    if (stage.layout.stream >= 0) FZM_TRY(fetch_ends(made_[i][static_cast<size_t>(stage.layout.stream)], s.stage->stream, stage));
    const DeviceCode& code = *stage.job.code;
    if (!code.find_lists && !code.measure) return {};
    BlockJob job = job_of(i);
    const uint64_t entries = uint64_t{job.blocks} + 1;
    const uint32_t pieces = s.pieces();
    for (uint32_t k = 0; k < pieces; ++k) FZM_TRY(queue_.allocate(entries * sizeof(uint64_t), stage.at[k]));
    if (code.find_lists) {
      for (uint32_t k = 0; k < pieces; ++k) job.at[k] = stage.at[k].as<uint64_t>();
      return queue_.check(code.find_lists(job, queue_.stream()), "finding a list's blocks");
    }
    DeviceBuffer size[kMaxPieces];
    for (uint32_t k = 0; k < pieces; ++k) {
      FZM_TRY(queue_.allocate(entries * sizeof(uint32_t), size[k]));
      job.size[k] = size[k].as<uint32_t>();
    }
    FZM_TRY(queue_.check(code.measure(job, stage.job.context.data(), queue_.stream()), "measuring pieces"));
    for (uint32_t k = 0; k < pieces; ++k) {
      FZM_TRY(queue_.scan_sizes(job.size[k], job.blocks + 1, stage.at[k].as<uint64_t>()));
      FZM_TRY(queue_.copy(ledger_.bytes(i, k), stage.at[k].as<uint64_t>() + job.blocks, sizeof(uint64_t)));
    }
    return {};
  }

  // A stream's header, and the last bytes, of which some may be padding.
  Status fetch_ends(const DeviceSegment& stream, const StreamFrame& frame, Prepared& to) {
    const uint64_t tail = std::min<uint64_t>(frame.alignment - 1, to.layout.piece[0].bytes);
    if (!stream.on_host.empty()) {
      to.header.assign(stream.on_host.begin(), stream.on_host.begin() + frame.header_bytes);
      to.tail.assign(stream.on_host.end() - static_cast<std::ptrdiff_t>(tail), stream.on_host.end());
      return {};
    }
    to.header.resize(frame.header_bytes);
    to.tail.resize(tail);
    FZM_TRY(queue_.to_host(to.header.data(), stream.data, frame.header_bytes));
    return queue_.to_host(to.tail.data(), stream.data + stream.bytes - tail, tail);
  }

  // Checks what the device found.
  Status settle(uint32_t i) {
    Prepared& stage = stages_[i];
    const PlannedStage& s = plan_.stages[i];
    stage.is_ready = true;
    if (stage.layout.stream >= 0) FZM_TRY(check_stream_header(s, stage.job.context.data(), stage.header.data(), stage.job.inputs));
    if (s.code().is_list) return {};
    const uint64_t there = stage.layout.piece[0].bytes;
    FZM_TRY(settle_pieces(s, {ledger_.bytes_seen(i, 0), ledger_.bytes_seen(i, 1)}, stage.layout));
    const uint64_t padding = there - stage.layout.piece[0].bytes;  // settled: less than the alignment
    return check_padding(s, ConstBytes(stage.tail).last(padding));
  }

  Status decode(uint32_t i) {
    const Prepared& stage = stages_[i];
    const PlannedStage& s = plan_.stages[i];
    BlockJob job = job_of(i);
    if (const int32_t p = s.array_port(); p >= 0) {
      const DeviceSegment& array = made_[i][static_cast<size_t>(p)];
      FZM_TRY(check_array(s, array.bytes, stage.job.values));
      job.in = array.data;
    }
    FZM_TRY(place_output(s, stage.job.inputs, job.out));
    return s.code().decode_passes ? sweep(stage.job, job) : decode_blocks(stage.job, job);
  }

  Status decode_blocks(const StageJob& stage, BlockJob& job) {
    DeviceBuffer scratch;
    FZM_TRY(stage.fit(queue_, DeviceWork::decode, job, scratch));
    return queue_.check(stage.code->decode(job, stage.context.data(), queue_.stream()), "decoding");
  }

  // A stage that is undone in several sweeps over the whole array.
  Status sweep(const StageJob& stage, const BlockJob& content) {
    const uint32_t passes = stage.planned->code().decode_passes(stage.context.data());
    for (uint32_t pass = 0; pass < passes; ++pass) {
      BlockJob job = content;
      const BlockJob cut = stage.sweep(pass);
      job.values = cut.values;
      job.block_values = cut.block_values;
      job.blocks = cut.blocks;
      DeviceBuffer scratch;
      FZM_TRY(stage.fit(queue_, DeviceWork::decode_pass, job, scratch));
      FZM_TRY(queue_.check(stage.code->decode_pass(pass, job, stage.context.data(), queue_.stream()), "decoding in sweeps"));
    }
    return {};
  }

  // Where the stage's array input is rebuilt: the caller's buffer, or a port of the stage before.
  Status place_output(const PlannedStage& s, uint32_t values, void*& to) {
    if (s.input.from == kExternal) {
      to = out_;
      return {};
    }
    DeviceSegment& port = made_[static_cast<size_t>(s.input.from)][s.input.port];
    port.bytes = uint64_t{values} * dtype_bytes(s.in);
    FZM_TRY(queue_.allocate(port.bytes, port.owner));
    port.data = port.owner->data();
    to = port.owner->data();
    return {};
  }

  Queue& queue_;
  const Plan& plan_;
  const DecodeInput& frame_;
  void* const out_;
  std::vector<std::vector<DeviceSegment>> made_;  // [stage][port]: segments, and ports rebuilt by their readers
  std::vector<Prepared> stages_;
  Ledger ledger_;
};

Status upload(Queue& queue, const std::vector<ConstBytes>& from, std::vector<DeviceSegment>& to) {
  for (const ConstBytes segment : from) {
    DeviceSegment& s = to.emplace_back();
    s.bytes = segment.size();
    s.on_host = segment;
    FZM_TRY(queue.allocate(s.bytes, s.owner));
    s.data = s.owner->data();
    FZM_TRY(queue.to_device(s.owner->data(), segment.data(), s.bytes));
  }
  return {};
}

}  // namespace

Status decode_on_device(Queue& queue, const Plan& plan, const DecodeInput& frame, std::vector<DeviceSegment> segments, void* out) {
  DeviceDecodeRun run(queue, plan, frame, std::move(segments), out);
  FZM_TRY(run.start());
  return run.finish();
}

Status decode_on_device(Device& device, const Plan& plan, const DecodeInput& frame, void* out) {
  Queue queue(device);
  std::vector<DeviceSegment> segments;
  FZM_TRY(upload(queue, frame.segments, segments));
  DeviceBuffer values;
  FZM_TRY(queue.allocate(plan.raw_bytes, values));
  DeviceDecodeRun run(queue, plan, frame, std::move(segments), values.data());
  FZM_TRY(run.start());
  FZM_TRY(queue.to_host(out, values.data(), plan.raw_bytes));
  return run.finish();
}

}  // namespace fzm
