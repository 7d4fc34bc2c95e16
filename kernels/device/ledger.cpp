#include "kernels/device/ledger.h"

namespace fzm {

Status Ledger::make(Queue& queue, size_t stages) {
  seen_.assign(stages, Row{});
  FZM_TRY(queue.allocate(stages * sizeof(Row), memory_));
  return queue.clear(memory_.data(), stages * sizeof(Row));
}

Status Ledger::fetch(Queue& queue) { return queue.to_host(seen_.data(), memory_.data(), seen_.size() * sizeof(Row)); }

}  // namespace fzm
