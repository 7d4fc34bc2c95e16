#include "core/run/workers.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace fzm {
namespace {

// Starting a thread costs some 20 us; 128 Ki values take the fastest codec about 100 us.
constexpr uint64_t kValuesPerWorker = 1u << 17;

}  // namespace

void run_on_threads(uint32_t n, const std::function<void(uint32_t)>& run) {
  std::vector<std::thread> threads;
  uint32_t i = 0;
  try {
    for (; i + 1 < n; ++i) threads.emplace_back([&run, i] { run(i); });
  } catch (const std::system_error&) {  // no more threads: the caller does the rest
  }
  for (; i < n; ++i) run(i);
  for (std::thread& t : threads) t.join();
}

uint32_t workers_for(uint64_t values, uint32_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<uint32_t>(std::clamp<uint64_t>(values / kValuesPerWorker, 1, threads));
}

}  // namespace fzm
