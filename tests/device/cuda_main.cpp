// fzm_device_conformance: the device conformance run on CUDA.
#include "kernels/cuda/cuda_device.h"
#include "tests/device/run_sections.h"

namespace fzm::test {
namespace {

std::unique_ptr<Device> no_device(std::string& why, const char* what, DeviceError error) {
  why = std::string(what) + ": " + CudaDevice::text_of(error);
  return nullptr;
}

}  // namespace

std::unique_ptr<Device> open_device(std::string& why) {
  int count = 0;
  if (const cudaError_t e = cudaGetDeviceCount(&count); e != cudaSuccess || count == 0)
    return no_device(why, "no CUDA device", e);
  if (const cudaError_t e = cudaSetDevice(0); e != cudaSuccess) return no_device(why, "device 0", e);
  DevicePool* pool = nullptr;  // outlives the device
  if (const cudaError_t e = open_pool(0, 0, pool); e != cudaSuccess) return no_device(why, "memory of device 0", e);
  std::unique_ptr<CudaDevice> device;
  if (const DeviceError e = CudaDevice::make(*pool, device); e != 0) return no_device(why, "device 0", e);
  return device;
}

}  // namespace fzm::test

int main(int count, char** words) {
  fzm::test::RunOptions options;
  if (!fzm::test::read_options(count, words, options)) return 2;
  return fzm::test::run_sections(options);
}
