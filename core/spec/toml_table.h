// The schema's view of a TOML document, so that toml++ is included in one file only: tables of
// keys, each with a place and a value in text.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace fzm {

struct TomlEntry;
using TomlTable = std::vector<TomlEntry>;

enum class TomlKind { boolean, integer, real, string, array, table, other };

struct TomlEntry {
  std::string key;    // "" for the elements of an array
  std::string where;  // "mine.toml:7:1", the key's place; an element's own place
  TomlKind kind = TomlKind::other;
  std::string text{};   // of scalars: "true", "-3", "0.001", and strings without quotes
  TomlTable entries{};  // of tables, and elements of arrays
};

// Errors: bad_toml, with line and column.
Result<TomlTable> parse_toml(std::string_view text, std::string_view source);

// Null if there is none.
const TomlEntry* find_key(const TomlTable& table, std::string_view key);

}  // namespace fzm
