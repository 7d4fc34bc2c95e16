#include "kernels/device/notice.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fzm {
namespace {

constexpr int64_t kSecondsBetween = 10;

// An atomic instead of a lock, which a fork could leave locked for ever.
constinit std::atomic<int64_t> last_notice = INT64_MIN / 2;

bool is_wanted(NoticeLevel level) {
  const char* const text = std::getenv("FZM_LOG");
  const std::string_view asked = text ? text : "";
  int most = static_cast<int>(NoticeLevel::error);
  if (asked == "off") most = 0;
  if (asked == "warn") most = static_cast<int>(NoticeLevel::warn);
  if (asked == "info") most = static_cast<int>(NoticeLevel::info);
  return static_cast<int>(level) <= most;
}

bool is_time() {
  using namespace std::chrono;
  const int64_t now = duration_cast<seconds>(steady_clock::now().time_since_epoch()).count();
  int64_t last = last_notice;
  return now - last >= kSecondsBetween && last_notice.compare_exchange_strong(last, now);
}

}  // namespace

void notice(NoticeLevel level, const std::string& sentence) noexcept {
  if (is_wanted(level) && is_time()) std::fprintf(stderr, "fzm: %s\n", sentence.c_str());
}

}  // namespace fzm
