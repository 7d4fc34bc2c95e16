// speed_work PRESET ENCODES DECODES: encodes a field so often, then decodes the frame so often.
// What is counted from outside (test_instructions.py) is the difference between two such runs. One
// thread; no C library function in the field, so that the numbers are the same everywhere.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/fzm.h"

namespace {

constexpr uint32_t kSide = 64, kValues = kSide * kSide * kSide;

// A bowl in three dimensions, and noise of a ten-thousandth of it.
std::vector<float> make_field() {
  std::vector<float> x(kValues);
  uint32_t random = 1;
  for (uint32_t i = 0; i < kValues; ++i) {
    random = random * 1664525 + 1013904223;
    const auto square = [](uint32_t a) {
      const int32_t from_middle = static_cast<int32_t>(a) - static_cast<int32_t>(kSide / 2);
      return from_middle * from_middle;
    };
    const int32_t bowl =
        square(i % kSide) + 2 * square(i / kSide % kSide) + 3 * square(i / kSide / kSide);
    x[i] = static_cast<float>(bowl) / 64 + static_cast<float>(random >> 8) * 0x1p-24f * 0.01f;
  }
  return x;
}

int fail(const fzm::Status& status) {
  std::fprintf(stderr, "speed_work: %s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
#if !defined(__OPTIMIZE__)
  std::puts("unoptimized");
  return 77;
#endif
  if (argc != 4) return 2;
  const fzm::Result<fzm::Request> request =
      fzm::Request::from_options("preset=" + std::string(argv[1]));
  if (!request.ok()) return fail(request.status());
  const std::vector<float> x = make_field();
  std::vector<float> back(kValues);
  fzm::ArrayInfo array;
  array.type = fzm::DType::f32;
  array.shape = {kSide, kSide, kSide};
  std::vector<uint8_t> frame;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    const fzm::Result<fzm::EncodedFrame> made = fzm::encode(*request, array, x.data());
    if (!made.ok()) return fail(made.status());
    frame.resize(made->size());
    made->copy_to(frame.data());
  }
  for (int i = 0; i < std::atoi(argv[3]); ++i)
    if (const fzm::Status s = fzm::decode(frame, back.data(), kValues * sizeof(float)); !s.ok())
      return fail(s);
  std::printf("%d %u %s %zu\n", __GNUC__, kValues, __VERSION__, frame.size());
  return 0;
}
