#include "core/plan/plan.h"

#include <algorithm>

#include "core/plan/groups.h"
#include "core/plan/sizes.h"
#include "core/plan/slots.h"

namespace fzm {
namespace {

// Padding and widening a format may ask for, so that a hostile frame cannot make the decoder allocate much more than the
// chunk it declares.
constexpr uint64_t kMaxGrowth = 8;
constexpr uint64_t kGrowthSlack = 65536;

// The chunk as the first stage sees it. Opaque items of 1, 2, 4 or 8 bytes are words, others a row of bytes.
struct External {
  DType type;
  uint32_t values;
  Extent extent;
};

Result<External> external_of(const ArrayInfo& array) {
  const Result<uint32_t> items = count_values(array.shape);
  if (!items.ok()) return items.status();
  const uint64_t bytes = uint64_t{*items} * array.bytes_per_item();
  if (bytes > UINT32_MAX)
    return Status(Code::too_large, "a chunk of " + to_string(array.shape) + " items of " + std::to_string(array.bytes_per_item()) +
                                       " bytes is " + std::to_string(bytes) + " bytes; the limit is 4 GiB - 1");
  if (array.type != DType::unknown) return External{array.type, *items, extent_of(array.shape, *items)};
  switch (array.item_bytes) {
    case 1: return External{DType::u8, *items, extent_of(array.shape, *items)};
    case 2: return External{DType::u16, *items, extent_of(array.shape, *items)};
    case 4: return External{DType::u32, *items, extent_of(array.shape, *items)};
    case 8: return External{DType::u64, *items, extent_of(array.shape, *items)};
    default: {
      const auto values = static_cast<uint32_t>(bytes);
      return External{DType::u8, values, Extent{values, 1, values, 1, 1}};
    }
  }
}

bool same_width_integer(DType a, DType b) { return dtype_bytes(a) == dtype_bytes(b) && is_integer(b); }

// The first variant for the type itself, else one for integers of its width (a bit pattern is a bit pattern).
Result<uint32_t> choose_variant(const Stage& stage, const std::string& name, const Object& params, DType type) {
  const auto codes = stage.codes();
  const auto find = [&](auto fits) -> int64_t {
    for (size_t i = 0; i < codes.size(); ++i)
      if (fits(codes[i].in) && (!codes[i].accepts || codes[i].accepts(params.data()))) return static_cast<int64_t>(i);
    return -1;
  };
  for (const auto& rule : {+[](DType want, DType in) { return want == in; },
                           +[](DType want, DType in) { return same_width_integer(want, in) && is_unsigned_integer(in); },
                           +[](DType want, DType in) { return same_width_integer(want, in); }}) {
    const int64_t i = find([&](DType in) { return rule(type, in); });
    if (i >= 0) return static_cast<uint32_t>(i);
  }
  std::string known;
  for (const BlockCode& c : codes) {
    const std::string word(dtype_name(c.in));
    if (known.find(word) == std::string::npos) known += (known.empty() ? "" : ", ") + word;
  }
  return Status(Code::unsupported_type, "stage '" + name + "' (" + std::string(stage.name) + ") does not take " +
                                            std::string(dtype_name(type)) + " with these parameters; it takes " + known);
}

struct Input {
  DType type;
  Extent extent;
  bool is_exact;
};

Result<Input> input_of(const Plan& plan, const External& external, const Edge& edge) {
  if (edge.from == kExternal) return Input{external.type, external.extent, true};
  const PlannedStage& source = plan.stages[static_cast<size_t>(edge.from)];
  const Port& port = source.stage->outputs[edge.port];
  const DType type = port_type(source, port);
  if (port.kind == PortKind::array) {
    const bool same = source.out_values == source.extent.values && !source.code().out_values;
    const Extent flat{source.out_values, 1, source.out_values, 1, 1};
    return Input{type, same ? source.extent : flat, source.is_exact};
  }
  const Object c = make_context(source, default_facts(*source.stage), source.extent.values);
  const uint32_t block = std::max(source.code().granularity(c.data()), 1u);
  const uint64_t most = max_port_bytes(source, port, c.data(), block) / dtype_bytes(type);
  if (most > UINT32_MAX)
    return Status(Code::too_large, "port '" + std::string(port.name) + "' of stage '" + source.name + "' may exceed 4 GiB");
  const auto values = static_cast<uint32_t>(most);
  return Input{type, Extent{values, 1, values, 1, 1}, false};
}

Status plan_stage(Plan& plan, const External& external, const StageSpec& asked) {
  PlannedStage s;
  s.stage = asked.stage;
  s.name = asked.name;
  s.params = asked.params;
  s.input = asked.inputs.empty() ? Edge{} : asked.inputs[0];
  if (asked.inputs.size() > 1)
    return Status(Code::bad_graph, "stage '" + s.name + "' (" + std::string(s.stage->name) + ") reads one port, not " +
                                       std::to_string(asked.inputs.size()));
  const Result<Input> input = input_of(plan, external, s.input);
  if (!input.ok()) return input.status();
  if (s.stage->resolve)
    FZM_TRY(s.stage->resolve(s.params.data(), StageInput{input->type, input->extent}).at("stage '" + s.name + "'"));
  const Result<uint32_t> variant = choose_variant(*s.stage, s.name, s.params, input->type);
  if (!variant.ok()) return variant.status();
  s.variant = *variant;
  s.in = s.code().in;
  s.out = s.code().out;
  s.extent = input->extent;
  s.is_exact = input->is_exact;
  s.out_values = s.extent.values;
  if (s.code().out_values) {
    const Object c = make_context(s, default_facts(*s.stage), s.extent.values);
    s.out_values = s.code().out_values(c.data());
  }
  if (uint64_t{s.out_values} * dtype_bytes(s.out) > kMaxGrowth * plan.raw_bytes + kGrowthSlack)
    return Status(Code::bad_graph, "stage '" + s.name + "' would blow " + std::to_string(plan.raw_bytes) + " bytes up to " +
                                       std::to_string(uint64_t{s.out_values} * dtype_bytes(s.out)));
  s.readers.assign(s.stage->outputs.size(), kSegment);
  plan.stages.push_back(std::move(s));
  return {};
}

}  // namespace

Object make_context(const PlannedStage& s, const Object& facts, uint32_t values) {
  Extent extent = s.extent;
  if (values != extent.values) extent = Extent{values, 1, values, 1, 1};
  Object context(s.stage->context_bytes, [](void*) {});
  s.stage->make_context(s.params.data(), facts.data(), extent, context.data());
  return context;
}

Result<std::shared_ptr<const Plan>> make_plan(const Spec& spec, const ArrayInfo& array) {
  FZM_TRY(check_spec(spec));
  const Result<External> external = external_of(array);
  if (!external.ok()) return external.status();
  auto plan = std::make_shared<Plan>();
  plan->array = array;
  plan->values = external->values;
  plan->raw_bytes = uint64_t{external->values} * dtype_bytes(external->type);
  for (const StageSpec& s : spec.stages) FZM_TRY(plan_stage(*plan, *external, s));

  for (size_t i = 0; i < plan->stages.size(); ++i) {
    const Edge& input = plan->stages[i].input;
    if (input.from != kExternal) plan->stages[static_cast<size_t>(input.from)].readers[input.port] = static_cast<int32_t>(i);
  }
  for (size_t i = 0; i < plan->stages.size(); ++i)
    for (uint32_t p = 0; p < plan->stages[i].readers.size(); ++p)
      if (plan->stages[i].readers[p] == kSegment) plan->segments.push_back(Edge{static_cast<int32_t>(i), p});
  plan->groups = make_groups(*plan);
  make_slots(*plan);
  return std::shared_ptr<const Plan>(std::move(plan));
}

}  // namespace fzm
