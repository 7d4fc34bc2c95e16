// Text for people: formatted numbers, sizes, tables.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fzm::cli {

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
format(const char* pattern, ...);

void print(std::string_view text);

std::string bytes_text(uint64_t bytes);  // "1.25 MiB"
std::string joined(const std::vector<std::string>& parts, std::string_view between);

enum class TableStyle : uint8_t { plain, markdown };

// Columns as wide as they must be. Numbers are aligned to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> heads) : heads_(std::move(heads)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool is_empty() const { return rows_.empty(); }
  std::string text(TableStyle style = TableStyle::plain) const;

 private:
  std::vector<std::string> heads_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace fzm::cli
