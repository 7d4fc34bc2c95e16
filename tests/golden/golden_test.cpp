// Frames of every released version decode for ever, and today's encoder makes the same bytes.
#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tests/support/golden_frames.h"

namespace fzm {
namespace {

using testing::golden_frames;
using testing::GoldenFrame;
using testing::kGoldenFolder;
using testing::read_bytes;

std::string digest(const std::vector<uint8_t>& bytes) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(XXH64(bytes.data(), bytes.size(), 0)));
  return text;
}

class Golden : public ::testing::TestWithParam<GoldenFrame> {};

TEST_P(Golden, frame_decodes_to_the_recorded_bytes) {
  const std::vector<uint8_t> frame = read_bytes(GetParam().path());
  const Result<FrameInfo> info = read_frame_info(frame);
  ASSERT_TRUE(info.ok()) << info.status().message();
  std::vector<uint8_t> out(info->raw_bytes);
  const Status s = decode(frame, out.data(), out.size());
  ASSERT_TRUE(s.ok()) << s.message();
  EXPECT_EQ(digest(out), GetParam().decoded);
}

// With FZM_GOLDEN_ADD (make.py sets it) a frame that has no file yet gets one. Files that are there
// are never written.
TEST_P(Golden, encoder_makes_the_same_frame) {
  const std::vector<uint8_t> input = read_bytes(kGoldenFolder + "inputs/" + GetParam().input);
  const Result<Request> request = GetParam().asked();
  ASSERT_TRUE(request.ok()) << request.status().message();
  const Result<EncodedFrame> made = encode(*request, GetParam().array(), input.data());
  ASSERT_TRUE(made.ok()) << made.status().message();
  std::vector<uint8_t> frame(made->size());
  made->copy_to(frame.data());
  if (std::getenv("FZM_GOLDEN_ADD") && !std::ifstream(GetParam().path()))
    std::ofstream(GetParam().path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(frame.data()),
               static_cast<std::streamsize>(frame.size()));
  EXPECT_TRUE(frame == read_bytes(GetParam().path())) << frame.size() << " bytes";
}

INSTANTIATE_TEST_SUITE_P(frames, Golden, ::testing::ValuesIn(golden_frames()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace fzm
