// Bytes of the C library's heap that this program's own code holds, and their peak. The program is
// linked with --wrap for these functions (tests/CMakeLists.txt); what libraries allocate inside
// themselves does not count.
#pragma once
#include <cstdint>

namespace fzm::test {

uint64_t allocated_bytes();
uint64_t peak_bytes();
void forget_peak();

}  // namespace fzm::test
