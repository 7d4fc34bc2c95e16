// Pageable memory to the device and back, through pinned slots: a pageable transfer by the driver alone runs at a fraction of
// the bus. A few lanes take the slices in turns; each copies on the CPU while the bus carries another slot of its own.
#pragma once
#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

namespace fzm {

class Staging {
 public:
  explicit Staging(int device) : device_(device) {}
  Staging(const Staging&) = delete;
  ~Staging();

  // All transfers of one Staging are on one stream. Returns when `from` was read; the device has it in the stream's order.
  cudaError_t to_device(void* to, const void* from, uint64_t bytes, cudaStream_t stream);
  // Returns when `to` is complete.
  cudaError_t to_host(void* to, const void* from, uint64_t bytes, cudaStream_t stream);

 private:
  static constexpr uint64_t kSliceBytes = 2 << 20;
  static constexpr uint32_t kLanes = 4;  // a core copies at about 10 GB/s, the bus carries about 50
  static constexpr uint32_t kSlots = 2;  // of a lane
  struct Slot {
    uint8_t* pinned = nullptr;
    cudaEvent_t done = nullptr;  // the last transfer from or to it
  };
  using Lane = std::array<Slot, kSlots>;
  struct Transfer {
    uint8_t* to;
    const uint8_t* from;
    uint64_t bytes;
    cudaStream_t stream;
    uint32_t lanes;
  };

  cudaError_t make_lanes(uint32_t lanes);
  template <class F>
  cudaError_t by_lanes(const Transfer& t, F lane);
  static cudaError_t send(const Transfer& t, uint32_t lane, const Lane& slots);
  static cudaError_t receive(const Transfer& t, uint32_t lane, const Lane& slots);

  int device_;
  std::array<Lane, kLanes> lanes_{};
};

}  // namespace fzm
