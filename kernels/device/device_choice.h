// Which of several devices a process takes. Knows no CUDA.
#pragma once
#include <cstdint>

namespace fzm {

// The rank among the processes of this node, by what Open MPI, MPICH and Intel MPI, Slurm or PALS tell it; -1: none does.
int local_rank();

// What is known before a device is chosen.
struct DeviceWish {
  const char* asked = nullptr;  // FZM_DEVICE
  int in_use = -1;              // where the program works already
  int rank = -1;                // local_rank()
};

// A device below `count`; -1 where FZM_DEVICE names none of them.
int choose_device(const DeviceWish& wish, int count);

}  // namespace fzm
