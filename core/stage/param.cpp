#include "core/stage/param.h"

#include <charconv>
#include <cmath>

namespace fzm {
namespace {

std::string shortest(double v) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, v).ptr;
  return std::string(text, end);
}

bool in_range(const Range& r, double v) {
  if (std::isnan(v)) return false;
  return (r.open ? v > r.lowest : v >= r.lowest) && v <= r.highest;
}

bool is_allowed(const Param& row, const ParamValue& v) {
  switch (row.kind) {
    case ParamKind::boolean: return v.whole <= 1;
    case ParamKind::type: return v.whole <= 9 || v.whole == 255;
    case ParamKind::bits: return true;
    case ParamKind::real: return in_range(row.range, v.real);
    case ParamKind::choice:
      for (const Choice& c : row.choices)
        if (c.value == v.whole) return true;
      return false;
    case ParamKind::count:
      if (v.whole > UINT32_MAX) return false;
      [[fallthrough]];
    case ParamKind::wide:
      if (row.range.only.empty()) return in_range(row.range, static_cast<double>(v.whole));
      for (const uint32_t n : row.range.only)
        if (n == v.whole) return true;
      return false;
  }
  return false;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

void write_value(ByteWriter& out, const ParamValue& v) {
  switch (v.kind) {
    case ParamKind::boolean: break;
    case ParamKind::count: case ParamKind::wide: out.varint(v.whole); break;
    case ParamKind::bits: out.number(v.whole); break;
    case ParamKind::real: out.real(v.real); break;
    case ParamKind::choice: case ParamKind::type: out.number(static_cast<uint8_t>(v.whole)); break;
  }
}

ParamValue read_value(ByteReader& in, const Param& row, const ParamValue& fallback) {
  ParamValue v = fallback;
  switch (row.kind) {
    case ParamKind::boolean: v.whole = !fallback.whole; break;
    case ParamKind::count: case ParamKind::wide: v.whole = in.varint(); break;
    case ParamKind::bits: v.whole = in.number<uint64_t>(); break;
    case ParamKind::real: v.real = in.real(); break;
    case ParamKind::choice: case ParamKind::type: v.whole = in.number<uint8_t>(); break;
  }
  return v;
}

}  // namespace

std::string allowed_text(const Param& row) {
  std::vector<std::string> words;
  switch (row.kind) {
    case ParamKind::boolean: return "true or false";
    case ParamKind::bits: return "64 bits";
    case ParamKind::type:
      words.push_back("auto");
      for (uint8_t t = 0; t <= 9; ++t) words.emplace_back(dtype_name(static_cast<DType>(t)));
      return joined(words);
    case ParamKind::choice:
      for (const Choice& c : row.choices) words.emplace_back(c.name);
      return joined(words);
    default: break;
  }
  if (!row.range.only.empty()) {
    for (const uint32_t n : row.range.only) words.push_back(std::to_string(n));
    return joined(words);
  }
  const bool bounded = row.range.highest < std::numeric_limits<double>::max();
  if (row.range.lowest == std::numeric_limits<double>::lowest()) return "any number";
  if (!bounded) return (row.range.open ? "greater than " : "at least ") + shortest(row.range.lowest);
  return shortest(row.range.lowest) + " to " + shortest(row.range.highest);
}

Status check_value(const Param& row, const ParamValue& v) {
  if (is_allowed(row, v)) return {};
  return Status(Code::bad_request,
                std::string(row.name) + " = " + to_text(row, v) + ": must be " + allowed_text(row));
}

std::string to_text(const Param& row, const ParamValue& v) {
  switch (row.kind) {
    case ParamKind::boolean: return v.whole ? "true" : "false";
    case ParamKind::real: return shortest(v.real);
    case ParamKind::type: return v.whole == 255 ? "auto" : std::string(dtype_name(static_cast<DType>(v.whole)));
    case ParamKind::choice:
      for (const Choice& c : row.choices)
        if (c.value == v.whole) return std::string(c.name);
      return std::to_string(v.whole);
    default: return std::to_string(v.whole);
  }
}

Result<ParamValue> from_text(const Param& row, std::string_view text) {
  ParamValue v{row.kind, 0, 0};
  const auto refuse = [&] {
    return Status(Code::bad_request, std::string(row.name) + " = " + std::string(text) + ": must be " + allowed_text(row));
  };
  const auto lower = [](std::string_view s) {
    std::string t(s);
    for (char& c : t) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return t;
  };
  switch (row.kind) {
    case ParamKind::boolean:
      if (text != "true" && text != "false") return refuse();
      v.whole = text == "true";
      break;
    case ParamKind::type:
      v.whole = text == "auto" ? 255 : static_cast<uint64_t>(dtype_named(text));
      if (v.whole == 255 && text != "auto") return refuse();
      break;
    case ParamKind::choice: {
      bool found = false;
      for (const Choice& c : row.choices)
        if (lower(c.name) == lower(text)) v.whole = c.value, found = true;
      if (!found) return refuse();
      break;
    }
    case ParamKind::real: {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v.real);
      if (error != std::errc() || end != text.data() + text.size()) return refuse();
      break;
    }
    default: {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v.whole);
      if (error != std::errc() || end != text.data() + text.size()) return refuse();
    }
  }
  FZM_TRY(check_value(row, v));
  return v;
}

void write_rows(ByteWriter& out, std::span<const Param> rows, const void* object, const void* defaults) {
  uint64_t set = 0;
  for (size_t i = 0; i < rows.size(); ++i)
    if (!(rows[i].get(object) == rows[i].get(defaults))) set |= uint64_t{1} << i;
  out.varint(set);
  for (size_t i = 0; i < rows.size(); ++i)
    if (set >> i & 1) {
      ParamValue v = rows[i].get(object);
      v.kind = rows[i].kind;
      write_value(out, v);
    }
}

Status read_rows(ByteReader& in, std::span<const Param> rows, void* object, const void* defaults) {
  const uint64_t set = in.varint();
  if (rows.size() < 64 && set >> rows.size() != 0)
    return Status(Code::newer_frame, "a record sets field " + std::to_string(63 - std::countl_zero(set)) + ", this version knows " +
                                         std::to_string(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!(set >> i & 1)) continue;
    ParamValue fallback = rows[i].get(defaults);
    fallback.kind = rows[i].kind;
    const ParamValue v = read_value(in, rows[i], fallback);
    if (in.failed()) return Status(Code::truncated, "a record ends inside '" + std::string(rows[i].name) + "'");
    FZM_TRY(check_value(rows[i], v));
    rows[i].set(object, v);
  }
  return {};
}

}  // namespace fzm
