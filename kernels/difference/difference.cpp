#include "kernels/difference/difference.h"

#include "core/stage/stage.h"
#include "kernels/host/integer_type.h"
#include "kernels/host/targets.h"

FZM_CODES(difference)

namespace fzm {
namespace {

constexpr Choice kModes[] = {{"auto", 0}, {"plain", 1}, {"negabinary", 2}, {"zigzag", 3}};
constexpr Param kRows[] = {
    param<&DifferenceParams::input_type>("input_type", "type read; auto: the input's"),
    param<&DifferenceParams::output_type>("output_type", "type written, of the same width; auto: by mode"),
    param<&DifferenceParams::chunk_size>("chunk_size", between(0, UINT32_MAX),
                                         "bytes after which differences start anew, a multiple of the value's; 0: never"),
    param<&DifferenceParams::mode>("mode", kModes,
                                   "how differences are spelled; auto: negabinary where a signed input has an unsigned output"),
};

Status choose_mode(DifferenceParams& p) {
  const DType mapped = unsigned_of(p.input_type);
  if (p.mode == DifferenceMode::automatic)
    p.mode = p.output_type == DType::unknown || p.output_type == p.input_type ? DifferenceMode::plain
                                                                              : DifferenceMode::negabinary;
  const DType written = p.mode == DifferenceMode::plain ? p.input_type : mapped;
  if (p.output_type == DType::unknown) p.output_type = written;
  if (p.output_type != written)
    return type_refused("output_type", p.output_type,
                        "must be " + std::string(dtype_name(written)) + " where input_type is " +
                            std::string(dtype_name(p.input_type)) + " and mode is " +
                            std::string(kModes[static_cast<size_t>(p.mode)].name));
  return {};
}

Status resolve(void* params, const StageInput& input) {
  DifferenceParams& p = *static_cast<DifferenceParams*>(params);
  if (input.type == DType::unknown) return type_refused("input_type", p.input_type, "needs numbers, the input is untyped");
  if (p.input_type == DType::unknown) p.input_type = input.type;
  const uint32_t bytes = dtype_bytes(p.input_type);
  if (bytes != dtype_bytes(input.type))
    return type_refused("input_type", p.input_type, "the input is " + std::string(dtype_name(input.type)) + ", of another width");
  if (p.chunk_size % bytes != 0)
    return Status(Code::bad_request, "chunk_size = " + std::to_string(p.chunk_size) + ": must be a multiple of " +
                                         std::to_string(bytes) + ", the bytes of a " + std::string(dtype_name(p.input_type)));
  return choose_mode(p);
}

}  // namespace

const Stage& difference_stage() {
  static constexpr Port outputs[] = {{"output", PortKind::array}};
  static const Stage stage = [] {
    Stage s = describe<DifferenceParams, NoFacts>("Difference", 2, Role::tile, "difference",
                                                  "first differences, as they are or mapped to unsigned", difference_codes);
    s.params = kRows;
    s.outputs = outputs;
    s.resolve = resolve;
    return s;
  }();
  return stage;
}

}  // namespace fzm
