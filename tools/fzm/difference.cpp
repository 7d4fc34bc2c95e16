#include "tools/fzm/difference.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fzm::cli {
namespace {

constexpr bool kNativeIsBig = std::endian::native == std::endian::big;

template <class T>
T value_at(const ArrayFile& f, uint64_t i) {
  uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, f.bytes.data() + i * sizeof(T), sizeof(T));
  if (f.array.big_endian != kNativeIsBig)
    for (size_t k = 0; k < sizeof(T) / 2; ++k) std::swap(bytes[k], bytes[sizeof(T) - 1 - k]);
  T v;
  std::memcpy(&v, bytes, sizeof(T));
  return v;
}

// x - y in two parts, whose sum is exact: Knuth's TwoSum. For integers of 64 bits the same from the
// whole difference.
struct Exact {
  double high, low;
};
Exact exact_difference(double x, double y) {
  const double d = x - y, back = d - x;
  return {d, (x - (d - back)) + (-y - back)};
}
template <class T>
Exact exact_difference(T x, T y) {
  if constexpr (sizeof(T) < 8) {
    return exact_difference(static_cast<double>(x), static_cast<double>(y));
  } else if constexpr (std::is_floating_point_v<T>) {
    return exact_difference(double{x}, double{y});
  } else {
    const bool negative = x < y;
    const uint64_t far = negative ? static_cast<uint64_t>(y) - static_cast<uint64_t>(x)
                                  : static_cast<uint64_t>(x) - static_cast<uint64_t>(y);
    const auto high = static_cast<double>(far);  // rounded; what it is off by fits a double
    const double low =
        high >= 0x1p64
            ? -static_cast<double>(0 - far)
            : static_cast<double>(static_cast<int64_t>(far - static_cast<uint64_t>(high)));
    return negative ? Exact{-high, -low} : Exact{high, low};
  }
}
bool is_over(const Exact& e, double bound) {
  const double size = std::fabs(e.high), rest = e.high < 0 ? -e.low : e.low;
  return size > bound || (size == bound && rest > 0);
}

template <class T>
bool is_finite(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(v);
  else
    return true;
}

template <class T>
class Comparison {
 public:
  Comparison(const ArrayFile& a, const ArrayFile& b)
      : a_(a), b_(b), values_(a.bytes.size() / sizeof(T)) {}

  Difference run(BoundMode mode, double bound) {
    look_at_range();
    d_.values = values_;
    d_.range = count_ == 0 ? 0 : largest_ - smallest_;
    is_rel_ = mode == BoundMode::rel;
    d_.bound = bound;
    if (mode == BoundMode::noa) d_.bound = bound * d_.range;
    if (mode == BoundMode::prel)
      d_.bound = bound * std::max(std::fabs(largest_), std::fabs(smallest_));
    has_bound_ = mode != BoundMode::none;
    if (!has_bound_) d_.bound = 0;
    compare();
    fill_histogram();
    return d_;
  }

 private:
  bool counts(T x) const { return is_finite(x) && !is_fill(x); }
  bool is_fill(T x) const {
    uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(T));
    return a_.array.has_fill && bits == a_.array.fill_bits;
  }
  void look_at_range() {
    for (uint64_t i = 0; i < values_; ++i) {
      const T x = value_at<T>(a_, i);
      if (!counts(x)) continue;
      const auto v = static_cast<double>(x);
      smallest_ = count_ == 0 ? v : std::min(smallest_, v);
      largest_ = count_ == 0 ? v : std::max(largest_, v);
      ++count_;
    }
  }
  void compare() {
    double squares = 0;
    for (uint64_t i = 0; i < values_; ++i) {
      const T x = value_at<T>(a_, i), y = value_at<T>(b_, i);
      const bool same = std::memcmp(&x, &y, sizeof(T)) == 0;
      d_.equal_bits += same;
      if (!counts(x) || !is_finite(y)) {
        ++d_.special;
        d_.special_differs += !same;
        continue;
      }
      const Exact e = exact_difference(x, y);
      squares += e.high * e.high;
      d_.max_error = std::max(d_.max_error, std::fabs(e.high));
      check_bound(e, static_cast<double>(x));
    }
    d_.rmse = count_ == 0 ? 0 : std::sqrt(squares / static_cast<double>(count_));
  }
  void check_bound(const Exact& e, double x) {
    if (!has_bound_) return;
    const double bound = is_rel_ ? d_.bound * std::fabs(x) : d_.bound;
    d_.over += is_over(e, bound);
    const double share = e.high == 0 ? 0 : std::fabs(e.high) / bound;
    d_.max_over_bound = std::max(d_.max_over_bound, share);
  }
  void fill_histogram() {
    for (uint64_t i = 0; i < values_; ++i) {
      const T x = value_at<T>(a_, i), y = value_at<T>(b_, i);
      if (!counts(x) || !is_finite(y)) continue;
      const double error = exact_difference(y, x).high;
      const double unit = !has_bound_ ? d_.max_error
                          : is_rel_   ? d_.bound * std::fabs(static_cast<double>(x))
                                      : d_.bound;
      const double share = error == 0 ? 0 : error / unit;
      const auto bin = static_cast<size_t>(std::clamp((share + 1) * 10, 0.0, 19.0));
      ++d_.histogram[std::fabs(share) > 1 ? kBins : bin];
    }
  }

  const ArrayFile& a_;
  const ArrayFile& b_;
  uint64_t values_, count_ = 0;
  double smallest_ = 0, largest_ = 0;
  bool is_rel_ = false, has_bound_ = false;
  Difference d_;
};

template <class T>
Difference compare_as(const ArrayFile& a, const ArrayFile& b, BoundMode mode, double bound) {
  return Comparison<T>(a, b).run(mode, bound);
}

}  // namespace

double Difference::nrmse() const { return range == 0 ? 0 : rmse / range; }
double Difference::psnr() const {
  return rmse == 0 ? std::numeric_limits<double>::infinity() : 20 * std::log10(range / rmse);
}

Difference difference(const ArrayFile& a, const ArrayFile& b, BoundMode mode, double bound) {
  switch (a.array.type) {
    case DType::u8:
      return compare_as<uint8_t>(a, b, mode, bound);
    case DType::u16:
      return compare_as<uint16_t>(a, b, mode, bound);
    case DType::u32:
      return compare_as<uint32_t>(a, b, mode, bound);
    case DType::u64:
      return compare_as<uint64_t>(a, b, mode, bound);
    case DType::i8:
      return compare_as<int8_t>(a, b, mode, bound);
    case DType::i16:
      return compare_as<int16_t>(a, b, mode, bound);
    case DType::i32:
      return compare_as<int32_t>(a, b, mode, bound);
    case DType::i64:
      return compare_as<int64_t>(a, b, mode, bound);
    case DType::f32:
      return compare_as<float>(a, b, mode, bound);
    case DType::f64:
      return compare_as<double>(a, b, mode, bound);
    case DType::unknown:
      break;
  }
  return {};
}

}  // namespace fzm::cli
