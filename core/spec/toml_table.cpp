#include "core/spec/toml_table.h"

// toml++ asserts, and with NDEBUG assumes, what a faulty file can break ("[[#"), and then handles
// that very fault.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#define TOML_EXCEPTIONS 0
#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#endif
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>

#include "core/spec/value_text.h"

namespace fzm {
namespace {

std::string place(std::string_view source, const toml::source_region& region) {
  return std::string(source) + ":" + std::to_string(region.begin.line) + ":" +
         std::to_string(region.begin.column);
}

TomlTable entries_of(const toml::table& table, std::string_view source);

TomlEntry entry_of(std::string_view key, std::string where, const toml::node& node,
                   std::string_view source) {
  TomlEntry e{std::string(key), std::move(where)};
  if (const auto* b = node.as_boolean()) {
    e.kind = TomlKind::boolean;
    e.text = b->get() ? "true" : "false";
  } else if (const auto* i = node.as_integer()) {
    e.kind = TomlKind::integer;
    e.text = std::to_string(i->get());
  } else if (const auto* r = node.as_floating_point()) {
    e.kind = TomlKind::real;
    e.text = real_text(r->get());
  } else if (const auto* s = node.as_string()) {
    e.kind = TomlKind::string;
    e.text = s->get();
  } else if (const auto* a = node.as_array()) {
    e.kind = TomlKind::array;
    for (const toml::node& element : *a)
      e.entries.push_back(entry_of("", place(source, element.source()), element, source));
  } else if (const auto* t = node.as_table()) {
    e.kind = TomlKind::table;
    e.entries = entries_of(*t, source);
  }
  return e;
}

TomlTable entries_of(const toml::table& table, std::string_view source) {
  TomlTable entries;
  for (const auto& [key, node] : table)
    entries.push_back(entry_of(key.str(), place(source, key.source()), node, source));
  return entries;
}

}  // namespace

Result<TomlTable> parse_toml(std::string_view text, std::string_view source) {
  const toml::parse_result parsed = toml::parse(text, source);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Status(Code::bad_toml,
                  place(source, error.source()) + ": " + std::string(error.description()));
  }
  return entries_of(parsed.table(), source);
}

const TomlEntry* find_key(const TomlTable& table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const TomlEntry& e) { return e.key == key; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace fzm
