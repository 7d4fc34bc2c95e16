#include "tools/fzm/text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace fzm::cli {
namespace {

// Code points, not bytes.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool looks_like_number(std::string_view text) {
  return text.empty() || text == "-" ||
         text.find_first_not_of("0123456789.+-e%x ") == std::string_view::npos;
}

std::string cell(std::string_view text, size_t width, bool to_right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return to_right ? blanks + std::string(text) : std::string(text) + blanks;
}

// A bar inside a cell would end it.
std::string markdown_cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& c : cells) line += " " + markdown_cell(c) + " |";
  return line + "\n";
}

std::string markdown_table(const std::vector<std::string>& heads,
                           const std::vector<std::vector<std::string>>& rows) {
  std::string all =
      markdown_row(heads) + markdown_row(std::vector<std::string>(heads.size(), "---"));
  for (const auto& row : rows) all += markdown_row(row);
  return all;
}

}  // namespace

std::string format(const char* pattern, ...) {
  std::va_list list, again;
  va_start(list, pattern);
  va_copy(again, list);
  const int length = std::vsnprintf(nullptr, 0, pattern, list);
  va_end(list);
  std::string text(static_cast<size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1024) return format("%llu B", static_cast<unsigned long long>(bytes));
  double size = static_cast<double>(bytes) / 1024;
  const char* unit = "KiB";
  for (const char* larger : {"MiB", "GiB", "TiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = larger;
  }
  return format("%.4g %s", size, unit);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (size_t i = 0; i < parts.size(); ++i) all += (i ? std::string(between) : "") + parts[i];
  return all;
}

std::string Table::text(TableStyle style) const {
  if (style == TableStyle::markdown) return markdown_table(heads_, rows_);
  std::vector<size_t> widths;
  std::vector<bool> is_number;
  for (size_t c = 0; c < heads_.size(); ++c) {
    widths.push_back(width_of(heads_[c]));
    is_number.push_back(true);
    for (const auto& row : rows_) {
      widths[c] = std::max(widths[c], width_of(row[c]));
      is_number[c] = is_number[c] && looks_like_number(row[c]);
    }
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string all;
    for (size_t c = 0; c < cells.size(); ++c)
      all += (c ? "  " : "") + cell(cells[c], widths[c], is_number[c]);
    return all.substr(0, all.find_last_not_of(' ') + 1) + "\n";
  };
  std::string all = line(heads_);
  for (const auto& row : rows_) all += line(row);
  return all;
}

}  // namespace fzm::cli
