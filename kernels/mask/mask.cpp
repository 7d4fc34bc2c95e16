#include "kernels/mask/mask.h"

#include <string>

#include "core/stage/stage.h"
#include "kernels/host/targets.h"

FZM_CODES(mask)

namespace fzm {
namespace {

using Params = MaskParams;
using Facts = MaskFacts;

constexpr Param params[] = {
    param<&Params::specials>("specials", "take out NaN, infinities, and values of 1e30 or more that are repeated bit for bit"),
    param<&Params::has_fill>("has_fill", "take out the fill value"),
    bits_param<&Params::fill_bits>("fill_bits", "the fill value: its bits in the element type"),
};
// Only what the decoder needs: the other facts stay with the encoder.
constexpr Param facts[] = {
    param<&Facts::present>("present", "there is something to take out"),
    bits_param<&Facts::pattern_a>("pattern_a", "a repeated huge value, as bits; 0: none"),
};
constexpr Port outputs[] = {
    {"output", PortKind::array, DType::unknown, "the array, with ordinary values only"},
    {"mask", PortKind::stream, DType::u8, "positions and bits of what was taken out"},
};

uint64_t width_mask(DType t) { return ~uint64_t{0} >> (64 - 8 * dtype_bytes(t)); }

Status resolve(void* object, const StageInput& input) {
  Params& p = *static_cast<Params*>(object);
  const uint64_t mask = width_mask(input.type);
  if (p.fill_bits & ~mask)
    return {Code::bad_request, "fill_bits = " + std::to_string(p.fill_bits) + ": " + std::string(dtype_name(input.type)) +
                                   " has " + std::to_string(8 * dtype_bytes(input.type)) + " bits"};
  // Zero is ordinary: every quantizer keeps it, and as a mask it would only cost.
  const uint64_t without_sign = is_float(input.type) ? p.fill_bits & (mask >> 1) : p.fill_bits;
  if (without_sign == 0) p.has_fill = false;
  if (!p.has_fill) p.fill_bits = 0;
  if (!is_float(input.type)) p.specials = false;
  return {};
}

bool needs_observe(const void* object) {
  const Params& p = *static_cast<const Params*>(object);
  return p.specials || p.has_fill;
}

Status conclude(const void*, const void* partial, const StageInput&, void* facts_object) {
  *static_cast<Facts*>(facts_object) =
      partial ? generic::facts_of_search(*static_cast<const MaskPartial*>(partial)) : Facts{};
  return {};
}

bool is_identity(const void* facts_object) { return !static_cast<const Facts*>(facts_object)->present; }

Status check_facts(const void*, const void* facts_object, const StageInput& input) {
  const Facts& f = *static_cast<const Facts*>(facts_object);
  if ((f.pattern_a & ~width_mask(input.type)) == 0) return {};
  return {Code::corrupt, "pattern_a has more bits than " + std::string(dtype_name(input.type))};
}

}  // namespace

const Stage& mask_stage() {
  static const Stage stage = [] {
    Stage s = describe<Params, Facts>("Mask", 43, Role::tile, "mask",
                                      "takes NaN, infinities, fill and missing values out and keeps them exactly", mask_codes);
    s.params = params;
    s.facts = facts;
    s.outputs = outputs;
    s.resolve = resolve;
    s.needs_observe = needs_observe;
    s.conclude = conclude;
    s.is_identity = is_identity;
    s.passes_values = true;
    s.check_facts = check_facts;
    return s;
  }();
  return stage;
}

}  // namespace fzm
