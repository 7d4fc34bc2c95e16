#include "kernels/lorenzo/lorenzo.h"

#include "tests/support/round_trip.h"

namespace fzm {
namespace {

using namespace testing;

const Stage& lorenzo() { return *find_stage("Lorenzo"); }
constexpr DType kTypes[] = {DType::i8, DType::i16, DType::i32, DType::i64};

template <class F>
void with_type(DType t, F f) {
  switch (t) {
    case DType::i8: return f(int8_t{});
    case DType::i16: return f(int16_t{});
    case DType::i32: return f(int32_t{});
    default: return f(int64_t{});
  }
}

// The definition, value by value: restarts every `block`, `order` differences, each block's mean subtracted before.
template <class T>
std::vector<T> predicted_in_blocks(std::vector<T> v, size_t block, int order, bool centering, std::vector<T>& means) {
  using U = std::make_unsigned_t<T>;
  for (size_t first = 0; first < v.size(); first += block) {
    const size_t end = std::min(v.size(), first + block);
    if (centering) {
      __int128 sum = 0;
      for (size_t i = first; i < end; ++i) sum += v[i];
      const auto wrapped = static_cast<int64_t>(sum);  // of int64, modulo 2^64
      const __int128 count = static_cast<__int128>(end - first), s = wrapped;
      const T mean = static_cast<T>(s >= 0 ? (s + count / 2) / count : (s - count / 2) / count);
      means.push_back(mean);
      for (size_t i = first; i < end; ++i) v[i] = static_cast<T>(static_cast<U>(v[i]) - static_cast<U>(mean));
    }
    for (int o = 0; o < order; ++o)
      for (size_t i = end; --i > first;) v[i] = static_cast<T>(static_cast<U>(v[i]) - static_cast<U>(v[i - 1]));
  }
  return v;
}

template <class T>
std::vector<T> predicted_in_field(const std::vector<T>& v, const Extent& e) {
  using U = std::make_unsigned_t<T>;
  const auto at = [&](int64_t x, int64_t y, int64_t z) {
    return x < 0 || y < 0 || z < 0 ? U(0) : static_cast<U>(v[static_cast<size_t>((z * e.ny + y) * e.nx + x)]);
  };
  std::vector<T> out;
  for (int64_t z = 0; z < e.nz; ++z)
    for (int64_t y = 0; y < e.ny; ++y)
      for (int64_t x = 0; x < e.nx; ++x)
        out.push_back(static_cast<T>(at(x, y, z) - at(x - 1, y, z) - at(x, y - 1, z) - at(x, y, z - 1) + at(x - 1, y - 1, z) +
                                     at(x - 1, y, z - 1) + at(x, y - 1, z - 1) - at(x - 1, y - 1, z - 1)));
  return out;
}

void expect_blocks(DType t, uint32_t n, uint32_t block, int order, bool centering, int kind) {
  with_type(t, [&](auto type) {
    using T = decltype(type);
    OneStage stage(lorenzo(), t, line(n));
    stage.set("block_size", std::to_string(block)).set("order", std::to_string(order)).set("centering", centering ? "true" : "false");
    ASSERT_TRUE(stage.resolve().ok());
    const Bytes in = numbers(sizeof(T), n, kind);
    std::vector<T> means;
    const auto expected = predicted_in_blocks(values_of<T>(in), block ? block : 256, order, centering, means);
    const Coded coded = expect_round_trip<generic::LorenzoVariants>(lorenzo(), stage, in);
    EXPECT_TRUE(coded.array == bytes_of(expected)) << n << ' ' << block << ' ' << order << ' ' << centering;
    EXPECT_TRUE(coded.piece[0] == bytes_of(means));
  });
}

TEST(Lorenzo, lines_are_differences_within_blocks_and_come_back) {
  for (const DType t : kTypes)
    for (const uint32_t n : kSizes)
      for (const int order : {1, 2})
        for (const bool centering : {false, true}) expect_blocks(t, n, 32, order, centering, static_cast<int>(n % kKinds));
}
TEST(Lorenzo, any_block_size_will_do) {
  for (const uint32_t block : {0u, 1u, 2u, 3u, 31u, 100u, 256u, 1024u})
    for (int kind = 0; kind < kKinds; ++kind)
      for (const int order : {1, 2}) expect_blocks(DType::i32, 4097, block, order, kind % 2 == 0, kind);
}

void expect_field(DType t, const Extent& e, int kind) {
  with_type(t, [&](auto type) {
    using T = decltype(type);
    OneStage stage(lorenzo(), t, e);
    ASSERT_TRUE(stage.resolve().ok());
    const Bytes in = numbers(sizeof(T), e.values, kind);
    const Coded coded = expect_round_trip<generic::LorenzoVariants>(lorenzo(), stage, in);
    EXPECT_TRUE(coded.array == bytes_of(predicted_in_field(values_of<T>(in), e))) << e.nx << 'x' << e.ny << 'x' << e.nz;
    EXPECT_TRUE(coded.piece[0].empty());
  });
}
TEST(Lorenzo, fields_are_predicted_over_all_axes_and_come_back) {
  for (const DType t : kTypes)
    for (const Extent& e : {plane(2, 2), plane(7, 33), plane(33, 7), plane(64, 100), volume(2, 2, 2), volume(5, 6, 7),
                            volume(17, 9, 31), volume(3, 64, 40)})
      for (int kind = 0; kind < kKinds; ++kind) expect_field(t, e, kind);
}
TEST(Lorenzo, fields_of_odd_shapes_come_back) {
  expect_field(DType::i32, plane(3, 20000), 0);
  expect_field(DType::i32, plane(20000, 3), 1);
  expect_field(DType::i16, volume(3000, 2, 2), 1);
  expect_field(DType::i8, volume(2, 3000, 2), 0);
  expect_field(DType::i64, volume(2, 2, 3000), 5);
  expect_field(DType::i32, volume(0, 5, 7), 0);
}

// Taken from the stage's page.
TEST(Lorenzo, example_of_the_page) {
  OneStage stage(lorenzo(), DType::i16, line(5));
  ASSERT_TRUE(stage.set("block_size", "3").set("centering", "true").resolve().ok());
  const Coded coded = stage.encode(bytes_of(std::vector<int16_t>{10, 11, 13, 20, 19}), 4096);
  EXPECT_EQ(values_of<int16_t>(coded.array), (std::vector<int16_t>{-1, 1, 2, 0, -1}));
  EXPECT_EQ(values_of<int16_t>(coded.piece[0]), (std::vector<int16_t>{11, 20}));
}

TEST(Lorenzo, missing_means_are_a_fault_and_nothing_worse) {
  OneStage stage(lorenzo(), DType::i32, line(1000));
  ASSERT_TRUE(stage.set("block_size", "32").set("centering", "true").resolve().ok());
  Coded coded = stage.encode(numbers(4, 1000, 2), 4096);
  coded.piece[0].resize(7);
  uint32_t fault = 0;
  stage.decode(coded, 4096, &fault);
  EXPECT_EQ(fault, 1u << static_cast<uint32_t>(Fault::bad_payload));
}

TEST(Lorenzo, what_a_field_cannot_have_is_refused_by_name) {
  OneStage order(lorenzo(), DType::i32, plane(8, 8));
  EXPECT_EQ(order.set("order", "2").resolve().message(), "order = 2: on a 2-D array needs a block_size of 1 to 1024");
  OneStage centering(lorenzo(), DType::i32, volume(8, 8, 8));
  EXPECT_EQ(centering.set("centering", "true").resolve().message(),
            "centering = true: on a 3-D array needs a block_size of 1 to 1024");
  OneStage type(lorenzo(), DType::i32, line(8));
  EXPECT_EQ(type.set("data_type", "int16").resolve().message(), "data_type = int16: the input is int32, of another width");
}

}  // namespace
}  // namespace fzm
