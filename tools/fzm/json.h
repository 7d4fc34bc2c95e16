// JSON, written in one go from nested calls:  json_object({{"words", json_list(words)}, {"name",
// json(name)}}).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fzm::cli {

std::string json(std::string_view text);
inline std::string json(const std::string& text) { return json(std::string_view(text)); }
inline std::string json(const char* text) { return json(std::string_view(text)); }
inline std::string json(bool yes) { return yes ? "true" : "false"; }
// Infinities and NaN, which JSON lacks, become null.
std::string json(double number);
template <class T>
requires std::is_integral_v<T> std::string json(T number) { return std::to_string(number); }

// Values are JSON already.
std::string json_object(const std::vector<std::pair<std::string, std::string>>& members);
std::string json_array(const std::vector<std::string>& items);

template <class List>
std::string json_list(const List& list) {
  std::vector<std::string> items;
  for (const auto& item : list) items.push_back(json(item));
  return json_array(items);
}

}  // namespace fzm::cli
