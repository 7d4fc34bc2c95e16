#include "tools/fzm/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tools/fzm/text.h"

namespace fzm::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{1000}, kStep{200};
constexpr size_t kBarWidth = 30;

std::string line(const std::string& label, double share, double seconds) {
  if (share <= 0) return format("\r%s  %.0f s\x1b[K", label.c_str(), seconds);
  const auto filled = static_cast<size_t>(std::min(share, 1.0) * kBarWidth);
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '.');
  return format("\r%s  [%s] %3.0f %%  %.0f s\x1b[K", label.c_str(), bar.c_str(),
                100 * std::min(share, 1.0), seconds);
}

}  // namespace

Progress::Progress(std::string label) : label_(std::move(label)) {
  if (isatty(STDERR_FILENO)) drawer_ = std::thread([this] { draw_until_done(); });
}

Progress::~Progress() {
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  done_changed_.notify_all();
  drawer_.join();
}

void Progress::draw_until_done() {
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  if (done_changed_.wait_for(lock, kPatience, [this] { return is_done_; })) return;
  do {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::fputs(line(label_, share_, seconds).c_str(), stderr);
  } while (!done_changed_.wait_for(lock, kStep, [this] { return is_done_; }));
  std::fputs("\r\x1b[K", stderr);
}

}  // namespace fzm::cli
