// Which device a process takes, and how much of it: what needs no GPU to be asked.
#include "kernels/device/device_choice.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "kernels/device/memory_limit.h"

namespace fzm {
namespace {

constexpr const char* kRankNames[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "PALS_LOCAL_RANKID"};

TEST(DeviceChoice, the_number_asked_for_wins) {
  EXPECT_EQ(choose_device({"2", 1, 0}, 4), 2);
}
TEST(DeviceChoice, a_device_that_is_not_there_is_none) {
  EXPECT_EQ(choose_device({"4", 1, 0}, 4), -1);
  EXPECT_EQ(choose_device({"first", -1, -1}, 4), -1);
  EXPECT_EQ(choose_device({"-1", -1, -1}, 4), -1);
}
TEST(DeviceChoice, follows_the_program_where_it_works_already) {
  EXPECT_EQ(choose_device({nullptr, 3, 1}, 4), 3);
  EXPECT_EQ(choose_device({"", 3, 1}, 4), 3);
}
TEST(DeviceChoice, spreads_ranks_over_devices) {
  for (int rank = 0; rank < 9; ++rank) EXPECT_EQ(choose_device({nullptr, -1, rank}, 4), rank % 4);
  EXPECT_EQ(choose_device({nullptr, -1, -1}, 4), 0);
}
TEST(LocalRank, is_read_from_every_launcher) {
  for (const char* name : kRankNames) unsetenv(name);
  EXPECT_EQ(local_rank(), -1);
  for (const char* name : kRankNames) {
    setenv(name, "5", 1);
    EXPECT_EQ(local_rank(), 5) << name;
    unsetenv(name);
  }
}
TEST(MemoryLimit, is_a_number_with_a_unit) {
  EXPECT_EQ(bytes_of_size("4096"), 4096u);
  EXPECT_EQ(bytes_of_size("3k"), 3u << 10);
  EXPECT_EQ(bytes_of_size("512M"), 512u << 20);
  EXPECT_EQ(bytes_of_size("2G"), uint64_t{2} << 30);
  for (const char* wrong : {"", "M", "-1", "1T", "1MB", "99999999999999G"}) EXPECT_EQ(bytes_of_size(wrong), 0u) << wrong;
  EXPECT_EQ(bytes_of_size(nullptr), 0u);
}

}  // namespace
}  // namespace fzm
