// Goes on on another stack. On x86-64 in ten instructions: swapcontext asks the kernel about signals each time, and
// AddressSanitizer wipes its shadow of the whole stack for it, a hundred times slower.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)

namespace fzm::emulation {

struct Place {
  void* stack_pointer;
};

extern "C" void fzm_switch_stack(void** from, void* to);
asm(R"(
.pushsection .text
.weak fzm_switch_stack
.hidden fzm_switch_stack
.type fzm_switch_stack, @function
fzm_switch_stack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size fzm_switch_stack, .-fzm_switch_stack
.popsection
)");

// The first switch to `place` enters run, which never returns. `stack` is aligned to 16.
inline void begin_at(Place& place, void* stack, size_t bytes, void (*run)()) {
  auto* const top = reinterpret_cast<uint64_t*>(static_cast<char*>(stack) + bytes) - 2;
  top[0] = reinterpret_cast<uint64_t>(run);
  top[1] = 0;  // no caller
  for (int i = 1; i <= 6; ++i) top[-i] = 0;
  place.stack_pointer = top - 6;
}
inline void switch_place(Place& from, Place& to) { fzm_switch_stack(&from.stack_pointer, to.stack_pointer); }

}  // namespace fzm::emulation

#else
#include <ucontext.h>

namespace fzm::emulation {

struct Place {
  ucontext_t context;
};
inline void begin_at(Place& place, void* stack, size_t bytes, void (*run)()) {
  getcontext(&place.context);
  place.context.uc_stack.ss_sp = stack;
  place.context.uc_stack.ss_size = bytes;
  place.context.uc_link = nullptr;
  makecontext(&place.context, run, 0);
}
inline void switch_place(Place& from, Place& to) { swapcontext(&from.context, &to.context); }

}  // namespace fzm::emulation
#endif
