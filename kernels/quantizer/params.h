// What the Quantizer is asked for and what it measures.
#pragma once
#include "kernels/base/element.h"

namespace fzm {

// The numbers are on the wire.
enum class QuantizerMode : uint8_t { abs = 0, rel = 1, noa = 2, prel = 3 };

inline constexpr double kNoThreshold = __builtin_bit_cast(double, uint64_t{0x7FF0000000000000});

struct QuantizerParams {
  double error_bound = 1e-3;
  QuantizerMode error_bound_mode = QuantizerMode::abs;
  uint64_t quant_radius = 32768;
  bool zigzag_codes = true;
  double outlier_threshold = kNoThreshold;
  bool inplace_outliers = false;
  bool linear_mode = false;
  bool linear_high_precision = false;
  bool power_of_two_bound = false;
  bool verify_reconstruction = false;  // no effect: every value is verified
  double value_base = 0;               // 0: measure
  DType input_type = kAutoType;
  DType code_type = kAutoType;
};

struct QuantizerFacts {
  double abs_bound = 0;   // largest |x - x'|; 0 in mode rel
  double value_base = 0;  // max - min or max |x|; 0 in modes abs and rel
  double log_step = 0;    // mode rel: log2 of the ratio of neighbouring values, else 0
};

// Smallest and largest finite value as ordered_key(); lowest > highest where there is none.
struct QuantizerPartial {
  uint64_t lowest = ~uint64_t{0};
  uint64_t highest = 0;
};

}  // namespace fzm
