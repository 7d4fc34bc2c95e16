// What the quantizer's tests have in common: fields with everything a float can be, settings, and the check of a bound.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/stage/registry.h"
#include "tests/support/one_stage.h"

namespace fzm {

using testing::Bytes;
using testing::bytes_of;
using testing::Coded;
using testing::OneStage;
using testing::values_of;

inline constexpr uint32_t kSizes[] = {0, 1, 2, 7, 8, 31, 32, 33, 255, 256, 257, 1000, 1023, 1025, 4096, 4097, 16384};

inline Extent line(size_t n) { return {static_cast<uint32_t>(n), 1, static_cast<uint32_t>(n), 1, 1}; }
inline const Stage& quantizer() { return *find_stage(uint16_t{14}); }
template <class T>
OneStage quantizer_for(const std::vector<T>& v) { return {quantizer(), kDType<T>, line(v.size())}; }

// Smooth data with everything a float can be sprinkled in; `kind` picks a mixture.
template <class T>
std::vector<T> field(size_t n, int kind) {
  std::mt19937_64 random(n * 8 + static_cast<size_t>(kind));
  std::normal_distribution<double> noise;
  std::vector<T> v(n);
  const T odd[] = {T(0), T(-0.0), std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN(),
                   std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::denorm_min(),
                   -std::numeric_limits<T>::min() / 2, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(),
                   std::numeric_limits<T>::min(), T(1e30), T(-1e30), T(32.768), T(4194.304)};
  for (size_t i = 0; i < n; ++i) {
    v[i] = static_cast<T>(20 * std::sin(static_cast<double>(i) * 0.01) + 0.1 * noise(random));
    if (kind == 1 && random() % 20 == 0) v[i] = odd[random() % std::size(odd)];
    if (kind == 2) v[i] = static_cast<T>(noise(random) * std::pow(10.0, noise(random) * 6));
    if (kind == 3) {
      const uint64_t bits = random();
      std::memcpy(&v[i], &bits, sizeof(T));
    }
    if (kind == 4) v[i] = static_cast<T>(std::round(noise(random) * 50) * 0.001);  // ties of the default bound
  }
  return v;
}
inline constexpr int kKinds = 5;

// The bound, in long double, and the bits of whatever is not finite.
template <class T>
::testing::AssertionResult is_within(const std::vector<T>& before, const std::vector<T>& after, double absolute, double relative) {
  for (size_t i = 0; i < before.size(); ++i) {
    if (std::memcmp(&before[i], &after[i], sizeof(T)) == 0) continue;
    const long double error = std::fabs(static_cast<long double>(before[i]) - static_cast<long double>(after[i]));
    const long double allowed = absolute + relative * std::fabs(static_cast<long double>(before[i]));
    if (!std::isfinite(before[i]) || !(error <= allowed))
      return ::testing::AssertionFailure() << "value " << i << ": " << before[i] << " came back as " << after[i];
  }
  return ::testing::AssertionSuccess();
}

struct Setting {
  const char* mode;
  const char* bound;
  std::vector<std::pair<const char*, const char*>> keys;
};
inline std::string spelled(const Setting& s) {
  std::string text = std::string(s.mode) + " " + s.bound;
  for (const auto& [key, value] : s.keys) text += std::string(" ") + key + "=" + value;
  return text;
}
inline const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = {
      {"abs", "1e-3", {{"linear_mode", "true"}}},
      {"abs", "1e-3", {}},
      {"abs", "1e-3", {{"zigzag_codes", "false"}}},
      {"abs", "1e-3", {{"quant_radius", "512"}}},
      {"abs", "1e-3", {{"quant_radius", "1"}}},
      {"abs", "1e-3", {{"inplace_outliers", "true"}}},
      {"abs", "1e-3", {{"inplace_outliers", "true"}, {"quant_radius", "4194304"}, {"verify_reconstruction", "true"}}},
      {"abs", "1e-6", {{"inplace_outliers", "true"}, {"quant_radius", "4194304"}}},
      {"abs", "1e-6", {{"linear_mode", "true"}}},
      {"abs", "1e-9", {{"linear_mode", "true"}}},
      {"abs", "1e-38", {{"linear_mode", "true"}}},
      {"abs", "1e-38", {{"inplace_outliers", "true"}}},
      {"abs", "1e37", {}},
      {"abs", "1e300", {{"linear_mode", "true"}}},
      {"abs", "1e-3", {{"linear_mode", "true"}, {"power_of_two_bound", "true"}}},
      {"abs", "1e-7", {{"linear_mode", "true"}, {"power_of_two_bound", "true"}}},
      {"abs", "1e-3", {{"inplace_outliers", "true"}, {"power_of_two_bound", "true"}}},
      {"abs", "1e-3", {{"linear_mode", "true"}, {"linear_high_precision", "true"}}},
      {"abs", "1e-6", {{"linear_mode", "true"}, {"linear_high_precision", "true"}}},
      {"abs", "1e-3", {{"linear_mode", "true"}, {"outlier_threshold", "10"}}},
      {"abs", "1e-3", {{"inplace_outliers", "true"}, {"outlier_threshold", "1e-30"}}},
      {"abs", "1e-3", {{"outlier_threshold", "10"}}},
      {"noa", "1e-3", {{"linear_mode", "true"}}},
      {"noa", "1e-12", {{"linear_mode", "true"}}},
      {"noa", "1e-3", {{"linear_mode", "true"}, {"value_base", "40"}}},
      {"prel", "1e-4", {}},
      {"rel", "1e-3", {}},
      {"rel", "1e-5", {}},
      {"rel", "3e-7", {}},
      {"rel", "1e-9", {}},
      {"rel", "0.5", {}},
      {"rel", "20", {{"outlier_threshold", "10"}}},
  };
  return all;
}

using Floats = ::testing::Types<float, double>;

}  // namespace fzm
