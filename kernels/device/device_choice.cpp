#include "kernels/device/device_choice.h"

#include <cstdlib>
#include <initializer_list>

namespace fzm {
namespace {

// The number of a text that is one, else -1.
int number_of(const char* text) {
  if (text == nullptr || *text < '0' || *text > '9') return -1;
  char* end = nullptr;
  const unsigned long n = std::strtoul(text, &end, 10);
  return *end == 0 && n <= 1u << 20 ? static_cast<int>(n) : -1;
}

}  // namespace

int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "PALS_LOCAL_RANKID"})
    if (const int rank = number_of(std::getenv(name)); rank >= 0) return rank;
  return -1;
}

int choose_device(const DeviceWish& wish, int count) {
  if (wish.asked != nullptr && *wish.asked != 0) {
    const int asked = number_of(wish.asked);
    return asked < count ? asked : -1;
  }
  if (wish.in_use >= 0 && wish.in_use < count) return wish.in_use;
  return wish.rank >= 0 ? wish.rank % count : 0;
}

}  // namespace fzm
