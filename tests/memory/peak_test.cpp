// What encoding and decoding hold at once, for every preset, with and without values that a Mask
// takes out: besides chunk and frame at most twice the chunk. Counted twice: pages that were
// touched, and bytes that were asked for. The latter may be more, by the room of a list (a quarter
// of the chunk for its values, and for their indices), which is touched as far as it is used.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/fzm.h"
#include "tests/memory/allocations.h"
#include "tests/memory/resident.h"

namespace fzm::test {
namespace {

constexpr uint32_t kSide = 160;
constexpr uint64_t kValues = uint64_t{kSide} * kSide * kSide;
constexpr uint64_t kRawBytes = 4 * kValues;
constexpr uint64_t kListRoom = kRawBytes / 2;
// Records (a byte or two for 32 values), a block of worst-case room, scratch, the request and the
// plan.
constexpr uint64_t kSmall = kRawBytes / 16 + (uint64_t{1} << 20);

enum class Field { smooth, with_gaps, noise, noise_with_gaps };
constexpr const char* kFieldNames[] = {"smooth", "with_gaps", "noise", "noise_with_gaps"};

std::vector<float> make(Field field) {
  std::vector<float> x(kValues);
  uint32_t random = 1;
  const bool is_noise = field == Field::noise || field == Field::noise_with_gaps;
  const bool has_gaps = field == Field::with_gaps || field == Field::noise_with_gaps;
  for (uint32_t i = 0; i < kValues; ++i) {
    random = random * 1664525 + 1013904223;
    const auto at = static_cast<float>(i);
    x[i] = 50 * std::sin(at * 0.001f) + static_cast<float>(random >> 8) * 0x1p-24f * 0.01f;
    if (is_noise) std::memcpy(&x[i], &random, 4);  // no preset keeps these well
    if (has_gaps && i / 1000 % 3 == 0) x[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return x;
}

class Peak : public ::testing::TestWithParam<std::tuple<std::string, Field>> {};

TEST_P(Peak, is_chunk_and_frame_and_twice_the_chunk) {
  const auto& [preset, field] = GetParam();
  const std::vector<float> x = make(field);
  std::vector<float> back(kValues);
  const Result<Request> request = Request::from_options("preset=" + preset);
  ASSERT_TRUE(request.ok()) << request.status().message();
  ArrayInfo array;
  array.type = DType::f32;
  array.shape = {kSide, kSide, kSide};
  const uint64_t before = allocated_bytes();
  forget_peak();
  const ResidentPeak resident;
  std::vector<uint8_t> frame;
  {
    const Result<EncodedFrame> made = encode(*request, array, x.data());
    ASSERT_TRUE(made.ok()) << made.status().message();
    frame.resize(made->size());
    made->copy_to(frame.data());
  }
  const uint64_t encoding = peak_bytes() - before;
  EXPECT_LE(encoding, frame.size() + 2 * kRawBytes + kListRoom + kSmall);
  const uint64_t touched = resident.bytes();
  EXPECT_LE(touched, frame.size() + 2 * kRawBytes + kSmall);
  forget_peak();
  const Status status = decode(frame, back.data(), kRawBytes);
  ASSERT_TRUE(status.ok()) << status.message();
  const uint64_t decoding = peak_bytes() - before - frame.size();
  EXPECT_LE(decoding, 2 * kRawBytes + kSmall);

  const Result<uint64_t> planned = peak_memory(*request, array);
  ASSERT_TRUE(planned.ok());
  EXPECT_LE(*planned, 2 * kRawBytes);
  const auto chunks = [](uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(kRawBytes);
  };
  std::cout << "encode " << chunks(encoding) << " x the chunk, touched " << chunks(touched)
            << ", decode " << chunks(decoding) << ", planned " << chunks(*planned) << ", frame "
            << chunks(frame.size()) << "\n";
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const PresetInfo& p : presets()) names.emplace_back(p.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryPreset, Peak,
                         ::testing::Combine(::testing::ValuesIn(preset_names()),
                                            ::testing::Values(Field::smooth, Field::with_gaps,
                                                              Field::noise,
                                                              Field::noise_with_gaps)),
                         [](const auto& field) {
                           return std::get<0>(field.param) + "_" +
                                  kFieldNames[static_cast<size_t>(std::get<1>(field.param))];
                         });

}  // namespace
}  // namespace fzm::test
