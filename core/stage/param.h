// One row per parameter, typed by the member it names. Default values live in the Params struct and nowhere
// else. TOML, cd_values, frame records, validation, help and random test parameters all follow from rows.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core/base/bytes.h"
#include "core/base/dtype.h"
#include "core/base/status.h"

namespace fzm {

// boolean: one bit on the wire · count: u32 varint · wide: u64 varint · bits: u64, 8 bytes · real: double, 8 bytes
// choice: u8, one of named values · type: u8, a DType
enum class ParamKind : uint8_t { boolean, count, wide, bits, real, choice, type };

struct Choice {
  std::string_view name;
  uint8_t value;
};

// The value of a parameter, whatever its kind: reals as double, everything else as u64.
struct ParamValue {
  ParamKind kind = ParamKind::count;
  uint64_t whole = 0;
  double real = 0;
  bool operator==(const ParamValue& o) const {
    return kind == o.kind && whole == o.whole && std::bit_cast<uint64_t>(real) == std::bit_cast<uint64_t>(o.real);
  }
};

// Allowed values: lowest <= v <= highest, the lower end left out if `open`; for counts, a whole list if `only` is set.
struct Range {
  double lowest = 0, highest = std::numeric_limits<double>::max();
  bool open = false;
  std::span<const uint32_t> only = {};
};
constexpr Range any_value() { return {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::infinity(), false, {}}; }
constexpr Range greater(double low) { return {low, std::numeric_limits<double>::max(), true, {}}; }
constexpr Range between(double low, double high) { return {low, high, false, {}}; }
constexpr Range one_of(std::span<const uint32_t> list) { return {0, 0, false, list}; }

struct Param {
  std::string_view name;
  ParamKind kind;
  Range range;
  std::span<const Choice> choices;
  std::string_view help;
  ParamValue (*get)(const void* params);
  void (*set)(void* params, const ParamValue& v);
};

namespace detail {
template <class P, class T>
P owner_of(T P::*);
template <class P, class T>
T member_of(T P::*);
template <class T>
constexpr ParamKind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return ParamKind::boolean;
  else if constexpr (std::is_same_v<T, DType>) return ParamKind::type;
  else if constexpr (std::is_floating_point_v<T>) return ParamKind::real;
  else if constexpr (std::is_enum_v<T>) return ParamKind::choice;
  else if constexpr (sizeof(T) == 8) return ParamKind::wide;
  else return ParamKind::count;
}
}  // namespace detail

// A row for the member M. `range` is ignored for booleans, choices and types.
template <auto M>
constexpr Param param(std::string_view name, Range range, std::string_view help, std::span<const Choice> choices = {}) {
  using P = decltype(detail::owner_of(M));
  using T = decltype(detail::member_of(M));
  constexpr ParamKind kind = detail::kind_of<T>();
  return {name, kind, range, choices, help,
          [](const void* p) {
            const T& v = static_cast<const P*>(p)->*M;
            if constexpr (kind == ParamKind::real) return ParamValue{kind, 0, static_cast<double>(v)};
            else return ParamValue{kind, static_cast<uint64_t>(v), 0};
          },
          [](void* p, const ParamValue& v) {
            T& m = static_cast<P*>(p)->*M;
            if constexpr (kind == ParamKind::real) m = static_cast<T>(v.real);
            else m = static_cast<T>(v.whole);
          }};
}
template <auto M>
constexpr Param param(std::string_view name, std::span<const Choice> choices, std::string_view help) {
  return param<M>(name, any_value(), help, choices);
}
template <auto M>
constexpr Param param(std::string_view name, std::string_view help) {
  return param<M>(name, any_value(), help);
}
// Eight raw bytes: bit patterns, which a varint would only make longer.
template <auto M>
constexpr Param bits_param(std::string_view name, std::string_view help) {
  Param p = param<M>(name, any_value(), help);
  p.kind = ParamKind::bits;
  return p;
}

// "error_bound = -1: must be greater than 0". The value is of the row's kind.
Status check_value(const Param& row, const ParamValue& v);
// "0.001", "noa", "true", "float32": as it is spelled in TOML, without quotes.
std::string to_text(const Param& row, const ParamValue& v);
// The inverse. Errors name what is allowed.
Result<ParamValue> from_text(const Param& row, std::string_view text);
// "greater than 0", "1 to 1024", "abs, rel, noa or prel": for messages and tables.
std::string allowed_text(const Param& row);

// The wire form of a params or facts struct: a varint of bits, one a row, set where the value is not the default; then
// those values in row order (a boolean takes no more bytes: a set bit means "not the default").
void write_rows(ByteWriter& out, std::span<const Param> rows, const void* object, const void* defaults);
// `object` must hold the defaults. Errors: unknown rows, values out of range; a short reader shows in in.failed().
Status read_rows(ByteReader& in, std::span<const Param> rows, void* object, const void* defaults);

}  // namespace fzm
