// The frames of broken_frames.h fail with their numbers.
#include <gtest/gtest.h>

#include "core/fzm.h"
#include "tests/support/broken_frames.h"

namespace fzm {
namespace {

using namespace testing;

Status decoded(const Frame& f, bool verify = true) {
  const Result<FrameInfo> info = read_frame_info(f);
  if (!info.ok()) return info.status();
  if (info->raw_bytes > 1u << 26) {
    uint8_t one;
    return decode(f, &one, 1);
  }
  std::vector<uint8_t> out(info->raw_bytes);
  return decode(f, out.data(), out.size(), {.verify_checksum = verify});
}

class BrokenFrame : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenFrame, fails_with_its_number) {
  const Status s = decoded(GetParam().frame);
  EXPECT_EQ(static_cast<int>(s.code()), static_cast<int>(GetParam().code)) << s.message();
  EXPECT_FALSE(s.message().empty());
}

INSTANTIATE_TEST_SUITE_P(frames, BrokenFrame, ::testing::ValuesIn(broken_frames()),
                         [](const auto& param) { return param.param.name; });

// What the edits above start from.
TEST(BrokenFrames, their_originals_are_decoded) {
  for (const Frame& f : {rze(), escapes(), packed(), adaptive(), mask()}) {
    const Status s = decoded(f);
    EXPECT_TRUE(s.ok()) << s.message();
  }
}

TEST(BrokenFrames, a_frame_cut_anywhere_is_truncated) {
  for (const Frame& f : {rze(), escapes(), packed(), adaptive(), mask()})
    for (size_t n = 0; n < f.size(); ++n) {
      const Status s = decoded(Frame(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(n)));
      EXPECT_EQ(static_cast<int>(s.code()), static_cast<int>(Code::truncated))
          << n << " of " << f.size() << ": " << s.message();
    }
}

TEST(BrokenFrames, a_changed_bit_anywhere_is_noticed) {
  for (const Frame& f : {rze(), escapes(), packed(), adaptive(), mask()})
    for (size_t bit = 0; bit < 8 * f.size(); ++bit) {
      Frame damaged = f;
      damaged[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      EXPECT_FALSE(decoded(damaged).ok()) << "bit " << bit;
    }
}

TEST(BrokenFrames, another_size_than_expected_is_reported) {
  uint8_t out[17];
  for (const size_t n : {size_t{0}, size_t{15}, size_t{17}})
    EXPECT_EQ(decode(rze(), out, n).code(), Code::wrong_size);
}

}  // namespace
}  // namespace fzm
