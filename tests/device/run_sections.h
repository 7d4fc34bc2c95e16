// Runs sections of cases in processes of their own: a device that hangs or is lost costs one case, not the run.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/device/device.h"

namespace fzm::test {

struct RunOptions {
  double seconds = 60;      // for everything
  uint64_t cases = 0;       // of a section at most; 0: as time allows
  uint64_t seed = 1;
  int64_t only_case = -1;   // this number alone
  std::string filter;       // sections whose name contains it
  uint32_t jobs = 1;        // sections at a time
  bool in_this_process = false;  // for tools that follow one process
  std::string log;          // also there
};

// Given by the program: the device to be tested. Null: none, and `why` says so.
std::unique_ptr<Device> open_device(std::string& why);

// The options of a command line; false (after a sentence on stderr) where it is wrong.
bool read_options(int count, char** words, RunOptions& options);

// Prints a line a failure and a summary. 0: all agree; 1: something differs; 77: there is no device.
int run_sections(const RunOptions& options);

}  // namespace fzm::test
