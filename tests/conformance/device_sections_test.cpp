// The device conformance run (tests/device/) on the model device, so that it is itself tested where there is no GPU.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/conformance/model_device.h"
#include "tests/device/section.h"

namespace fzm::test {
namespace {

constexpr uint64_t kSeed = 7;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr uint64_t kCasesOfACodec = 3, kFrames = 2;  // the emulated block is slow enough without
#else
constexpr uint64_t kCasesOfACodec = 12, kFrames = 4;
#endif

std::vector<Section> all_sections() {
  std::vector<Section> all = codec_sections();
  for (Section& s : device_sections())
    if (s.name != "device.too_much") all.push_back(std::move(s));  // the model has as much as the host
  for (Section& s : pipeline_sections())
    if (s.name.find("large.") != 0 && s.name != "frames.threads") all.push_back(std::move(s));  // too long; one device for all
  return all;
}

class DeviceSections : public ::testing::TestWithParam<Section> {};

TEST_P(DeviceSections, agree_with_the_host_on_the_model) {
  ModelDevice device;
  const ModelBackend backend{device};
  const Section& section = GetParam();
  const uint64_t most = section.name.find("codec.") == 0 ? kCasesOfACodec : kFrames;
  uint64_t ran = 0;
  for (uint64_t i = 0; i < 4 * most && ran < most && (section.cases == 0 || i < section.cases); ++i) {
    const CaseResult result = section.run(i, kSeed, &device);
    ran += result.ran;
    ASSERT_EQ(result.failure, "") << "case " << i;
    ASSERT_EQ(device.wait(), 0);
    ASSERT_EQ(device.live(), 0u) << "case " << i << ": device memory was not given back";
  }
  EXPECT_GT(ran, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceSections, ::testing::ValuesIn(all_sections()), [](const auto& which) {
  std::string name = which.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace fzm::test
