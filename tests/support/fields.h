// Arrays to test with: smooth, rough, constant, masked, hostile. Deterministic.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/base/dtype.h"

namespace fzm::test {

// "gaps": NaN, infinities and a repeated 1e36 in runs; "bits": every bit random.
inline const std::vector<std::string>& field_names() {
  static const std::vector<std::string> names{"smooth", "noise", "constant", "zeros", "steps", "spikes", "gaps", "bits", "tiny", "huge"};
  return names;
}

template <class T>
T field_value(const std::string& name, uint32_t i, std::mt19937& random) {
  const double u = static_cast<double>(random()) / 4294967296.0;
  const double wave = 50 * std::sin(i * 0.01) + 3 * std::cos(i * 0.173);
  const bool real = std::is_floating_point_v<T>;
  double v = wave;
  if (name == "noise") v = 100 * u - 50;
  if (name == "constant") v = 42;
  if (name == "zeros") v = i % 97 == 0 ? wave : 0;
  if (name == "steps") v = std::floor(wave / 7) * 7;
  if (name == "spikes") v = i % 61 == 0 ? wave * 1e4 : wave * 0.01;
  if (name == "tiny") v = wave * 1e-30;
  if (name == "huge") v = wave * 1e18;
  if constexpr (std::is_floating_point_v<T>) {
    if (name == "gaps") {
      const uint32_t k = i / 13 % 7;
      if (k == 1) return std::numeric_limits<T>::quiet_NaN();
      if (k == 2 && i % 5 == 0) return i % 2 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
      if (k == 3) return static_cast<T>(1e36);
    }
    if (name == "bits") {
      const uint64_t b = uint64_t{random()} << 32 | random();
      if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<uint32_t>(b));
      else return std::bit_cast<T>(b);
    }
    return static_cast<T>(v);
  }
  if (name == "bits" || (!real && name == "huge")) return static_cast<T>(uint64_t{random()} << 32 | random());
  return static_cast<T>(static_cast<int64_t>(std::llround(v)));
}

template <class T>
std::vector<uint8_t> field_of(const std::string& name, uint32_t values) {
  std::mt19937 random(values * 31 + static_cast<uint32_t>(name[0]));
  std::vector<uint8_t> bytes(values * sizeof(T));
  for (uint32_t i = 0; i < values; ++i) {
    const T v = field_value<T>(name, i, random);
    std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
  }
  return bytes;
}

inline std::vector<uint8_t> field(DType type, const std::string& name, uint32_t values) {
  switch (type) {
    case DType::u8: return field_of<uint8_t>(name, values);
    case DType::u16: return field_of<uint16_t>(name, values);
    case DType::u32: return field_of<uint32_t>(name, values);
    case DType::u64: return field_of<uint64_t>(name, values);
    case DType::i8: return field_of<int8_t>(name, values);
    case DType::i16: return field_of<int16_t>(name, values);
    case DType::i32: return field_of<int32_t>(name, values);
    case DType::i64: return field_of<int64_t>(name, values);
    case DType::f32: return field_of<float>(name, values);
    default: return field_of<double>(name, values);
  }
}

}  // namespace fzm::test
