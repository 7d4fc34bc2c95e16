#include "tests/support/cta_on_cpu.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/switch_stack.h"

#if defined(__SANITIZE_THREAD__)
#define FZM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FZM_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FZM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FZM_ASAN 1
#endif
#endif
#if FZM_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#if FZM_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

// The emulation's own state is not the block's memory: ThreadSanitizer must not see it, in order not to report it and,
// above all, in order not to take an exchange between lanes for a barrier, which it isn't on a GPU.
#define FZM_UNSEEN __attribute__((no_sanitize("thread"), noinline))

namespace fzm::emulation {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr uint32_t kMostWarps = kMostWorkers / 32;

struct Fiber {
  Place place;
  const char* stack;
  size_t stack_bytes;
  void* tsan;
  void* asan;
};

struct Warp {
  Lanes lanes[2];  // alternating: a lane can't be two exchanges ahead of one that still reads
  uint32_t done, arrived;
  Exchange kind;
};

struct Block {
  Fiber host, fiber[kMostWorkers];
  Warp warp[kMostWarps];
  uint32_t made, workers, running;   // fibers that exist; of this block; not yet at the end
  uint32_t ready[kMostWorkers], ready_count;
  uint32_t current;
  uint32_t at_barrier, barriers;
  bool vote[2];
  char order[2];  // ThreadSanitizer's name for a barrier: one for even, one for odd ones
  char start, end;  // and for the launch and the end
  uint64_t random;
  void (*body)(void*);
  void* argument;
};

thread_local Block* block;

[[noreturn]] FZM_UNSEEN void stop(const char* what) {
  std::fprintf(stderr, "emulated CUDA block: %s (worker %u of %u; %u at the barrier, %u at their end)\n", what,
               block->current, block->workers, block->at_barrier, block->workers - block->running);
  std::abort();
}

#if FZM_ASAN
// The host's stack is known only to the sanitizer, which tells it to the worker that comes next.
FZM_UNSEEN void arrived_from(void* asan) {
  const void* stack;
  size_t bytes;
  __sanitizer_finish_switch_fiber(asan, &stack, &bytes);
  if (block->host.stack != nullptr) return;
  block->host.stack = static_cast<const char*>(stack);
  block->host.stack_bytes = bytes;
}
#endif

FZM_UNSEEN void switch_fiber(Fiber& from, Fiber& to) {
#if FZM_ASAN
  __sanitizer_start_switch_fiber(&from.asan, to.stack, to.stack_bytes);
#endif
#if FZM_TSAN
  __tsan_switch_to_fiber(to.tsan, __tsan_switch_to_fiber_no_sync);
#endif
  switch_place(from.place, to.place);
#if FZM_ASAN
  arrived_from(from.asan);
#endif
}

FZM_UNSEEN void order_before(char* name) {
#if FZM_TSAN
  __tsan_release(name);
#else
  (void)name;
#endif
}
FZM_UNSEEN void order_after(char* name) {
#if FZM_TSAN
  __tsan_acquire(name);
#else
  (void)name;
#endif
}

// Some worker that can go on; the present one is parked until somebody makes it ready.
FZM_UNSEEN void park() {
  Block& b = *block;
  const uint32_t self = b.current;
  if (b.ready_count == 0) stop("some workers wait for others that never come: a verb in divergent code");
  b.random = b.random * 6364136223846793005ull + 1442695040888963407ull;
  const uint32_t k = static_cast<uint32_t>(b.random >> 33) % b.ready_count;
  const uint32_t next = b.ready[k];
  b.ready[k] = b.ready[--b.ready_count];
  if (next == self) return;
  b.current = next;
  switch_fiber(b.fiber[self], b.fiber[next]);
}

FZM_UNSEEN void make_ready(uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) block->ready[block->ready_count++] = first + i;
}

FZM_UNSEEN void run_worker() {
  Block& b = *block;
#if FZM_ASAN
  arrived_from(nullptr);
#endif
  for (;;) {
    order_after(&b.start);
    b.body(b.argument);
    order_before(&b.end);
    const uint32_t self = b.current;
    if (--b.running == 0) switch_fiber(b.fiber[self], b.host);
    else park();
  }
}

FZM_UNSEEN void make_fibers(Block& b, uint32_t workers) {
  for (; b.made < workers; ++b.made) {
    Fiber& f = b.fiber[b.made];
    void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) stop("no memory for a stack");
    f.stack = static_cast<char*>(stack);
    f.stack_bytes = kStackBytes;
    begin_at(f.place, stack, kStackBytes, run_worker);
#if FZM_TSAN
    f.tsan = __tsan_create_fiber(0);
#endif
  }
}

}  // namespace

FZM_UNSEEN void run_block(uint32_t workers, uint64_t seed, void (*body)(void*), void* argument) {
  if (block == nullptr) block = static_cast<Block*>(std::calloc(1, sizeof(Block)));  // kept for the thread's life
  Block& b = *block;
  if (workers == 0 || workers % 32 != 0 || workers > kMostWorkers) stop("a block has 32, 64, ... 1024 workers");
  make_fibers(b, workers);
  b.workers = b.running = workers;
  b.ready_count = b.at_barrier = b.barriers = 0;
  b.vote[0] = b.vote[1] = false;
  for (uint32_t w = 0; w < workers / 32; ++w) b.warp[w].done = b.warp[w].arrived = 0;
  b.random = seed * 0x9E3779B97F4A7C15ull + 1;
  b.body = body;
  b.argument = argument;
  make_ready(0, workers);
  order_before(&b.start);
#if FZM_TSAN
  b.host.tsan = __tsan_get_current_fiber();
#endif
  b.host.stack = nullptr;
  const uint32_t first = b.ready[--b.ready_count];
  b.current = first;
  switch_fiber(b.host, b.fiber[first]);
  order_after(&b.end);
}

FZM_UNSEEN bool block_barrier(bool vote) {
  Block& b = *block;
  const uint32_t which = b.barriers % 2;
  b.vote[which] |= vote;
  order_before(&b.order[which]);
  if (++b.at_barrier == b.workers) {
    b.at_barrier = 0;
    ++b.barriers;
    b.vote[1 - which] = false;  // everybody has read the one before
    make_ready(0, b.workers);
  }
  park();
  order_after(&b.order[which]);
  return b.vote[which];
}

FZM_UNSEEN const Lanes& exchange(Exchange kind, uint64_t given) {
  Block& b = *block;
  const uint32_t lane = b.current % 32, first = b.current - lane;
  Warp& w = b.warp[first / 32];
  Lanes& lanes = w.lanes[w.done % 2];
  if (w.arrived == 0) {
    w.kind = kind;
    lanes.votes = 0;
  }
  if (w.kind != kind) stop("lanes of a warp are in different exchanges");
  lanes.given[lane] = given;
  if (given != 0) lanes.votes |= 1u << lane;
  if (++w.arrived == 32) {
    w.arrived = 0;
    ++w.done;
    make_ready(first, 32);
  }
  park();
  return lanes;
}

FZM_UNSEEN WorkerIndex::operator uint32_t() const { return block->current; }
FZM_UNSEEN BlockSize::operator uint32_t() const { return block->workers; }
FZM_UNSEEN uint64_t given_by(const Lanes& lanes, uint32_t lane) { return lanes.given[lane]; }
FZM_UNSEEN uint32_t votes_of(const Lanes& lanes) { return lanes.votes; }

}  // namespace fzm::emulation
