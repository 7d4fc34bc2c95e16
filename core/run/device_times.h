// How long a device takes by itself: for `fzm bench`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace fzm {

// One direction, with the arrays on the device before and after, and every wait of the run included.
struct DeviceRuns {
  std::vector<double> seconds;  // by the device's own clock, one a round
  uint64_t launches = 0;        // kernels of one round
  uint64_t peak_bytes = 0;      // of device memory: the arrays, the frame's parts and all between them
};
struct DeviceTimes {
  std::string device;  // "NVIDIA H200, 132 multiprocessors"
  DeviceRuns encode, decode;
  std::vector<double> copy_seconds;  // of a copy of the chunk within the device: reads and writes raw_bytes
  uint64_t raw_bytes = 0;
};

}  // namespace fzm
