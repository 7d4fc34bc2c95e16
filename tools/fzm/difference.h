// What two arrays of one type and shape differ by. Whether a value is over the bound is decided
// exactly.
#pragma once
#include <array>

#include "tools/fzm/array_file.h"

namespace fzm::cli {

inline constexpr size_t kBins =
    20;  // of a tenth each, from -1 to 1; one more for what lies over the bound

struct Difference {
  uint64_t values = 0, equal_bits = 0;
  uint64_t special = 0, special_differs = 0;  // NaN or infinite in one or both; their bits differ
  double max_error = 0, range = 0, rmse = 0;
  double bound = 0;           // absolute; with rel the factor of |x|
  double max_over_bound = 0;  // 1: the largest error is the bound
  uint64_t over = 0;
  std::array<uint64_t, kBins + 1> histogram{};

  double nrmse() const;  // RMSE / range
  double psnr() const;   // dB
};

// NaN, infinities and the fill value of `a` count for bits only. `bound` is as given, the range
// that of `a`.
Difference difference(const ArrayFile& a, const ArrayFile& b, BoundMode mode, double bound);

}  // namespace fzm::cli
