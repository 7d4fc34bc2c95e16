#include "tools/fzm/json.h"

#include <cmath>
#include <cstdio>

#include "tools/fzm/text.h"

namespace fzm::cli {
namespace {

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (static_cast<unsigned char>(c) >= 0x20) return std::string(1, c);
  return format("\\u%04x", static_cast<unsigned>(c));
}

std::string joined(const std::vector<std::string>& items) {
  std::string all;
  for (const std::string& item : items) all += (all.empty() ? "" : ", ") + item;
  return all;
}

}  // namespace

std::string json(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += escaped(c);
  return quoted + '"';
}

std::string json(double number) { return std::isfinite(number) ? format("%.17g", number) : "null"; }

std::string json_object(const std::vector<std::pair<std::string, std::string>>& members) {
  std::vector<std::string> items;
  for (const auto& [key, value] : members) items.push_back(json(key) + ": " + value);
  return "{" + joined(items) + "}";
}

std::string json_array(const std::vector<std::string>& items) { return "[" + joined(items) + "]"; }

}  // namespace fzm::cli
