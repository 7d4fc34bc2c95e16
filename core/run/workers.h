// Several threads for one call. None outlives it, so that fork is always safe.
#pragma once
#include <cstdint>
#include <functional>

namespace fzm {

// run(i) for i < n, each on a thread of its own (the last on the caller's). Threads that cannot be had are done without.
void run_on_threads(uint32_t n, const std::function<void(uint32_t)>& run);

// How many workers an array of `values` is worth.
uint32_t workers_for(uint64_t values, uint32_t threads);

}  // namespace fzm
