#include "kernels/cuda/timing.h"

#include <algorithm>
#include <map>

#include "kernels/cuda/launch_count.h"

namespace fzm {
namespace {

// Records, counts and sizes that the host needs to go on. What is longer is content.
constexpr uint64_t kShortBytes = 64 << 10;
// More than any second-level cache of today holds.
constexpr uint64_t kCacheBytes = 256 << 20;

// A device on which long arrays neither come nor go: what came once is copied from where it is, and what leaves is
// copied to a place of its own.
class ResidentDevice final : public Device {
 public:
  explicit ResidentDevice(CudaDevice& real) : real_(real) {}
  ~ResidentDevice() override {
    for (const auto& [host, there] : arrived_) real_.release(there.memory);
    real_.release(sink_);
  }

  void* allocate(uint64_t bytes) override { return real_.allocate(bytes); }
  void release(void* memory) override { real_.release(memory); }
  DeviceError to_device(void* to, const void* from, uint64_t bytes) override {
    if (bytes <= kShortBytes) return real_.to_device(to, from, bytes);
    Array& there = arrived_[from];
    if (there.bytes == bytes) return real_.copy(to, there.memory, bytes);
    real_.release(there.memory);
    there = {real_.allocate(bytes), bytes};
    if (there.memory == nullptr) {
      there = {};
      return cudaErrorMemoryAllocation;
    }
    if (const DeviceError e = real_.to_device(there.memory, from, bytes); e != 0) return e;
    return real_.copy(to, there.memory, bytes);
  }
  DeviceError to_host(void* to, const void* from, uint64_t bytes) override {
    if (bytes <= kShortBytes) return real_.to_host(to, from, bytes);
    if (sink_bytes_ < bytes) {
      real_.release(sink_);
      sink_ = real_.allocate(bytes);
      sink_bytes_ = sink_ ? bytes : 0;
    }
    return sink_ ? real_.copy(sink_, from, bytes) : cudaErrorMemoryAllocation;
  }
  DeviceError copy(void* to, const void* from, uint64_t bytes) override { return real_.copy(to, from, bytes); }
  DeviceError clear(void* to, uint64_t bytes) override { return real_.clear(to, bytes); }
  DeviceError wait() override { return real_.wait(); }
  Stream stream() override { return real_.stream(); }
  std::span<const DeviceCode> codes(std::string_view folder) override { return real_.codes(folder); }
  DeviceError scan_sizes(const uint32_t* size, uint32_t n, uint64_t* at) override { return real_.scan_sizes(size, n, at); }
  DeviceError gather_pieces(const uint8_t* slots, uint64_t slot_bytes, const uint64_t* at, uint32_t blocks, uint8_t* to,
                            uint64_t room) override {
    return real_.gather_pieces(slots, slot_bytes, at, blocks, to, room);
  }
  std::string text(DeviceError error) override { return real_.text(error); }

 private:
  struct Array {
    void* memory = nullptr;
    uint64_t bytes = 0;
  };
  CudaDevice& real_;
  std::map<const void*, Array> arrived_;  // by where it is on the host
  void* sink_ = nullptr;
  uint64_t sink_bytes_ = 0;
};

// Two events around queued work, behind a walk over memory that empties the cache.
class Stopwatch {
 public:
  explicit Stopwatch(CudaDevice& device) : device_(device), cold_(device.allocate(kCacheBytes)) {
    const cudaError_t first = cudaEventCreate(&start_), second = cudaEventCreate(&stop_);
    error_ = first != cudaSuccess ? first : second;
  }
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() {
    device_.release(cold_);
    if (start_) cudaEventDestroy(start_);
    if (stop_) cudaEventDestroy(stop_);
  }
  void start() {
    if (cold_) note(device_.clear(cold_, kCacheBytes));
    note(cudaEventRecord(start_, device_.stream()));
  }
  double stop() {
    float milliseconds = 0;
    note(cudaEventRecord(stop_, device_.stream()));
    note(device_.wait());
    if (error_ == 0) note(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds / 1e3;
  }
  DeviceError error() const { return error_; }

 private:
  void note(DeviceError e) {
    if (error_ == 0) error_ = e;
  }
  CudaDevice& device_;
  void* cold_;  // null: no memory for it, and the cache stays as it is
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  DeviceError error_ = 0;
};

}  // namespace

DeviceError time_runs(CudaDevice& device, uint32_t repeats, const std::function<Status(Device&)>& run, DeviceRuns& runs) {
  ResidentDevice resident(device);
  if (!run(resident).ok()) return cudaErrorMemoryAllocation;
  Stopwatch watch(device);
  runs.seconds.clear();
  for (uint32_t i = 0; i < repeats && watch.error() == 0; ++i) {
    const uint64_t launches = kernels_launched;
    watch.start();
    if (!run(resident).ok()) return cudaErrorMemoryAllocation;
    runs.seconds.push_back(watch.stop());
    runs.launches = kernels_launched - launches;
  }
  return watch.error();
}

DeviceError time_copies(CudaDevice& device, uint32_t repeats, uint64_t bytes, std::vector<double>& seconds) {
  void* const from = device.allocate(bytes);
  void* const to = device.allocate(bytes);
  DeviceError e = from && to ? device.clear(from, bytes) : cudaErrorMemoryAllocation;
  Stopwatch watch(device);
  if (e == 0) e = watch.error();
  seconds.clear();
  for (uint32_t i = 0; i <= repeats && e == 0; ++i) {
    watch.start();
    e = device.copy(to, from, bytes);
    const double s = watch.stop();
    if (i > 0) seconds.push_back(s);  // the first one warms up
    if (e == 0) e = watch.error();
  }
  device.release(from);
  device.release(to);
  return e;
}

std::string device_name(int device) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return "CUDA device";
  return std::string(properties.name) + ", " + std::to_string(properties.multiProcessorCount) + " multiprocessors";
}

}  // namespace fzm
