// Lines for people on stderr. HDF5 1.14 and newer drop what a filter pushes on the error stack
// while it runs, so this is the only way a failing chunk can say why.
#pragma once
#include <string>

namespace fzm::filter {

enum class Level : int { error = 1, warn = 2, info = 3 };

// Prints "fzm: <sentence>" if FZM_LOG (off, error, warn, info; default error) asks for the level:
// at most 10 lines in 10 seconds, with the number of those left out in the next one. Errors are
// also kept for H5Z_FZM_last_error.
void report(Level level, const std::string& sentence) noexcept;

// Keeps the sentence for H5Z_FZM_last_error without printing it.
void keep_error(const std::string& sentence) noexcept;

}  // namespace fzm::filter
