// Device memory of a test: full of garbage before, with guards on both sides that must be untouched after.
#pragma once
#include <string>
#include <vector>

#include "kernels/device/device.h"

namespace fzm::test {

// The rooms of one piece of work. Errors are kept: the first one counts.
class DeviceRooms {
 public:
  explicit DeviceRooms(Device& device) : device_(device) {}
  DeviceRooms(const DeviceRooms&) = delete;
  ~DeviceRooms() {
    for (const Room& r : rooms_) device_.release(r.memory);
  }

  // `skew` bytes behind a boundary of 256; null (and an error) where there is no memory.
  uint8_t* room(const char* name, uint64_t bytes, uint32_t skew = 0) {
    auto* const memory = static_cast<uint8_t*>(device_.allocate(2 * kGuard + bytes + skew));
    if (memory == nullptr) {
      if (error_.empty()) error_ = std::string("no device memory for ") + name + ", " + std::to_string(bytes) + " bytes";
      return nullptr;
    }
    rooms_.push_back({name, memory, bytes, skew});
    garbage_.assign(2 * kGuard + bytes + skew, kFill);
    check(device_.to_device(memory, garbage_.data(), garbage_.size()), name);
    check(device_.wait(), name);  // the garbage is ours again
    return memory + kGuard + skew;
  }
  uint8_t* room_with(const char* name, const std::vector<uint8_t>& content, uint32_t skew = 0) {
    uint8_t* const at = room(name, content.size(), skew);
    if (at != nullptr) check(device_.to_device(at, content.data(), content.size()), name);
    return at;
  }
  void clear(void* at, uint64_t bytes) { check(device_.clear(at, bytes), "clearing"); }
  // Complete after finish().
  void fetch(std::vector<uint8_t>& to, const void* from, uint64_t bytes) {
    to.resize(bytes);
    if (ok()) check(device_.to_host(to.data(), from, bytes), "fetching");
  }

  bool check(DeviceError error, const std::string& what) {
    if (error != 0 && error_.empty()) error_ = what + ": " + device_.text(error);
    return error_.empty();
  }
  void fail(const std::string& sentence) {
    if (error_.empty()) error_ = sentence;
  }
  bool ok() const { return error_.empty(); }

  // Waits, and looks at the guards. Returns the first error, empty where all is well.
  std::string finish() {
    std::vector<std::vector<uint8_t>> guards;
    guards.reserve(2 * rooms_.size());
    for (const Room& r : rooms_) {
      fetch(guards.emplace_back(), r.memory, kGuard + r.skew);
      fetch(guards.emplace_back(), r.memory + kGuard + r.skew + r.bytes, kGuard);
    }
    check(device_.wait(), "waiting");
    for (size_t i = 0; i < guards.size() && ok(); ++i)
      for (const uint8_t b : guards[i])
        if (b != kFill) fail(std::string("bytes ") + (i % 2 ? "behind '" : "before '") + rooms_[i / 2].name + "' were written");
    return error_;
  }

 private:
  static constexpr uint64_t kGuard = 256;
  static constexpr uint8_t kFill = 0xC3;
  struct Room {
    const char* name;
    uint8_t* memory;
    uint64_t bytes;
    uint32_t skew;
  };
  Device& device_;
  std::vector<Room> rooms_;
  std::vector<uint8_t> garbage_;
  std::string error_;
};

}  // namespace fzm::test
