#include "kernels/device/stage_job.h"

#include <algorithm>

namespace fzm {
namespace {

// What a codec needs for 4096 values fits shared memory, mostly; other sizes were not tried (docs/performance.md has what this one gives).
constexpr uint32_t kBlockValues = 4096;

// A multiple of the granularity, or the whole array where that is less.
uint32_t block_values_for(uint32_t granularity, uint32_t values) {
  const uint32_t block = granularity * std::max(1u, kBlockValues / granularity);
  return std::min(block, std::max(values, 1u));
}

BlockJob cut(uint32_t values, uint32_t granularity) {
  BlockJob job;
  job.values = values;
  job.block_values = block_values_for(granularity, values);
  job.blocks = values / job.block_values + (values % job.block_values != 0);
  return job;
}

}  // namespace

BlockJob StageJob::blocks() const { return cut(values, granularity); }
BlockJob StageJob::observed() const { return cut(inputs, granularity); }

BlockJob StageJob::sweep(uint32_t pass) const {
  BlockJob job = cut(inputs, granularity);
  job.blocks = planned->code().decode_blocks(pass, context.data());
  return job;
}

Status StageJob::fit(Queue& queue, DeviceWork work, BlockJob& job, DeviceBuffer& scratch) const {
  const DeviceShape shape = code->shape(work, job.block_values, context.data());
  FZM_TRY(queue.check(shape.error, "asking for the device's room"));
  if (shape.resident == 0)
    return Status(Code::no_device, "stage '" + planned->name + "': its blocks of " + std::to_string(job.block_values) +
                                       " values are more than the device can take");
  job.resident = std::clamp(job.blocks, 1u, shape.resident);
  if (shape.scratch_bytes == 0) return {};
  FZM_TRY(queue.allocate(shape.scratch_bytes * job.resident, scratch));
  job.scratch = scratch.data();
  job.scratch_bytes = shape.scratch_bytes;
  return {};
}

Status make_stage_job(Queue& queue, const PlannedStage& s, Object context, uint32_t inputs, StageJob& to) {
  const std::span<const DeviceCode> codes = queue.device().codes(s.stage->folder);
  if (s.variant >= codes.size())
    return Status(Code::no_device, "the device has no code of stage '" + s.name + "' (" + std::string(s.stage->name) + ")");
  to.planned = &s;
  to.code = &codes[s.variant];
  to.context = std::move(context);
  to.inputs = inputs;
  to.values = s.code().out_values ? s.code().out_values(to.context.data()) : inputs;
  to.granularity = std::max(s.code().granularity(to.context.data()), 1u);
  return {};
}

int32_t port_of_piece(const PlannedStage& s, uint32_t k) {
  for (size_t p = 0; p < s.stage->outputs.size(); ++p) {
    const PortKind kind = s.stage->outputs[p].kind;
    if ((k == 0 && (kind == PortKind::piece0 || kind == PortKind::stream)) || (k == 1 && kind == PortKind::piece1))
      return static_cast<int32_t>(p);
  }
  return -1;
}

}  // namespace fzm
