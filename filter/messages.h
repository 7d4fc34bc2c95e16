// What the plugin says to people. HDF5 1.14 and newer drop what a filter pushes on the error stack
// while it runs, so a line on stderr is the only way a failing chunk can say why.
#pragma once
#include <string>

#include "core/fzm.h"

namespace fzm::filter {

using Level = NoticeLevel;

// A line on stderr, as notice() prints it. Errors are also kept for H5Z_FZM_last_error.
void report(Level level, const std::string& sentence) noexcept;

// Keeps the sentence for H5Z_FZM_last_error without printing it.
void keep_error(const std::string& sentence) noexcept;

}  // namespace fzm::filter
