// Values of a TOML table, read into C++ with messages that say where and what is allowed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/toml_table.h"

namespace fzm {

using Names = std::vector<std::string_view>;

// All are of Code::bad_toml and begin with the entry's place.
Status fault(const TomlEntry& e, const std::string& sentence);
Status unknown_key(const TomlEntry& e, const std::string& table, const Names& known);
// "mine.toml:7:1: stage 'quant': linear_mode = 1: must be true or false"; `table` is "stage
// 'quant': " or empty.
Status wrong_value(const TomlEntry& e, const std::string& allowed, const std::string& table = "");

Status read_toml(const TomlEntry& e, bool& to);
Status read_toml(const TomlEntry& e, std::string& to);  // not empty
Status read_toml(const TomlEntry& e, uint64_t& to, uint64_t highest = UINT64_MAX);
Status read_toml(const TomlEntry& e, uint32_t& to);
Status read_toml(const TomlEntry& e, std::vector<uint64_t>& to);
Status read_positive(const TomlEntry& e, double& to);
// Upper and lower case alike; `to` gets the spelling of `choices`.
Status read_choice(const TomlEntry& e, const Names& choices, std::string& to);

}  // namespace fzm
