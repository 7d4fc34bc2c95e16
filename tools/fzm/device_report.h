// What `fzm bench --backend cuda` says about the device alone.
#pragma once
#include "core/fzm.h"
#include "tools/fzm/text.h"

namespace fzm::cli {

// Lines of speed, kernels and memory each way.
std::string to_text(const DeviceTimes& times, uint64_t frame_bytes);
std::string to_json(const DeviceTimes& times, uint64_t frame_bytes);

// A row a preset.
class DeviceTable {
 public:
  DeviceTable();
  // The last two: GB/s from host memory to a frame in it, and back.
  void add(const std::string& preset, const DeviceTimes& times, uint64_t frame_bytes, double host_encode, double host_decode);
  std::string text() const;  // empty without rows

 private:
  Table table_;
  std::string device_;
};

}  // namespace fzm::cli
