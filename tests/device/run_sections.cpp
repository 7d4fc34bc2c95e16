#include "tests/device/run_sections.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>

#include "tests/device/section.h"

namespace fzm::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kSecondsPerCase = 60;  // a case takes milliseconds: beyond this something hangs
constexpr int kSkipped = 77, kDeviceLost = 5, kHangs = 4;
constexpr uint32_t kMostRestarts = 5;
constexpr uint64_t kMostLines = 20;  // of failures a section

// Of one section, in memory that parent and child share.
struct Progress {
  uint64_t next, ran, unsuited, failed;
  double seconds;
};

int log_file = -1;
const char* section_now = "";

// One write a line, so that lines of several processes do not mix.
void say(std::string line) {
  line += '\n';
  for (const int file : {STDOUT_FILENO, log_file}) {
    if (file < 0) continue;
    [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
  }
}

void on_alarm(int) {
  static const char text[] = ": no answer, the process ends\n";
  [[maybe_unused]] ssize_t written = ::write(STDOUT_FILENO, section_now, std::strlen(section_now));
  written = ::write(STDOUT_FILENO, text, sizeof text - 1);
  _exit(kHangs);
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Cases of one section until its time is over. Returns an exit status.
int work(const Section& section, const RunOptions& options, double seconds, Progress& progress) {
  section_now = section.name.c_str();
  std::signal(SIGALRM, on_alarm);
  alarm(kSecondsPerCase);
  std::string why;
  const std::unique_ptr<Device> device = open_device(why);
  if (!device) {
    say(section.name + ": " + why);
    return kSkipped;
  }
  Clock::time_point start = Clock::now();
  const uint64_t most = options.cases != 0 && (section.cases == 0 || options.cases < section.cases) ? options.cases : section.cases;
  while (progress.seconds < seconds && (most == 0 || progress.next < most)) {
    if (options.only_case >= 0) progress.next = static_cast<uint64_t>(options.only_case);
    alarm(kSecondsPerCase);
    const uint64_t number = progress.next;
    CaseResult result;
    try {
      result = section.run(number, options.seed, device.get());
    } catch (const std::exception& e) {
      result.failure = std::string("exception: ") + e.what();
    }
    ++progress.next;
    ++(result.ran ? progress.ran : progress.unsuited);
    progress.seconds += seconds_since(start);
    start = Clock::now();
    if (!result.failure.empty()) {
      if (++progress.failed <= kMostLines)
        say("FAILED " + section.name + ", case " + std::to_string(number) + ": " + result.failure);
      if (device->wait() != 0) return kDeviceLost;
    }
    if (options.only_case >= 0) break;
  }
  return 0;
}

// Without the destructors of a driver that a failed kernel may have left in any state.
[[noreturn]] void leave(int status) {
  std::fflush(nullptr);
  _exit(status);
}

class Runner {
 public:
  Runner(const RunOptions& options, std::vector<Section> sections)
      : options_(options), sections_(std::move(sections)), seconds_(options.seconds * options.jobs / static_cast<double>(std::max<size_t>(sections_.size(), 1))) {
    const size_t bytes = sizeof(Progress) * (sections_.size() + 1);
    void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) std::abort();
    progress_ = static_cast<Progress*>(shared);
    restarts_.assign(sections_.size(), 0);
  }

  int run() {
    for (size_t i = 0; i < sections_.size() && !skipped_; ++i) {
      if (options_.in_this_process) {
        ended(i, work(sections_[i], options_, seconds_, progress_[i]));
        continue;
      }
      start(i);
      while (running_.size() >= options_.jobs) wait_for_one();
    }
    while (!running_.empty()) wait_for_one();
    return summary();
  }

 private:
  void start(size_t i) {
    const pid_t child = fork();
    if (child == 0) leave(work(sections_[i], options_, seconds_, progress_[i]));
    if (child < 0) say(sections_[i].name + ": no process for it");
    else running_[child] = i;
  }
  void wait_for_one() {
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    const auto found = running_.find(child);
    if (child < 0) running_.clear();
    if (found == running_.end()) return;
    const size_t i = found->second;
    running_.erase(found);
    ended(i, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  void ended(size_t i, int status) {
    Progress& p = progress_[i];
    if (status == 0) return;
    if (status == kSkipped) {
      skipped_ = true;
      return;
    }
    if (status != kDeviceLost) {  // in the middle of a case
      say("FAILED " + sections_[i].name + ", case " + std::to_string(p.next) + ": the process ended with " + std::to_string(status));
      ++p.next, ++p.ran, ++p.failed;
    }
    if (options_.in_this_process || options_.only_case >= 0) return;
    if (++restarts_[i] <= kMostRestarts) start(i);
    else say("FAILED " + sections_[i].name + ": given up behind case " + std::to_string(p.next));
  }
  int summary() {
    if (skipped_) {
      say("skipped: there is no device");
      return kSkipped;
    }
    uint64_t ran = 0, failed = 0;
    say("\nsection                      cases  unsuited   failed  restarts  seconds");
    for (size_t i = 0; i < sections_.size(); ++i) {
      const Progress& p = progress_[i];
      char line[160];
      std::snprintf(line, sizeof line, "%-26s %7llu  %8llu  %7llu  %8u  %7.1f", sections_[i].name.c_str(), static_cast<unsigned long long>(p.ran),
                    static_cast<unsigned long long>(p.unsuited), static_cast<unsigned long long>(p.failed), restarts_[i], p.seconds);
      say(line);
      ran += p.ran;
      failed += p.failed;
      if (p.ran == 0) say("FAILED " + sections_[i].name + ": no case ran"), ++failed;
    }
    say(std::to_string(ran) + " cases ran, " + std::to_string(failed) + " failed, seed " + std::to_string(options_.seed));
    return failed == 0 ? 0 : 1;
  }

  const RunOptions& options_;
  const std::vector<Section> sections_;
  const double seconds_;  // of a section
  Progress* progress_;
  std::vector<uint32_t> restarts_;
  std::map<pid_t, size_t> running_;
  bool skipped_ = false;
};

}  // namespace

bool read_options(int count, char** words, RunOptions& options) {
  for (int i = 1; i < count; ++i) {
    const std::string name = words[i];
    if (name == "--in-this-process") {
      options.in_this_process = true;
      continue;
    }
    const char* const value = i + 1 < count ? words[++i] : nullptr;
    if (value == nullptr) {
      std::fprintf(stderr, "%s: unknown, or its value is missing; there are --seconds N, --cases N, --seed N, --case N, --filter TEXT, "
                           "--jobs N, --log FILE, --in-this-process\n", name.c_str());
      return false;
    }
    if (name == "--seconds") options.seconds = std::strtod(value, nullptr);
    else if (name == "--cases") options.cases = std::strtoull(value, nullptr, 10);
    else if (name == "--seed") options.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--case") options.only_case = std::strtoll(value, nullptr, 10);
    else if (name == "--filter") options.filter = value;
    else if (name == "--jobs") options.jobs = std::max(1u, static_cast<uint32_t>(std::strtoul(value, nullptr, 10)));
    else if (name == "--log") options.log = value;
    else {
      std::fprintf(stderr, "%s: there is no such option\n", name.c_str());
      return false;
    }
  }
  return true;
}

int run_sections(const RunOptions& options) {
  if (!options.log.empty()) log_file = ::open(options.log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  std::vector<Section> chosen;
  for (const auto& list : {device_sections(), codec_sections(), pipeline_sections()})
    for (const Section& s : list)
      if (s.name.find(options.filter) != std::string::npos) chosen.push_back(s);
  if (chosen.empty()) {
    std::fprintf(stderr, "--filter %s: no section has such a name\n", options.filter.c_str());
    return 2;
  }
  return Runner(options, std::move(chosen)).run();
}

}  // namespace fzm::test
