// A progress bar on stderr: only on a terminal, and only for work that takes more than a second.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace fzm::cli {

class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();  // wipes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // From 0 to 1. While it stays 0 only the time is shown.
  void set(double share) { share_ = share; }

 private:
  void draw_until_done();

  std::string label_;
  std::atomic<double> share_ = 0;
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool is_done_ = false;
  std::thread drawer_;
};

}  // namespace fzm::cli
