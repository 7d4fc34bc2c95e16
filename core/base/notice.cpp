#include "core/base/notice.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fzm {
namespace {

constexpr int64_t kWindowSeconds = 10;
constexpr uint32_t kLinesPerWindow = 10;

// Counters instead of a lock, which a fork could leave locked for ever.
constinit std::atomic<int64_t> window_start{INT64_MIN};
constinit std::atomic<uint32_t> lines_in_window{0};
constinit std::atomic<uint32_t> lines_left_out{0};

bool is_wanted(NoticeLevel level) {
  const char* asked = std::getenv("FZM_LOG");
  int most = static_cast<int>(NoticeLevel::error);
  if (asked && std::strcmp(asked, "off") == 0) most = 0;
  if (asked && std::strcmp(asked, "warn") == 0) most = static_cast<int>(NoticeLevel::warn);
  if (asked && std::strcmp(asked, "info") == 0) most = static_cast<int>(NoticeLevel::info);
  return static_cast<int>(level) <= most;
}

bool has_room() {
  using namespace std::chrono;
  const int64_t now = duration_cast<seconds>(steady_clock::now().time_since_epoch()).count();
  int64_t start = window_start.load();
  if ((start == INT64_MIN || now - start >= kWindowSeconds) &&
      window_start.compare_exchange_strong(start, now))
    lines_in_window = 0;
  if (lines_in_window.fetch_add(1) < kLinesPerWindow) return true;
  lines_left_out.fetch_add(1);
  return false;
}

}  // namespace

void notice(NoticeLevel level, const std::string& sentence) noexcept {
  if (!is_wanted(level) || !has_room()) return;
  const uint32_t left_out = lines_left_out.exchange(0);
  // One call a line, so that lines of several processes do not mix.
  if (left_out)
    std::fprintf(stderr, "fzm: %s (%u lines left out before)\n", sentence.c_str(), left_out);
  else
    std::fprintf(stderr, "fzm: %s\n", sentence.c_str());
}

}  // namespace fzm
