// A line for people on stderr when a device is not used and one might wonder why.
#pragma once
#include <string>

namespace fzm {

enum class NoticeLevel : int { error = 1, warn = 2, info = 3 };

// "fzm: <sentence>", if FZM_LOG (off, error, warn, info; default error) asks for the level; at most one in ten seconds.
void notice(NoticeLevel level, const std::string& sentence) noexcept;

}  // namespace fzm
