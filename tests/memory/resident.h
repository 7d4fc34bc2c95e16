// How much more memory this process touched since a moment, at most.
#pragma once
#include <malloc.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace fzm::test {

// Large blocks are mapped and unmapped one by one while it lives, so that none is touched already.
class ResidentPeak {
 public:
  ResidentPeak() {
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak is now what there is
    start_ = kilobytes("VmRSS:");
  }
  uint64_t bytes() const {
    const uint64_t peak = kilobytes("VmHWM:");
    return peak > start_ ? (peak - start_) * 1024 : 0;
  }

 private:
  static uint64_t kilobytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (word == name && status >> word) return std::stoull(word);
    return 0;
  }
  uint64_t start_ = 0;
};

}  // namespace fzm::test
