// Whether a decoded array keeps its bound, judged in exact arithmetic and apart from the library.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/spec/request.h"

namespace fzm::test {

// Missing values: |x| >= 1e30, the same number at least twice.
template <class T>
bool is_missing(T v, const std::vector<T>& sorted) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
  return std::fabs(static_cast<long double>(v)) >= 1e30L && last - first >= 2;
}

// The absolute bound that a mode means for these values: range and peak of what is finite and not a missing value.
template <class T>
long double absolute_bound(BoundMode mode, double bound, const std::vector<T>& x) {
  if (mode == BoundMode::abs) return bound;
  long double low = std::numeric_limits<long double>::infinity(), high = -low;
  std::vector<T> large;
  for (const T v : x)
    if (std::fabs(static_cast<long double>(v)) >= 1e30L && std::isfinite(static_cast<long double>(v))) large.push_back(v);
  std::sort(large.begin(), large.end());
  for (const T v : x) {
    if (!std::isfinite(static_cast<long double>(v)) || is_missing(v, large)) continue;
    low = std::min<long double>(low, v), high = std::max<long double>(high, v);
  }
  if (low > high) return 0;
  return mode == BoundMode::noa ? bound * (high - low) : bound * std::max(std::fabs(low), std::fabs(high));
}

// The first value out of its bound, in words; none if all are within. Integers: the bound's floor.
template <class T>
std::optional<std::string> first_miss_of(BoundMode mode, double bound, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  std::vector<T> x(a.size() / sizeof(T)), y(x.size());
  std::memcpy(x.data(), a.data(), a.size());
  std::memcpy(y.data(), b.data(), b.size());
  const bool relative = mode == BoundMode::rel;
  long double most = relative ? 0 : absolute_bound(mode, bound, x);
  // The range itself is measured in double: a rounding of it is not a miss.
  if (mode == BoundMode::noa || mode == BoundMode::prel) most *= 1 + 1e-15L;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::memcmp(&x[i], &y[i], sizeof(T)) == 0) continue;
    const long double allowed = relative ? bound * std::fabs(static_cast<long double>(x[i])) : most;
    const long double miss = std::fabs(static_cast<long double>(x[i]) - static_cast<long double>(y[i]));
    if (miss <= (std::is_integral_v<T> ? std::floor(allowed) : allowed)) continue;
    return "value " + std::to_string(i) + ": " + std::to_string(x[i]) + " came back as " + std::to_string(y[i]);
  }
  return std::nullopt;
}

inline std::optional<std::string> first_miss(DType type, BoundMode mode, double bound, const std::vector<uint8_t>& a,
                                             const std::vector<uint8_t>& b) {
  switch (type) {
    case DType::u8: return first_miss_of<uint8_t>(mode, bound, a, b);
    case DType::u16: return first_miss_of<uint16_t>(mode, bound, a, b);
    case DType::u32: return first_miss_of<uint32_t>(mode, bound, a, b);
    case DType::u64: return first_miss_of<uint64_t>(mode, bound, a, b);
    case DType::i8: return first_miss_of<int8_t>(mode, bound, a, b);
    case DType::i16: return first_miss_of<int16_t>(mode, bound, a, b);
    case DType::i32: return first_miss_of<int32_t>(mode, bound, a, b);
    case DType::i64: return first_miss_of<int64_t>(mode, bound, a, b);
    case DType::f32: return first_miss_of<float>(mode, bound, a, b);
    default: return first_miss_of<double>(mode, bound, a, b);
  }
}

}  // namespace fzm::test
