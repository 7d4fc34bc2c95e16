// The same work done by the three groups: SerialGroup, ScrambledGroup, and CtaGroup in an emulated block.
#pragma once
#include "tests/support/cta_on_cpu.h"
// The above comes first: it turns CtaGroup on.
#include <memory>
#include <utility>
#include <vector>

#include "kernels/base/cta_group.h"
#include "kernels/base/scrambled_group.h"

namespace fzm::test {

// A block's shape: its workers, and the order in which they proceed.
struct Shape {
  uint32_t workers;
  uint64_t seed;
};

// Equal but for bytes between members; true where the compiler can't tell those apart.
template <class T>
bool same_value(T a, T b) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&a);
  __builtin_clear_padding(&b);
  return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
#endif
#endif
  (void)a, (void)b;
  return true;
}

// f(CtaGroup) by every worker of a block; returns what worker 0 got, and sets `agree` to whether all got that.
template <class F>
auto in_block(Shape shape, uint32_t* fault, F f, bool* agree = nullptr) {
  using Value = decltype(f(std::declval<generic::CtaGroup>()));
  struct alignas(16) Shared {
    uint8_t bytes[generic::CtaGroup::kSharedBytes];
  };
  const auto shared = std::make_unique<Shared>();
  for (uint8_t& b : shared->bytes) b = 0xA5;
  std::vector<Value> got(shape.workers);
  const auto work = [&] { got[threadIdx.x] = f(generic::CtaGroup{fault, shared->bytes}); };
  emulation::run_block(shape.workers, shape.seed, work);
  if (agree) {
    *agree = true;
    for (const Value& v : got) *agree = *agree && same_value(v, got[0]);
  }
  return got[0];
}

}  // namespace fzm::test
