// Bytes that are not cleared first, for arrays and sections.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace fzm {

class Memory {
 public:
  Memory() = default;
  // `slack` more bytes may be overwritten past the end. is_there() is false when there is no memory.
  // Aligned to 64; memory is not touched, so what is never written costs address space only.
  explicit Memory(uint64_t bytes, uint64_t slack = 64);
  bool is_there() const { return data_ != nullptr; }
  uint8_t* data() const { return data_.get(); }
  // Gives back what lies beyond the first `bytes` (and the slack). They may move.
  void shrink(uint64_t bytes, uint64_t slack = 64);
  uint64_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  uint64_t bytes_ = 0;
};

}  // namespace fzm
