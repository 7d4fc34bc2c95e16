// Bytes that are not cleared first, for arrays and sections.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace fzm {

// 64-byte aligned memory, in huge pages where it is large and the system has them; null where there is none.
uint8_t* allocate_bytes(uint64_t bytes);

class Memory {
 public:
  Memory() = default;
  // `slack` more bytes may be overwritten past the end. is_there() is false when there is no memory.
  explicit Memory(uint64_t bytes, uint64_t slack = 64) : data_(allocate_bytes(bytes + slack)), bytes_(bytes) {}
  bool is_there() const { return data_ != nullptr; }
  uint8_t* data() const { return data_.get(); }
  uint64_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  uint64_t bytes_ = 0;
};

}  // namespace fzm
