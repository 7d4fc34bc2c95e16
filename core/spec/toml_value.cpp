#include "core/spec/toml_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/spec/suggest.h"

namespace fzm {

Status fault(const TomlEntry& e, const std::string& sentence) {
  return Status(Code::bad_toml, e.where + ": " + sentence);
}

Status unknown_key(const TomlEntry& e, const std::string& table, const Names& known) {
  return fault(e, "unknown key '" + e.key + "' in " + table + suggestion(e.key, known));
}

Status wrong_value(const TomlEntry& e, const std::string& allowed, const std::string& table) {
  const bool plain =
      e.kind != TomlKind::array && e.kind != TomlKind::table && e.kind != TomlKind::other;
  return fault(e, table + e.key + (plain ? " = " + e.text : "") + ": must be " + allowed);
}

Status read_toml(const TomlEntry& e, bool& to) {
  if (e.kind != TomlKind::boolean) return wrong_value(e, "true or false");
  to = e.text == "true";
  return {};
}

Status read_toml(const TomlEntry& e, std::string& to) {
  if (e.kind != TomlKind::string || e.text.empty()) return wrong_value(e, "a text in quotes");
  to = e.text;
  return {};
}

Status read_toml(const TomlEntry& e, uint64_t& to, uint64_t highest) {
  const auto [end, error] = std::from_chars(e.text.data(), e.text.data() + e.text.size(), to);
  if (e.kind == TomlKind::integer && error == std::errc() && to <= highest) return {};
  return wrong_value(e, highest == UINT64_MAX ? "a whole number"
                                              : "a whole number up to " + std::to_string(highest));
}

Status read_toml(const TomlEntry& e, uint32_t& to) {
  uint64_t wide = 0;
  FZM_TRY(read_toml(e, wide, UINT32_MAX));
  to = static_cast<uint32_t>(wide);
  return {};
}

Status read_positive(const TomlEntry& e, double& to) {
  const auto [end, error] = std::from_chars(e.text.data(), e.text.data() + e.text.size(), to);
  const bool number = e.kind == TomlKind::real || e.kind == TomlKind::integer;
  if (number && error == std::errc() && std::isfinite(to) && to > 0) return {};
  return wrong_value(e, "a number greater than 0");
}

Status read_choice(const TomlEntry& e, const Names& choices, std::string& to) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  std::string list;
  for (const std::string_view c : choices) {
    if (e.kind == TomlKind::string &&
        std::equal(c.begin(), c.end(), e.text.begin(), e.text.end(), same)) {
      to = c;
      return {};
    }
    list += (list.empty() ? "\"" : ", \"") + std::string(c) + "\"";
  }
  return wrong_value(e, "one of " + list);
}

Status read_toml(const TomlEntry& e, std::vector<uint64_t>& to) {
  if (e.kind != TomlKind::array) return wrong_value(e, "a list of whole numbers");
  for (const TomlEntry& element : e.entries) {
    uint64_t n = 0;
    if (!read_toml(element, n).ok()) return fault(element, "dims: must be a list of whole numbers");
    to.push_back(n);
  }
  return {};
}

}  // namespace fzm
