// Chunk buffers pass between HDF5 and us, so they come from the calling library's allocator.
#pragma once
#include <cstddef>

namespace fzm::filter {

class Allocator {
 public:
  // H5allocate_memory and H5free_memory (1.8.15 and newer) of the object that calls; malloc and
  // free where it does not export them, as in programs with a private copy of HDF5.
  static Allocator of_caller(const void* return_address);

  void* allocate(size_t bytes) const { return allocate_(bytes, false); }  // null: no memory
  void release(void* memory) const { release_(memory); }

 private:
  using Allocate = void* (*)(size_t bytes, bool clear);
  using Release = int (*)(void* memory);
  Allocator(Allocate a, Release r) : allocate_(a), release_(r) {}
  Allocate allocate_;
  Release release_;
};

}  // namespace fzm::filter
