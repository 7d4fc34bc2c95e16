// Integers within their bound.
#include "tests/unit/quantizer_cases.h"

namespace fzm {
namespace {

template <class T>
std::vector<T> whole_field(size_t n) {
  std::mt19937_64 random(n);
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(random() >> (random() % 64));
  for (size_t i = 0; i + 1 < n; i += 50) v[i] = std::numeric_limits<T>::max(), v[i + 1] = std::numeric_limits<T>::min();
  return v;
}
template <class T>
class WholeQuantizerOf : public ::testing::Test {};
using Integers = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(WholeQuantizerOf, Integers);

template <class T>
uint64_t distance(T a, T b) { return a < b ? static_cast<uint64_t>(b) - static_cast<uint64_t>(a) : static_cast<uint64_t>(a) - static_cast<uint64_t>(b); }

TYPED_TEST(WholeQuantizerOf, integers_are_within_the_bound_and_stable) {
  using T = TypeParam;
  std::vector<T> v = whole_field<T>(3000);
  if (sizeof(T) <= 2)
    for (int64_t x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) v.push_back(static_cast<T>(x));
  for (const char* const linear : {"true", "false"})
    for (const char* const zigzag : {"true", "false"})
      for (const double bound : {0.5, 1.0, 2.9, 17.0, 63.0, 64.0, 127.0, 128.0, 1000.0, 32767.0, 32768.0, 1e6, 2147483647.0, 2147483648.0,
                                 1e15, 9e18, 1e19, 1e30}) {
        OneStage stage = quantizer_for(v);
        stage.set("linear_mode", linear).set("zigzag_codes", zigzag).set("error_bound", std::to_string(bound));
        ASSERT_TRUE(stage.resolve().ok());
        ASSERT_TRUE(stage.observe({}, 1).ok());
        uint32_t fault = 0;
        const Coded coded = stage.encode(bytes_of(v), 4096);
        EXPECT_TRUE(coded.piece[0].empty());
        const auto once = values_of<T>(stage.decode(coded, 1000, &fault));
        for (size_t i = 0; i < v.size(); ++i) ASSERT_LE(static_cast<double>(distance(v[i], once[i])), bound) << +v[i] << " " << +once[i];
        if (bound < 1) { ASSERT_EQ(once, v); }
        ASSERT_EQ(values_of<T>(stage.decode(stage.encode(bytes_of(once), 100), 4096, &fault)), once);
      }
}

TYPED_TEST(WholeQuantizerOf, a_range_bound_is_measured) {
  using T = TypeParam;
  std::vector<T> v = {T(1), T(101), T(51), T(3)};
  OneStage stage = quantizer_for(v);
  stage.set("error_bound_mode", "noa").set("error_bound", "0.02");
  ASSERT_TRUE(stage.resolve().ok());
  ASSERT_TRUE(stage.observe(bytes_of(v), 2).ok());
  EXPECT_EQ(stage.fact("value_base").real, 100);
  EXPECT_EQ(stage.fact("abs_bound").real, 2);
}

}  // namespace
}  // namespace fzm
