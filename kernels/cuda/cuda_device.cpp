#include "kernels/cuda/cuda_device.h"

#include <cstring>
#include <new>

#include "kernels/cuda/gather.h"

namespace fzm {
namespace {

// The driver copies as much aside by itself while it queues the transfer.
constexpr uint64_t kDriverStages = 64 << 10;

// Memory that the device reads by itself: pinned, managed, or its own.
bool is_reachable(const void* p) {
  cudaPointerAttributes about = {};
  if (cudaPointerGetAttributes(&about, p) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return about.type != cudaMemoryTypeUnregistered;
}

}  // namespace

DeviceError CudaDevice::make(DevicePool& pool, std::unique_ptr<CudaDevice>& made) {
  // Not the legacy stream's: work of the program around us is neither waited for nor held up.
  cudaStream_t stream = nullptr;
  if (const cudaError_t e = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); e != cudaSuccess) return e;
  made.reset(new (std::nothrow) CudaDevice(pool, stream));
  if (!made) return cudaErrorMemoryAllocation;
  void* box = nullptr;
  if (const cudaError_t e = cudaHostAlloc(&box, kBoxBytes, cudaHostAllocPortable); e != cudaSuccess) return e;
  made->box_ = static_cast<uint8_t*>(box);
  return cudaSuccess;
}

CudaDevice::~CudaDevice() {
  clean_up();
  memory_.drop_spares();
  if (box_) cudaFreeHost(box_);
  cudaStreamDestroy(stream_);
}

std::string CudaDevice::text_of(DeviceError error) {
  const auto e = static_cast<cudaError_t>(error);
  return std::string(cudaGetErrorString(e)) + " (" + cudaGetErrorName(e) + ")";
}

DeviceError CudaDevice::to_device(void* to, const void* from, uint64_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (bytes <= kDriverStages || is_reachable(from)) return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_);
  return staging_.to_device(to, from, bytes, stream_);
}

DeviceError CudaDevice::to_host(void* to, const void* from, uint64_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (is_reachable(to)) return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_);
  if (bytes > kBoxBytes - box_used_) return staging_.to_host(to, from, bytes, stream_);
  const auto n = static_cast<uint32_t>(bytes);
  deliveries_.push_back({to, box_used_, n});
  uint8_t* const in_box = box_ + box_used_;
  box_used_ += (n + 15) / 16 * 16;  // at most kBoxBytes, a multiple of 16
  return cudaMemcpyAsync(in_box, from, n, cudaMemcpyDeviceToHost, stream_);
}

DeviceError CudaDevice::copy(void* to, const void* from, uint64_t bytes) {
  if (bytes == 0) return cudaSuccess;
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_);
}

DeviceError CudaDevice::clear(void* to, uint64_t bytes) {
  if (bytes == 0) return cudaSuccess;
  return cudaMemsetAsync(to, 0, bytes, stream_);
}

DeviceError CudaDevice::wait() {
  const cudaError_t e = cudaStreamSynchronize(stream_);
  if (e == cudaSuccess)
    for (const Delivery& d : deliveries_) std::memcpy(d.to, box_ + d.at, d.bytes);
  deliveries_.clear();
  box_used_ = 0;
  return e == cudaSuccess ? memory_.failure() : e;
}

DeviceError CudaDevice::clean_up() {
  deliveries_.clear();  // their places may be gone
  const DeviceError e = wait();
  memory_.release_all();
  return e;
}

DeviceError CudaDevice::scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) {
  size_t temp_bytes = 0;
  if (const cudaError_t e = fzm::scan_sizes(size, n, at, nullptr, temp_bytes, stream_); e != cudaSuccess) return e;
  void* const temp = memory_.allocate(temp_bytes);
  if (temp == nullptr) return cudaErrorMemoryAllocation;
  const cudaError_t e = fzm::scan_sizes(size, n, at, temp, temp_bytes, stream_);
  memory_.release(temp);
  return e;
}

DeviceError CudaDevice::gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                                      uint64_t room) {
  return fzm::gather_pieces(slots, slot_bytes, at, blocks, to, room, stream_);
}

}  // namespace fzm
