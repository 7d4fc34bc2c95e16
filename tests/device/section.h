// The parts of the device conformance run. A section is a row of numbered cases, each drawn from its own seed, so that one case
// can be run again alone.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/device/device.h"

namespace fzm::test {

struct CaseResult {
  bool ran = true;      // false: nothing was drawn that suits (no failure)
  std::string failure;  // a sentence; empty where all agrees
};

struct Section {
  std::string name;
  // `device` is null for a section that goes through the library's own backend.
  std::function<CaseResult(uint64_t number, uint64_t seed, Device* device)> run;
  uint64_t cases = 0;  // how many there are; 0: as many as time allows
};

std::vector<Section> device_sections();    // what is asked of a Device
std::vector<Section> codec_sections();     // a stage each
std::vector<Section> pipeline_sections();  // whole frames

// Seeds of neighbouring cases have nothing in common.
inline uint32_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a + 1) * 0x9E3779B97F4A7C15u ^ (b + 1) * 0xBF58476D1CE4E5B9u;
  x ^= x >> 31;
  x *= 0x94D049BB133111EBu;
  return static_cast<uint32_t>(x >> 32);
}

}  // namespace fzm::test
