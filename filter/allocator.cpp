#include "filter/allocator.h"

#include <cstdlib>

#include "filter/calling_library.h"

namespace fzm::filter {

namespace {

void* allocate_from_c(size_t bytes, bool) { return std::malloc(bytes); }

int release_to_c(void* memory) {
  std::free(memory);
  return 0;
}

}  // namespace

Allocator Allocator::of_caller(const void* return_address) {
  const Library library = library_at(return_address, "H5allocate_memory");
  if (library) {
    // hbool_t is bool since 1.8.15's C99 builds; a register that holds 0 is false in all its forms.
    const auto allocate = reinterpret_cast<Allocate>(library.find("H5allocate_memory"));
    const auto release = reinterpret_cast<Release>(library.find("H5free_memory"));
    if (allocate && release) return {allocate, release};
  }
  return {allocate_from_c, release_to_c};
}

}  // namespace fzm::filter
