#include "tools/fzm/field.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace fzm::cli {
namespace {

// A hash of the index: any part of the field can be made alone.
uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}
// From -1 to 1.
float noise_at(uint64_t i) {
  return static_cast<float>(static_cast<double>(mixed(i) >> 11) * 0x1p-52 - 1);
}

struct Wave {
  double kz, ky, kx, phase;  // radians a value
  float amplitude;
};

// Wavelengths from the whole array down to 8 values.
std::vector<Wave> waves(const Shape& s, size_t count) {
  constexpr double kTwoPi = 6.283185307179586;
  const double longest = static_cast<double>(*std::max_element(s.begin(), s.end()));
  const double shortest = std::min(8.0, longest);
  std::vector<Wave> list;
  for (size_t i = 0; i < count; ++i) {
    const double length = longest * std::pow(shortest / longest, static_cast<double>(i) / 23);
    const double polar = kTwoPi / 2 * (0.5 + 0.5 * noise_at(4 * i)),
                 around = kTwoPi * noise_at(4 * i + 1), k = kTwoPi / length;
    list.push_back({k * std::cos(polar), k * std::sin(polar) * std::sin(around),
                    k * std::sin(polar) * std::cos(around), kTwoPi * noise_at(4 * i + 2),
                    static_cast<float>(std::cbrt(length / longest))});
  }
  return list;
}

// One row at a time: sin(p + kx x) = sin p cos kx x + cos p sin kx x, with tables along x.
class WaveRows {
 public:
  WaveRows(const Shape& s, size_t count) : waves_(waves(s, count)), width_(s[2]) {
    for (const Wave& w : waves_)
      for (size_t x = 0; x < width_; ++x) {
        cosines_.push_back(static_cast<float>(std::cos(w.kx * static_cast<double>(x))));
        sines_.push_back(static_cast<float>(std::sin(w.kx * static_cast<double>(x))));
      }
  }
  void add_row(uint64_t z, uint64_t y, float* row) const {
    for (size_t i = 0; i < waves_.size(); ++i) {
      const Wave& w = waves_[i];
      const double p = w.kz * static_cast<double>(z) + w.ky * static_cast<double>(y) + w.phase;
      const float s = w.amplitude * static_cast<float>(std::sin(p)),
                  c = w.amplitude * static_cast<float>(std::cos(p));
      const float* const cosines = cosines_.data() + i * width_;
      const float* const sines = sines_.data() + i * width_;
      for (size_t x = 0; x < width_; ++x) row[x] += s * cosines[x] + c * sines[x];
    }
  }

 private:
  std::vector<Wave> waves_;
  size_t width_;
  std::vector<float> cosines_, sines_;
};

constexpr float kNoiseShare = 1e-3f;  // of an amplitude of about 10: 1e-4 of the range
constexpr float kSparseLevel = 4.5f;

void add_waves(const Shape& s, size_t count, std::vector<float>& values) {
  const WaveRows rows(s, count);
  for (uint64_t z = 0; z < s[0]; ++z)
    for (uint64_t y = 0; y < s[1]; ++y) rows.add_row(z, y, values.data() + (z * s[1] + y) * s[2]);
}

Status fill(const std::string& name, const Shape& s, std::vector<float>& values) {
  if (name == "constant") {
    std::fill(values.begin(), values.end(), 0.5f);
  } else if (name == "noise") {
    for (size_t i = 0; i < values.size(); ++i) values[i] = noise_at(i);
  } else if (name == "turb" || name == "sparse") {
    add_waves(s, 24, values);
    for (size_t i = 0; i < values.size(); ++i) values[i] += kNoiseShare * noise_at(i);
    if (name == "sparse")
      for (float& v : values) v = v > kSparseLevel ? v : 0;
  } else if (name == "smooth") {
    add_waves(s, 6, values);
  } else {
    return Status(Code::bad_request,
                  "--field " + name + ": must be turb, smooth, noise, sparse or constant");
  }
  return {};
}

template <class T>
std::vector<uint8_t> converted(const std::vector<float>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  float largest = 0;
  for (const float v : values) largest = std::max(largest, std::fabs(v));
  const double range =
      std::min(0.9 * 32768, 0.9 * static_cast<double>(std::numeric_limits<T>::max()));
  const double scale =
      largest == 0 ? 0 : (std::numeric_limits<T>::is_signed ? range : range / 2) / largest;
  const double base = std::numeric_limits<T>::is_signed ? 0 : range / 2;
  for (size_t i = 0; i < values.size(); ++i) {
    T v;
    if constexpr (std::is_floating_point_v<T>)
      v = static_cast<T>(values[i]);
    else
      v = static_cast<T>(std::lround(values[i] * scale + base));
    std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
  }
  return bytes;
}

std::vector<uint8_t> as_type(DType type, const std::vector<float>& values) {
  switch (type) {
    case DType::u8:
      return converted<uint8_t>(values);
    case DType::u16:
      return converted<uint16_t>(values);
    case DType::u32:
      return converted<uint32_t>(values);
    case DType::u64:
      return converted<uint64_t>(values);
    case DType::i8:
      return converted<int8_t>(values);
    case DType::i16:
      return converted<int16_t>(values);
    case DType::i32:
      return converted<int32_t>(values);
    case DType::i64:
      return converted<int64_t>(values);
    case DType::f64:
      return converted<double>(values);
    default:
      return converted<float>(values);
  }
}

// The last two axes, and everything slower as one.
Shape as_cube(const Shape& s) {
  Shape cube{1, 1, 1};
  for (size_t i = 0; i < s.size(); ++i) {
    const size_t from_end = s.size() - 1 - i;
    cube[from_end >= 2 ? 0 : 2 - from_end] *= s[i];
  }
  return cube;
}

}  // namespace

Shape cube_of(uint64_t values) {
  const auto edge = static_cast<uint64_t>(
      std::exp2(std::floor(std::log2(static_cast<double>(std::max<uint64_t>(values, 1))) / 3)));
  const auto plane = static_cast<double>(values) / static_cast<double>(edge);
  const auto middle = static_cast<uint64_t>(std::exp2(std::floor(std::log2(plane) / 2)));
  return {edge, middle, std::max<uint64_t>(1, values / edge / middle)};
}

Result<ArrayFile> make_field(const std::string& name, DType type, const Shape& shape) {
  uint64_t count = 1;
  for (const uint64_t extent : shape) count *= extent;
  std::vector<float> values(count);
  FZM_TRY(fill(name, as_cube(shape), values));
  ArrayFile file;
  file.array.type = type;
  file.array.shape = shape;
  file.bytes = as_type(type, values);
  return file;
}

}  // namespace fzm::cli
