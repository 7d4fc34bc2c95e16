#include "kernels/device/queue.h"

#include <algorithm>

namespace fzm {

Status Queue::check(DeviceError error, const char* what) const {
  if (error == 0) return {};
  return Status(Code::no_device, std::string(what) + ": " + device_.text(error));
}

Status Queue::allocate(uint64_t bytes, DeviceBuffer& to) {
  void* const data = device_.allocate(std::max<uint64_t>(bytes, 1));
  if (!data) return Status(Code::no_device, "no device memory for " + std::to_string(bytes) + " bytes");
  to = DeviceBuffer(device_, data, bytes);
  return {};
}

Status Queue::allocate(uint64_t bytes, std::shared_ptr<DeviceBuffer>& to) {
  DeviceBuffer buffer;
  FZM_TRY(allocate(bytes, buffer));
  to = std::make_shared<DeviceBuffer>(std::move(buffer));
  return {};
}

Status Queue::to_device(void* to, const void* from, uint64_t bytes) {
  if (bytes == 0) return {};
  touches_host_ = true;
  return check(device_.to_device(to, from, bytes), "copying to the device");
}

Status Queue::to_device(void* to, std::vector<uint8_t> few) {
  kept_.push_back(std::move(few));
  return to_device(to, kept_.back().data(), kept_.back().size());
}

Status Queue::to_host(void* to, const void* from, uint64_t bytes) {
  if (bytes == 0) return {};
  touches_host_ = true;
  return check(device_.to_host(to, from, bytes), "copying to the host");
}

Status Queue::copy(void* to, const void* from, uint64_t bytes) {
  return bytes == 0 ? Status() : check(device_.copy(to, from, bytes), "copying on the device");
}

Status Queue::clear(void* to, uint64_t bytes) {
  return bytes == 0 ? Status() : check(device_.clear(to, bytes), "clearing device memory");
}

Status Queue::scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) {
  return check(device_.scan_sizes(size, n, at), "adding up sizes");
}

Status Queue::gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                            uint64_t room) {
  return blocks == 0 ? Status() : check(device_.gather_pieces(slots, slot_bytes, at, blocks, to, room), "gathering pieces");
}

Status Queue::wait() {
  const DeviceError error = device_.wait();
  touches_host_ = false;
  kept_.clear();
  return check(error, "waiting for the device");
}

void Queue::drain() {
  if (touches_host_) (void)device_.wait();
  touches_host_ = false;
  kept_.clear();
}

}  // namespace fzm
