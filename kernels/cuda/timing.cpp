#include "kernels/cuda/timing.h"

#include "kernels/cuda/launch_count.h"

namespace fzm {
namespace {

// More than any second-level cache of today holds.
constexpr uint64_t kCacheBytes = 256 << 20;

// Two events around queued work, behind a walk over memory that empties the cache.
class Stopwatch {
 public:
  explicit Stopwatch(Queue& queue) : queue_(queue) {}
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() {
    if (start_) cudaEventDestroy(start_);
    if (stop_) cudaEventDestroy(stop_);
  }
  Status make() {
    FZM_TRY(queue_.check(cudaEventCreate(&start_), "making an event"));
    FZM_TRY(queue_.check(cudaEventCreate(&stop_), "making an event"));
    return queue_.allocate(kCacheBytes, cold_);
  }
  Status start() {
    FZM_TRY(queue_.clear(cold_.data(), kCacheBytes));
    return queue_.check(cudaEventRecord(start_, queue_.stream()), "timing");
  }
  Status stop(std::vector<double>& seconds) {
    float milliseconds = 0;
    FZM_TRY(queue_.check(cudaEventRecord(stop_, queue_.stream()), "timing"));
    FZM_TRY(queue_.wait());
    FZM_TRY(queue_.check(cudaEventElapsedTime(&milliseconds, start_, stop_), "timing"));
    seconds.push_back(milliseconds / 1e3);
    return {};
  }

 private:
  Queue& queue_;
  DeviceBuffer cold_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

// run() once to warm up and to see what it takes, then by the clock.
template <class Run>
Status time_runs(CudaDevice& device, Queue& queue, uint32_t repeats, DeviceRuns& runs, Run run) {
  device.restart_peak();
  FZM_TRY(run());
  runs = {};
  runs.peak_bytes = device.budget().peak();
  Stopwatch watch(queue);
  FZM_TRY(watch.make());
  for (uint32_t i = 0; i < repeats; ++i) {
    const uint64_t launches = kernels_launched;
    FZM_TRY(watch.start());
    FZM_TRY(run());
    FZM_TRY(watch.stop(runs.seconds));
    runs.launches = kernels_launched - launches;
  }
  return {};
}

Status bring(Queue& queue, ConstBytes bytes, DeviceBuffer& to) {
  FZM_TRY(queue.allocate(bytes.size(), to));
  FZM_TRY(queue.to_device(to.data(), bytes.data(), bytes.size()));
  return queue.wait();
}

}  // namespace

Status time_encoding(CudaDevice& device, const Plan& plan, const void* input, uint32_t repeats, DeviceRuns& runs) {
  Queue queue(device);
  DeviceBuffer chunk;
  FZM_TRY(bring(queue, ConstBytes(static_cast<const uint8_t*>(input), plan.raw_bytes), chunk));
  return time_runs(device, queue, repeats, runs, [&] {
    return encode_on_device(queue, plan, DeviceArray{nullptr, chunk.data(), plan.values}).status();
  });
}

Status time_decoding(CudaDevice& device, const Plan& plan, const DecodeInput& frame, uint32_t repeats, DeviceRuns& runs) {
  Queue queue(device);
  std::vector<DeviceBuffer> memory(frame.segments.size());
  std::vector<DeviceSegment> segments;
  for (size_t i = 0; i < memory.size(); ++i) {
    FZM_TRY(bring(queue, frame.segments[i], memory[i]));
    segments.push_back({memory[i].data(), frame.segments[i].size(), nullptr, frame.segments[i]});
  }
  DeviceBuffer out;
  FZM_TRY(queue.allocate(plan.raw_bytes, out));
  return time_runs(device, queue, repeats, runs, [&] { return decode_on_device(queue, plan, frame, segments, out.data()); });
}

Status time_copies(CudaDevice& device, uint64_t bytes, uint32_t repeats, std::vector<double>& seconds) {
  Queue queue(device);
  DeviceBuffer from, to;
  FZM_TRY(queue.allocate(bytes, from));
  FZM_TRY(queue.allocate(bytes, to));
  FZM_TRY(queue.clear(from.data(), bytes));
  DeviceRuns runs;
  FZM_TRY(time_runs(device, queue, repeats, runs, [&] { return queue.copy(to.data(), from.data(), bytes); }));
  seconds = runs.seconds;
  return {};
}

std::string device_name(int device) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return "CUDA device";
  return std::string(properties.name) + ", " + std::to_string(properties.multiProcessorCount) + " multiprocessors";
}

}  // namespace fzm
