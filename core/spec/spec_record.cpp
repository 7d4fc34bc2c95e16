#include "core/spec/spec_record.h"

#include <algorithm>

namespace fzm {
namespace {

constexpr size_t kMaxStages = 255;

bool is_chain(const Spec& spec) {
  for (size_t i = 0; i < spec.stages.size(); ++i) {
    const auto& inputs = spec.stages[i].inputs;
    if (inputs.size() != 1 || inputs[0] != Edge{static_cast<int32_t>(i) - 1, 0}) return false;
  }
  return true;
}

void write_edges(ByteWriter& out, const std::vector<Edge>& inputs) {
  out.varint(inputs.size());
  for (const Edge& e : inputs) {
    out.varint(static_cast<uint64_t>(e.from + 1));
    out.varint(e.port);
  }
}

// The range of the numbers is left to check_spec.
Result<std::vector<Edge>> read_edges(ByteReader& in) {
  const uint64_t count = in.varint();
  if (count > in.left())
    return Status(Code::truncated,
                  "a stage with " + std::to_string(count) + " inputs does not fit the record");
  std::vector<Edge> inputs(static_cast<size_t>(count));
  for (Edge& e : inputs) {
    e.from = static_cast<int32_t>(std::min<uint64_t>(in.varint(), INT32_MAX)) - 1;
    e.port = static_cast<uint32_t>(std::min<uint64_t>(in.varint(), UINT32_MAX));
  }
  return inputs;
}

// Names are not in the record: "Quantizer" becomes "quantizer", a second one "quantizer_2".
std::string name_for(const Stage& stage, const std::vector<StageSpec>& before) {
  const auto same = std::count_if(before.begin(), before.end(),
                                  [&](const StageSpec& s) { return s.stage == &stage; });
  std::string name(stage.folder);
  return same == 0 ? name : name + "_" + std::to_string(same + 1);
}

Result<StageSpec> read_stage(ByteReader& in) {
  const uint64_t id = in.varint();
  if (in.failed()) return Status(Code::truncated, "the record ends before its last stage");
  const Stage* stage = id > UINT16_MAX ? nullptr : find_stage(static_cast<uint16_t>(id));
  if (stage == nullptr)
    return Status(Code::newer_frame,
                  "there is no stage " + std::to_string(id) + " in this version");
  StageSpec s{stage, {}, default_params(*stage), {}};
  const Object defaults = default_params(*stage);
  FZM_TRY(read_rows(in, stage->params, s.params.data(), defaults.data())
              .at("stage " + std::string(stage->name)));
  return s;
}

}  // namespace

void write_spec(ByteWriter& out, const Spec& spec) {
  const bool chain = is_chain(spec);
  out.varint(spec.stages.size() * 2 + (chain ? 0 : 1));
  for (const StageSpec& s : spec.stages) {
    out.varint(s.stage->id);
    const Object defaults = default_params(*s.stage);
    write_rows(out, s.stage->params, s.params.data(), defaults.data());
    if (!chain) write_edges(out, s.inputs);
  }
}

Result<Spec> read_spec(ByteReader& in) {
  const uint64_t head = in.varint();
  const bool chain = head % 2 == 0;
  const uint64_t count = head / 2;
  if (count > kMaxStages)
    return Status(Code::corrupt,
                  "a pipeline of " + std::to_string(count) + " stages, at most 255 are allowed");
  Spec spec;
  for (uint64_t i = 0; i < count; ++i) {
    Result<StageSpec> s = read_stage(in);
    if (!s.ok()) return s.status();
    s.value().name = name_for(*s->stage, spec.stages);
    if (chain) {
      s.value().inputs = {Edge{static_cast<int32_t>(i) - 1, 0}};
    } else {
      Result<std::vector<Edge>> inputs = read_edges(in);
      if (!inputs.ok()) return inputs.status();
      s.value().inputs = std::move(inputs).value();
    }
    spec.stages.push_back(std::move(s).value());
  }
  if (in.failed()) return Status(Code::truncated, "the record of the pipeline ends early");
  FZM_TRY(check_spec(spec));
  return spec;
}

}  // namespace fzm
