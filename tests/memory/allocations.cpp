#include "tests/memory/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<uint64_t> held{0}, most{0};

void* count(void* p) {
  const uint64_t now = held += malloc_usable_size(p);
  uint64_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
  return p;
}
void forget(void* p) { held -= malloc_usable_size(p); }

}  // namespace

// The names that --wrap gives.
extern "C" {
void* __real_malloc(size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
void* __real_realloc(void* p, size_t bytes);
void __real_free(void* p);

void* __wrap_malloc(size_t bytes) { return count(__real_malloc(bytes)); }
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return count(__real_aligned_alloc(alignment, bytes));
}
void* __wrap_realloc(void* p, size_t bytes) {
  const size_t before = malloc_usable_size(p);
  void* const q = __real_realloc(p, bytes);
  if (q == nullptr) return q;
  held -= before;
  return count(q);
}
void __wrap_free(void* p) {
  forget(p);
  __real_free(p);
}
}

void* operator new(size_t bytes) {
  void* const p = std::malloc(bytes == 0 ? 1 : bytes);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }

namespace fzm::test {

uint64_t allocated_bytes() { return held; }
uint64_t peak_bytes() { return most; }
void forget_peak() { most = held.load(); }

}  // namespace fzm::test
