// Zigzag and Negabinary: two maps with one description.
#include "kernels/zigzag/zigzag.h"

#include "kernels/negabinary/negabinary.h"
#include "tests/support/round_trip.h"

namespace fzm {
namespace {

using namespace testing;

const Stage& zigzag() { return *find_stage("Zigzag"); }
const Stage& negabinary() { return *find_stage("Negabinary"); }

struct MapVector { int32_t x; uint32_t negabinary, zigzag; };
// stages.md, J.3.
constexpr MapVector kVectors[] = {{0, 0, 0}, {1, 1, 2}, {-1, 3, 1}, {2, 6, 4}, {-2, 2, 3}, {5, 5, 10}, {-5, 0xF, 9}};

std::vector<uint32_t> mapped(const Stage& s, const std::vector<int32_t>& v) {
  OneStage stage(s, DType::i32, line(v.size()));
  EXPECT_TRUE(stage.resolve().ok());
  return values_of<uint32_t>(stage.encode(bytes_of(v), 4096).array);
}

TEST(SignMap, vectors_are_met) {
  for (const MapVector& m : kVectors) {
    EXPECT_EQ(mapped(zigzag(), {m.x})[0], m.zigzag);
    EXPECT_EQ(mapped(negabinary(), {m.x})[0], m.negabinary);
  }
  EXPECT_EQ(mapped(zigzag(), {INT32_MIN, INT32_MAX}), (std::vector<uint32_t>{0xFFFFFFFF, 0xFFFFFFFE}));
}

template <class Variants>
void expect_all_types_round_trip(const Stage& s) {
  for (const DType t : {DType::i8, DType::i16, DType::i32, DType::i64})
    for (const uint32_t n : kSizes)
      for (int kind = 0; kind < kKinds; ++kind) {
        OneStage stage(s, t, line(n));
        ASSERT_TRUE(stage.resolve().ok());
        expect_round_trip<Variants>(s, stage, numbers(dtype_bytes(t), n, kind));
      }
}
TEST(SignMap, zigzag_round_trips) { expect_all_types_round_trip<generic::ZigzagVariants>(zigzag()); }
TEST(SignMap, negabinary_round_trips) { expect_all_types_round_trip<generic::NegabinaryVariants>(negabinary()); }

TEST(SignMap, raw_bytes_are_words_and_a_tail) {
  for (const std::string_view word : {"int8", "int16", "int32", "int64"})
    for (const uint32_t n : {0u, 1u, 7u, 8u, 9u, 15u, 4096u, 4097u, 10007u}) {
      OneStage stage(zigzag(), DType::u8, line(n));
      stage.set("byte_transparent", "true").set("input_type", word);
      ASSERT_TRUE(stage.resolve().ok());
      expect_round_trip<generic::ZigzagVariants>(zigzag(), stage, numbers(1, n, 1));
    }
}

TEST(SignMap, incomplete_word_stays_as_it_is) {
  OneStage stage(zigzag(), DType::u8, line(7));
  stage.set("byte_transparent", "true").set("input_type", "int32");
  ASSERT_TRUE(stage.resolve().ok());
  EXPECT_EQ(stage.encode({0xFF, 0xFF, 0xFF, 0xFF, 9, 8, 7}, 4096).array, (Bytes{1, 0, 0, 0, 9, 8, 7}));
}

TEST(SignMap, unsigned_input_is_taken_as_signed) {
  OneStage stage(zigzag(), DType::u16, line(2));
  ASSERT_TRUE(stage.resolve().ok());
  EXPECT_EQ(values_of<uint16_t>(stage.encode(bytes_of(std::vector<uint16_t>{0xFFFF, 1}), 4096).array),
            (std::vector<uint16_t>{1, 2}));
}

TEST(SignMap, wrong_types_are_refused_by_name) {
  OneStage floats(zigzag(), DType::f32, line(4));
  EXPECT_EQ(floats.resolve().message(), "input_type = auto: needs integers, the input is float32 (a Quantizer makes integers)");
  OneStage wide(zigzag(), DType::i32, line(4));
  EXPECT_EQ(wide.set("input_type", "int16").resolve().message(), "input_type = int16: the input is int32, of another width");
  OneStage out(negabinary(), DType::i32, line(4));
  EXPECT_EQ(out.set("output_type", "int32").resolve().message(), "output_type = int32: must be uint32 where input_type is int32");
}

}  // namespace
}  // namespace fzm
