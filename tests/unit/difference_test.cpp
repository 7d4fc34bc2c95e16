#include "kernels/difference/difference.h"

#include "tests/support/round_trip.h"

namespace fzm {
namespace {

using namespace testing;

const Stage& difference() { return *find_stage("Difference"); }

uint64_t number_at(const Bytes& all, size_t i, uint32_t bytes) {
  uint64_t v = 0;
  std::memcpy(&v, all.data() + i * bytes, bytes);
  return v;
}

// One value after the other, in 64 bits.
Bytes expected(const Bytes& in, uint32_t bytes, size_t chunk, std::string_view mode) {
  Bytes out(in.size());
  for (size_t i = 0; i < in.size() / bytes; ++i) {
    const bool starts = chunk ? i % chunk == 0 : i == 0;
    uint64_t d = number_at(in, i, bytes) - (starts ? 0 : number_at(in, i - 1, bytes));
    const auto narrow = static_cast<int64_t>(d << (64 - 8 * bytes)) >> (64 - 8 * bytes);
    if (mode == "zigzag") d = static_cast<uint64_t>(narrow) << 1 ^ static_cast<uint64_t>(narrow >> 63);
    if (mode == "negabinary") d = (static_cast<uint64_t>(narrow) + 0xAAAAAAAAAAAAAAAAull) ^ 0xAAAAAAAAAAAAAAAAull;
    std::memcpy(out.data() + i * bytes, &d, bytes);
  }
  return out;
}

constexpr DType kAll[] = {DType::u8, DType::u16, DType::u32, DType::u64, DType::i8,
                          DType::i16, DType::i32, DType::i64, DType::f32, DType::f64};

void expect_differences(DType t, uint32_t n, uint32_t chunk_values, std::string_view mode, int kind) {
  const uint32_t bytes = dtype_bytes(t);
  OneStage stage(difference(), t, line(n));
  stage.set("mode", mode).set("chunk_size", std::to_string(chunk_values * bytes));
  ASSERT_TRUE(stage.resolve().ok());
  const bool is_same = mode == "plain";
  EXPECT_EQ(stage.code().in, t);
  EXPECT_TRUE(is_same ? stage.code().out == t : is_unsigned_integer(stage.code().out));
  const Bytes in = numbers(bytes, n, kind);
  const Coded coded = expect_round_trip<generic::DifferenceVariants>(difference(), stage, in);
  EXPECT_TRUE(coded.array == expected(in, bytes, chunk_values, mode)) << dtype_name(t) << ' ' << n << ' ' << mode;
}

TEST(Difference, chunks_are_differences_of_bit_patterns_and_come_back) {
  for (const DType t : kAll)
    for (const uint32_t n : kSizes)
      for (const std::string_view mode : {"plain", "negabinary", "zigzag"}) expect_differences(t, n, 256, mode, static_cast<int>(n % kKinds));
}
TEST(Difference, chunks_may_be_as_short_as_a_value) {
  for (const uint32_t chunk : {1u, 2u, 3u, 1000u}) expect_differences(DType::i32, 4097, chunk, "zigzag", 1);
}
TEST(Difference, whole_arrays_are_one_chunk) {
  for (const DType t : kAll)
    for (const uint32_t n : kSizes) expect_differences(t, n, 0, n % 2 ? "plain" : "negabinary", 0);
  for (const DType t : {DType::u8, DType::i32, DType::f64})
    for (const uint32_t n : {16385u, 32768u, 32769u, 100000u})
      for (int kind = 0; kind < kKinds; ++kind) expect_differences(t, n, 0, "zigzag", kind);
}

TEST(Difference, every_bit_pattern_of_floats_survives) {
  const std::vector<uint32_t> bits = {0x7FC00001, 0xFFC12345, 0x7F800001, 0x80000000, 0, 1, 0x7F800000, 0xFF800000};
  for (const std::string_view mode : {"plain", "negabinary"})
    for (const std::string_view chunk : {"0", "16"}) {
      OneStage stage(difference(), DType::f32, line(bits.size()));
      ASSERT_TRUE(stage.set("mode", mode).set("chunk_size", chunk).resolve().ok());
      expect_round_trip<generic::DifferenceVariants>(difference(), stage, bytes_of(bits));
    }
}

// As existing pipeline files spell it: negabinary follows from the types.
TEST(Difference, unsigned_output_of_signed_input_means_negabinary) {
  OneStage stage(difference(), DType::u32, line(3));  // codes of a Quantizer
  ASSERT_TRUE(stage.set("input_type", "int32").set("output_type", "uint32").set("chunk_size", "16384").resolve().ok());
  EXPECT_EQ(stage.code().in, DType::i32);
  // Differences 0, 1, -1.
  EXPECT_EQ(values_of<uint32_t>(stage.encode(bytes_of(std::vector<uint32_t>{0, 1, 0}), 4096).array),
            (std::vector<uint32_t>{0, 1, 3}));
}
TEST(Difference, without_output_type_it_is_plain) {
  OneStage stage(difference(), DType::u32, line(3));
  ASSERT_TRUE(stage.set("input_type", "int32").resolve().ok());
  EXPECT_EQ(stage.code().out, DType::i32);
}

TEST(Difference, what_does_not_fit_is_refused_by_name) {
  const auto message = [](DType t, std::string_view key, std::string_view value) {
    OneStage stage(difference(), t, line(3));
    return stage.set(key, value).resolve().message();
  };
  EXPECT_EQ(message(DType::f64, "chunk_size", "12"), "chunk_size = 12: must be a multiple of 8, the bytes of a float64");
  EXPECT_EQ(message(DType::i32, "input_type", "int16"), "input_type = int16: the input is int32, of another width");
  EXPECT_EQ(message(DType::i32, "output_type", "float32"),
            "output_type = float32: must be uint32 where input_type is int32 and mode is negabinary");
}

}  // namespace
}  // namespace fzm
