// What kernels tell the host of every stage: a fault word and the bytes of each piece, in one array on the device that comes to
// the host in one copy.
#pragma once
#include "kernels/base/codec.h"
#include "kernels/device/queue.h"

namespace fzm {

class Ledger {
 public:
  // Rows of `stages` stages, all zero.
  Status make(Queue& queue, size_t stages);

  // In device memory.
  uint32_t* fault(size_t stage) const { return &rows()[stage].fault; }
  uint64_t* bytes(size_t stage, uint32_t piece) const { return &rows()[stage].bytes[piece]; }

  // Queued; what was seen is that of the last fetch, after Queue::wait.
  Status fetch(Queue& queue);
  uint32_t fault_seen(size_t stage) const { return seen_[stage].fault; }
  uint64_t bytes_seen(size_t stage, uint32_t piece) const { return seen_[stage].bytes[piece]; }

 private:
  struct Row {
    uint64_t bytes[kMaxPieces] = {};
    uint32_t fault = 0, unused = 0;
  };
  Row* rows() const { return memory_.as<Row>(); }
  DeviceBuffer memory_;
  std::vector<Row> seen_;
};

}  // namespace fzm
