// Lines for people on stderr, where an error code says too little or nobody asks for it.
#pragma once
#include <string>

namespace fzm {

enum class NoticeLevel : int { error = 1, warn = 2, info = 3 };

// Prints "fzm: <sentence>" if FZM_LOG (off, error, warn, info; default error) asks for the level: at most 10 lines in 10
// seconds, with the number of those left out in the next one.
void notice(NoticeLevel level, const std::string& sentence) noexcept;

}  // namespace fzm
