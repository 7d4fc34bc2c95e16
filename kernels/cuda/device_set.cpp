#include "kernels/cuda/device_set.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "core/base/notice.h"
#include "kernels/cuda/current_device.h"
#include "kernels/device/device_choice.h"

namespace fzm {
namespace {

// Enough to overlap one chunk's transfers with another's kernels, each way.
constexpr uint32_t kMostStreams = 4;

// Set when the process ends, before the driver's own handlers run: ours is registered after theirs.
constinit std::atomic<bool> is_ending = false;

struct DeviceSet {
  const pid_t owner = getpid();
  std::mutex mutex;
  std::condition_variable came_back;
  bool was_opened = false, is_usable = false;
  DevicePool* pool = nullptr;
  std::array<CudaDevice*, kMostStreams> idle{};
  uint32_t idle_count = 0, made = 0;
};

DeviceSet& device_set() {
  static DeviceSet* const set = new DeviceSet;
  return *set;
}

void close(DeviceSet& set, NoticeLevel level, const std::string& why) {
  set.is_usable = false;
  notice(level, why + "; chunks are done by the CPU");
  set.came_back.notify_all();
}

// A codec's worth of work, so that a device for which there is no code shows it now.
DeviceError probe(CudaDevice& device) {
  constexpr uint32_t kSizes = 64;
  auto* const size = static_cast<uint32_t*>(device.allocate(kSizes * sizeof(uint32_t)));
  auto* const at = static_cast<uint64_t*>(device.allocate(kSizes * sizeof(uint64_t)));
  if (size == nullptr || at == nullptr) return cudaErrorMemoryAllocation;
  DeviceError e = device.clear(size, kSizes * sizeof(uint32_t));
  if (e == 0) e = device.scan_sizes(size, kSizes, at);
  if (e == 0) e = device.wait();
  device.release(size);
  device.release(at);
  return e;
}

DeviceError add_stream(DeviceSet& set) {
  const OnDevice on(set.pool->device);
  if (on.error() != cudaSuccess) return on.error();
  std::unique_ptr<CudaDevice> device;
  if (const DeviceError e = CudaDevice::make(*set.pool, device); e != 0) return e;
  if (const DeviceError e = probe(*device); e != 0) return e;
  set.idle[set.idle_count++] = device.release();
  ++set.made;
  return 0;
}

// "" where all is well.
std::string open_device(DeviceSet& set, NoticeLevel& level) {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  level = NoticeLevel::info;  // most machines have none
  if (counted != cudaSuccess) return "no CUDA device: " + CudaDevice::text_of(counted);
  if (count == 0) return "no CUDA device";
  level = NoticeLevel::error;
  const char* const asked = std::getenv("FZM_DEVICE");
  const int device = choose_device({asked, device_in_use(count), local_rank()}, count);
  if (device < 0) return std::string("FZM_DEVICE = ") + asked + ": there are " + std::to_string(count) + " CUDA devices, from 0";
  const std::string name = "CUDA device " + std::to_string(device) + ": ";
  const OnDevice on(device);
  if (on.error() != cudaSuccess) return name + CudaDevice::text_of(on.error());
  if (const cudaError_t e = open_pool(device, 0, set.pool); e != cudaSuccess) return name + CudaDevice::text_of(e);
  if (const DeviceError e = add_stream(set); e != 0) return name + CudaDevice::text_of(e);
  return "";
}

void open_once(DeviceSet& set) {
  if (set.was_opened) return;
  set.was_opened = true;
  NoticeLevel level = NoticeLevel::error;
  const std::string why = open_device(set, level);
  set.is_usable = why.empty();
  if (!set.is_usable) return close(set, level, why);
  std::atexit([] { is_ending = true; });
}

}  // namespace

DeviceLease lease_device() {
  DeviceSet& set = device_set();
  if (is_ending || set.owner != getpid()) return DeviceLease();
  std::unique_lock lock(set.mutex);
  open_once(set);
  while (set.is_usable && set.idle_count == 0) {
    if (set.made < kMostStreams && add_stream(set) == 0) break;
    set.came_back.wait(lock);
  }
  if (!set.is_usable) return DeviceLease();
  return DeviceLease(set.idle[--set.idle_count]);
}

DeviceLease::~DeviceLease() {
  if (device_ == nullptr) return;
  DeviceSet& set = device_set();
  const std::lock_guard lock(set.mutex);
  set.idle[set.idle_count++] = device_;
  set.came_back.notify_one();
}

void give_up_device(const std::string& why) {
  DeviceSet& set = device_set();
  const std::lock_guard lock(set.mutex);
  if (set.is_usable) close(set, NoticeLevel::error, why);
}

}  // namespace fzm
