// Checks for the programs of this folder, which link HDF5 and nothing else.
#pragma once
#include <cstdio>
#include <cstdlib>

inline int failed_checks = 0;

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failed_checks;                                                      \
    }                                                                       \
  } while (0)

// For what the rest of a test stands on.
#define REQUIRE(condition)                                                  \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::printf("%s:%d: required: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (0)

// Runs a function as a test and prints its name.
#define RUN(test)                                                             \
  do {                                                                        \
    const int before = failed_checks;                                         \
    test();                                                                   \
    std::printf("%s %s\n", failed_checks == before ? "ok  " : "FAIL", #test); \
  } while (0)
