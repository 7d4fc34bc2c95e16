// One [[stage]] of a pipeline file.
#pragma once
#include "core/spec/connect.h"
#include "core/spec/toml_table.h"

namespace fzm {

// Errors: bad_toml; keys, types and values with their place and what is allowed.
Result<NamedStage> read_stage_table(const TomlEntry& table);

}  // namespace fzm
