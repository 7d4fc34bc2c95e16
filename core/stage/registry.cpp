#include "core/stage/registry.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace fzm {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// Levenshtein distance.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (lower(a[i]) != lower(b[j]))});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

const Stage* find_stage(std::string_view name) {
  for (const Stage* s : stages())
    if (same_word(s->name, name)) return s;
  return nullptr;
}

const Stage* find_stage(uint16_t id) {
  for (const Stage* s : stages())
    if (s->id == id) return s;
  return nullptr;
}

std::string nearest(std::string_view wrong, std::span<const std::string_view> known) {
  std::string_view best;
  size_t least = std::max<size_t>(wrong.size() / 2, 2) + 1;
  for (const std::string_view name : known)
    if (const size_t d = distance(wrong, name); d < least) least = d, best = name;
  return std::string(best);
}

}  // namespace fzm
