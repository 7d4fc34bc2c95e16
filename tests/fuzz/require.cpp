#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.h"

void fzm::fuzz::require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz target: not true that %s\n", what);
  std::abort();
}
