// The CUDA device of this process and a few streams on it, which the calls of all threads take in turns.
//
// Nothing is made before the first chunk comes. Nothing is destroyed: HDF5 may flush its last chunks while the process ends,
// when the order of destructors is anybody's guess; the driver takes everything back with the process. A forked child has
// none of it, since a context does not survive fork.
#pragma once
#include "kernels/cuda/cuda_device.h"

namespace fzm {

// A CudaDevice for the length of a call; gives it back.
class DeviceLease {
 public:
  DeviceLease() = default;
  explicit DeviceLease(CudaDevice* device) : device_(device) {}
  DeviceLease(const DeviceLease&) = delete;
  DeviceLease& operator=(const DeviceLease&) = delete;
  ~DeviceLease();

  explicit operator bool() const { return device_ != nullptr; }
  CudaDevice& operator*() const { return *device_; }
  CudaDevice* operator->() const { return device_; }

 private:
  CudaDevice* device_ = nullptr;
};

// Waits while all are taken. Empty where the device is not to be used: none is there, it was lost, this is a forked child, or
// the process ends.
DeviceLease lease_device();

// For the rest of the process. `why` is a sentence.
void give_up_device(const std::string& why);

}  // namespace fzm
