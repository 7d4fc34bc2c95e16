// libFuzzer's way in; FZM_FUZZ_TARGET is a function of targets.h.
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fzm::fuzz::FZM_FUZZ_TARGET(data, size);
  return 0;
}
