#include "core/spec/value_text.h"

#include <charconv>
#include <cstdio>

namespace fzm {
namespace {

bool is_whole(ParamKind kind) {
  return kind == ParamKind::count || kind == ParamKind::wide || kind == ParamKind::bits;
}

}  // namespace

Result<ParamValue> parse_value(const Param& row, std::string_view text) {
  if (!is_whole(row.kind) || !(text.starts_with("0x") || text.starts_with("0X")))
    return from_text(row, text);
  uint64_t whole = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, whole, 16);
  if (error != std::errc() || stop != end)
    return from_text(row, text);  // refuses it, with the row's message
  return from_text(row, std::to_string(whole));
}

std::string value_text(const Param& row, const ParamValue& v) {
  if (row.kind != ParamKind::bits) return to_text(row, v);
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v.whole));
  return text;
}

ParamValue value_of(const Param& row, const void* params) {
  ParamValue v = row.get(params);
  v.kind = row.kind;
  return v;
}

std::string real_text(double v) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

}  // namespace fzm
