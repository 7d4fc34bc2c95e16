#include "core/base/memory.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fzm {
namespace {

constexpr uint64_t kCacheLine = 64;
constexpr uint64_t kHugePage = uint64_t{1} << 21;
// From here on huge pages are asked for. The C library keeps smaller blocks from call to call, but always maps these anew, and
// being stopped at every 4 KiB of them took half the time of encoding 64 MB by cuszp (docs/performance.md).
constexpr uint64_t kAlwaysMapped = uint64_t{32} << 20;

uint64_t up_to(uint64_t bytes, uint64_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

// Still the heap's memory, under the heap's own rules for keeping and returning it; this is advice about its pages.
uint8_t* allocate(uint64_t bytes) {
  if (bytes < kAlwaysMapped) return static_cast<uint8_t*>(std::aligned_alloc(kCacheLine, up_to(bytes, kCacheLine)));
  const uint64_t whole = up_to(bytes, kHugePage);
  auto* const p = static_cast<uint8_t*>(std::aligned_alloc(kHugePage, whole));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Refused where the kernel has none: small pages do as well.
  if (p != nullptr) (void)madvise(p, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return p;
}

}  // namespace

Memory::Memory(uint64_t bytes, uint64_t slack) : data_(allocate(bytes + slack + kCacheLine)), bytes_(bytes) {}

void Memory::shrink(uint64_t bytes, uint64_t slack) {
  if (!is_there()) return;
  void* const smaller = std::realloc(data_.get(), bytes + slack);
  if (smaller == nullptr) return;  // what there is stays
  (void)data_.release();
  data_.reset(static_cast<uint8_t*>(smaller));
  bytes_ = bytes;
}

}  // namespace fzm
