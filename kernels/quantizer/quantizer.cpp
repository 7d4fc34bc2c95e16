#include "kernels/quantizer/quantizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "core/stage/stage.h"
#include "kernels/host/targets.h"

FZM_CODES(quantizer)

namespace fzm {
namespace {

using Params = QuantizerParams;
using Facts = QuantizerFacts;

constexpr double kLargestRadius = 0x1p51;
constexpr double kLargestInplaceFloatRadius = 0x1p22;

constexpr Choice modes[] = {{"abs", 0}, {"rel", 1}, {"noa", 2}, {"prel", 3}};

constexpr Param params[] = {
    param<&Params::error_bound>("error_bound", greater(0), "largest error, in the measure of error_bound_mode"),
    param<&Params::error_bound_mode>(
        "error_bound_mode", modes,
        "abs: as it is; rel: times |x|; noa: times (max - min) of the chunk; prel: times max |x| of the chunk"),
    param<&Params::quant_radius>("quant_radius", between(1, kLargestRadius),
                                 "codes stand for -radius < q < radius; without effect in linear mode, mode rel and on integers"),
    param<&Params::zigzag_codes>("zigzag_codes", "codes 0, -1, 1, -2, ... as 0, 1, 2, 3, ...; off in linear mode"),
    param<&Params::outlier_threshold>("outlier_threshold", Range{0, std::numeric_limits<double>::infinity(), true, {}},
                                      "|x| from here on is stored exactly"),
    param<&Params::inplace_outliers>("inplace_outliers", "escapes stand among the codes, as their own bits"),
    param<&Params::linear_mode>("linear_mode", "signed codes"),
    param<&Params::linear_high_precision>("linear_high_precision", "float32: choose codes in double precision"),
    param<&Params::power_of_two_bound>("power_of_two_bound", "round the absolute bound down to a power of two"),
    param<&Params::verify_reconstruction>("verify_reconstruction", "no effect: every value is verified"),
    param<&Params::value_base>("value_base", between(0, std::numeric_limits<double>::max()),
                               "max - min (noa) or max |x| (prel), where it is known; 0: measure"),
    param<&Params::input_type>("input_type", "element type; auto: that of the input"),
    param<&Params::code_type>("code_type", "type of the codes; auto: by mode and input"),
};

constexpr Param facts[] = {
    param<&Facts::abs_bound>("abs_bound", any_value(), "largest |x - x'|; 0 in mode rel"),
    param<&Facts::value_base>("value_base", any_value(), "max - min or max |x|; 0 in modes abs and rel"),
    param<&Facts::log_step>("log_step", any_value(), "mode rel: log2 of the ratio of neighbouring values"),
};

constexpr Port outputs[] = {
    {"codes", PortKind::array, DType::unknown, "one code a value"},
    {"outlier_vals", PortKind::piece0, DType::unknown, "exact bits of the values without a code, in index order"},
    {"outlier_idxs", PortKind::piece1, DType::u32, "their indices"},
};

Status refused(const std::string& what) { return {Code::bad_request, what}; }

DType unsigned_as_wide(DType t) {
  switch (dtype_bytes(t)) {
    case 1: return DType::u8;
    case 2: return DType::u16;
    case 4: return DType::u32;
    default: return DType::u64;
  }
}
DType signed_as_wide(DType t) { return static_cast<DType>(static_cast<uint8_t>(unsigned_as_wide(t)) + 4); }

// The code type where none was asked for.
DType automatic_code(const Params& p) {
  const bool is_double = p.input_type == DType::f64;
  if (is_integer(p.input_type)) return p.linear_mode ? signed_as_wide(p.input_type) : unsigned_as_wide(p.input_type);
  if (p.error_bound_mode == QuantizerMode::rel) return is_double && p.error_bound < 0x1p-20 ? DType::u64 : DType::u32;
  if (p.linear_mode) {
    const bool by_data = p.error_bound_mode != QuantizerMode::abs;
    return is_double && by_data && p.error_bound < 0x1p-30 ? DType::i64 : DType::i32;
  }
  if (p.inplace_outliers) return unsigned_as_wide(p.input_type);
  return is_double && static_cast<double>(p.quant_radius) > 0x1p31 ? DType::u64 : DType::u32;
}

bool has_codec(const Params& p) {
  for (const BlockCode& code : generic::quantizer_codes())
    if (code.accepts(&p)) return true;
  return false;
}

Status check_combination(const Params& p) {
  const bool is_rel = p.error_bound_mode == QuantizerMode::rel;
  if (is_rel && is_integer(p.input_type))
    return refused("error_bound_mode = rel: needs float32 or float64, the input is " + std::string(dtype_name(p.input_type)) +
                   "; use abs, noa or prel");
  if (is_rel && (p.linear_mode || p.inplace_outliers))
    return refused(std::string("error_bound_mode = rel: goes neither with linear_mode nor with inplace_outliers; ") +
                   (p.linear_mode ? "linear_mode" : "inplace_outliers") + " is set");
  if (p.linear_mode && p.inplace_outliers) return refused("linear_mode and inplace_outliers exclude each other; both are set");
  if (p.inplace_outliers && !p.zigzag_codes) return refused("inplace_outliers needs zigzag_codes = true");
  return {};
}

// Floating-point input without linear mode and not rel: the radius must fit the code.
Status check_radius(const Params& p) {
  if (is_integer(p.input_type) || p.linear_mode || p.error_bound_mode == QuantizerMode::rel) return {};
  double largest = p.code_type == DType::u16 ? 0x1p15 : p.code_type == DType::u32 ? 0x1p31 : kLargestRadius;
  if (p.inplace_outliers && p.input_type == DType::f32) largest = kLargestInplaceFloatRadius;
  if (static_cast<double>(p.quant_radius) <= largest) return {};
  return refused("quant_radius = " + std::to_string(p.quant_radius) + ": at most " +
                 std::to_string(static_cast<uint64_t>(largest)) + " with " + std::string(dtype_name(p.code_type)) + " codes" +
                 (p.inplace_outliers ? " and inplace_outliers" : ""));
}

Status resolve(void* object, const StageInput& input) {
  Params& p = *static_cast<Params*>(object);
  if (p.input_type != DType::unknown && p.input_type != input.type)
    return refused("input_type = " + std::string(dtype_name(p.input_type)) + ": the input is " +
                   std::string(dtype_name(input.type)));
  p.input_type = input.type;
  FZM_TRY(check_combination(p));
  if (p.linear_mode) p.zigzag_codes = false;
  if (p.code_type == DType::unknown) p.code_type = automatic_code(p);
  if (!has_codec(p))
    return refused("code_type = " + std::string(dtype_name(p.code_type)) + ": not possible for " +
                   std::string(dtype_name(p.input_type)) + " in this mode; auto would take " +
                   std::string(dtype_name(automatic_code(p))));
  return check_radius(p);
}

bool needs_observe(const void* params_object) {
  const Params& p = *static_cast<const Params*>(params_object);
  return (p.error_bound_mode == QuantizerMode::noa || p.error_bound_mode == QuantizerMode::prel) && p.value_base == 0;
}

struct Span {
  double range, peak;
};
template <class T>
Span span_of(const QuantizerPartial& seen) {
  const T lowest = generic::value_of_key<T>(seen.lowest), highest = generic::value_of_key<T>(seen.highest);
  // Integers: the difference of keys is exact where that of doubles is not.
  const double range = std::is_integral_v<T> ? static_cast<double>(seen.highest - seen.lowest)
                                   : static_cast<double>(highest) - static_cast<double>(lowest);
  return {range, std::max(std::fabs(static_cast<double>(lowest)), std::fabs(static_cast<double>(highest)))};
}
Span span_of(const QuantizerPartial& seen, DType type) {
  switch (type) {
    case DType::u8: return span_of<uint8_t>(seen);
    case DType::u16: return span_of<uint16_t>(seen);
    case DType::u32: return span_of<uint32_t>(seen);
    case DType::u64: return span_of<uint64_t>(seen);
    case DType::i8: return span_of<int8_t>(seen);
    case DType::i16: return span_of<int16_t>(seen);
    case DType::i32: return span_of<int32_t>(seen);
    case DType::i64: return span_of<int64_t>(seen);
    case DType::f32: return span_of<float>(seen);
    default: return span_of<double>(seen);
  }
}

bool is_usable(double abs_bound, bool power_of_two, DType type) {
  if (!std::isfinite(abs_bound)) return false;
  if (is_integer(type)) return abs_bound >= 0;
  return type == DType::f32 ? generic::tested_bound<float>(abs_bound, power_of_two) > 0
                            : generic::tested_bound<double>(abs_bound, power_of_two) > 0;
}

Status needs_exact(const std::string& why) { return {Code::needs_exact, why}; }

Status conclude_relative(const Params& p, DType type, Facts& f) {
  f.log_step = type == DType::f32 ? generic::relative_step<float>(p.error_bound) : generic::relative_step<double>(p.error_bound);
  if (f.log_step > 0) return {};
  return needs_exact("error_bound = " + std::to_string(p.error_bound) + ", rel: finer than " + std::string(dtype_name(type)) +
                     " can follow");
}

Status conclude(const void* params_object, const void* partial, const StageInput& input, void* facts_object) {
  const Params& p = *static_cast<const Params*>(params_object);
  Facts& f = *static_cast<Facts*>(facts_object);
  f = {};
  if (p.error_bound_mode == QuantizerMode::rel) return conclude_relative(p, input.type, f);
  f.abs_bound = p.error_bound;
  if (p.error_bound_mode != QuantizerMode::abs) {
    f.value_base = p.value_base;
    const auto* const seen = static_cast<const QuantizerPartial*>(partial);
    if (needs_observe(&p)) {
      if (seen->lowest > seen->highest) {  // nothing finite: every value escapes, whatever the bound
        f.abs_bound = 1;
        return {};
      }
      const Span span = span_of(*seen, input.type);
      f.value_base = p.error_bound_mode == QuantizerMode::noa ? span.range : span.peak;
    }
    if (!(f.value_base > 0))
      return needs_exact(p.error_bound_mode == QuantizerMode::noa ? "all values are equal: a bound relative to max - min is 0"
                                                              : "all values are 0: a bound relative to max |x| is 0");
    f.abs_bound = p.error_bound * f.value_base;
  }
  if (p.power_of_two_bound) f.abs_bound = generic::power_of_two_below(f.abs_bound);
  if (is_usable(f.abs_bound, p.power_of_two_bound, input.type)) return {};
  return needs_exact("the absolute bound " + std::to_string(f.abs_bound) + " is not a normal number of " +
                     std::string(dtype_name(input.type)));
}

Status check_facts(const void* params_object, const void* facts_object, const StageInput& input) {
  const Params& p = *static_cast<const Params*>(params_object);
  const Facts& f = *static_cast<const Facts*>(facts_object);
  if (p.error_bound_mode == QuantizerMode::rel) {
    if (f.log_step >= std::numeric_limits<double>::min() && f.log_step <= 4096) return {};
    return {Code::corrupt, "log_step = " + std::to_string(f.log_step) + ": must be above 0, at most 4096"};
  }
  if (is_usable(f.abs_bound, p.power_of_two_bound, input.type)) return {};
  return {Code::corrupt, "abs_bound = " + std::to_string(f.abs_bound) + ": not a usable bound for " +
                             std::string(dtype_name(input.type))};
}

}  // namespace

const Stage& quantizer_stage() {
  static const Stage stage = [] {
    Stage s = describe<Params, Facts>("Quantizer", 14, Role::map, "quantizer",
                                      "values to integers within an error bound; the rest is kept exactly", quantizer_codes);
    s.params = params;
    s.facts = facts;
    s.outputs = outputs;
    s.resolve = resolve;
    s.needs_observe = needs_observe;
    s.conclude = conclude;
    s.check_facts = check_facts;
    s.is_lossy = true;
    return s;
  }();
  return stage;
}

}  // namespace fzm
