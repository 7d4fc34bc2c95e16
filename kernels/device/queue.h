// A Device with errors as Status, memory that gives itself back, and nothing in flight when it goes.
#pragma once
#include <memory>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/status.h"
#include "kernels/device/device.h"

namespace fzm {

// Device memory with one owner. Given back behind the work queued so far.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(Device& device, void* data, uint64_t bytes) : device_(&device), data_(data), bytes_(bytes) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() {
    if (data_) device_->release(data_);
  }
  uint8_t* data() const { return static_cast<uint8_t*>(data_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  uint64_t bytes() const { return bytes_; }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  Device* device_ = nullptr;
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
};

// All errors are Code::no_device: the host can do the work instead.
class Queue {
 public:
  explicit Queue(Device& device) : device_(device) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() { drain(); }

  Device& device() { return device_; }
  Stream stream() { return device_.stream(); }
  Status allocate(uint64_t bytes, DeviceBuffer& to);
  Status allocate(uint64_t bytes, std::shared_ptr<DeviceBuffer>& to);

  Status to_device(void* to, const void* from, uint64_t bytes);  // `from` must stay as it is until wait() or drain()
  Status to_device(void* to, std::vector<uint8_t> few);          // kept here until then
  Status to_host(void* to, const void* from, uint64_t bytes);    // `to` is complete after wait()
  Status copy(void* to, const void* from, uint64_t bytes);
  Status clear(void* to, uint64_t bytes);
  Status scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at);
  Status gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to, uint64_t room);
  Status check(DeviceError error, const char* what) const;

  Status wait();
  // Waits where a copy may still touch host memory. To be called before that memory goes, also after errors.
  void drain();

 private:
  Device& device_;
  bool touches_host_ = false;
  std::vector<std::vector<uint8_t>> kept_;
};

// To be declared behind host memory that queued copies touch, so that it goes first.
class DrainAtEnd {
 public:
  explicit DrainAtEnd(Queue& queue) : queue_(queue) {}
  DrainAtEnd(const DrainAtEnd&) = delete;
  DrainAtEnd& operator=(const DrainAtEnd&) = delete;
  ~DrainAtEnd() { queue_.drain(); }

 private:
  Queue& queue_;
};

}  // namespace fzm
