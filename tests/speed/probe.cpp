// speed_probe OPTIONS VALUES make|encode|decode: what test_instructions.py counts the instructions of. Each word does the work of
// the ones before it, so that differences are the work of one.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/fzm.h"

namespace {

// Smooth with a little noise: about the ratios of real fields.
std::vector<float> field(uint32_t values) {
  std::vector<float> data(values);
  uint32_t noise = 1;
  for (uint32_t i = 0; i < values; ++i) {
    noise = noise * 1664525u + 1013904223u;
    data[i] = std::sin(static_cast<float>(i) * 0.002f) + static_cast<float>(noise >> 8) * 1e-9f;
  }
  return data;
}

int fail(const fzm::Status& status) {
  std::fprintf(stderr, "speed_probe: %s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: speed_probe OPTIONS VALUES make|encode|decode\n"), 2;
  const auto values = static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10));
  const std::string_view work = argv[3];
  const std::vector<float> data = field(values);
  if (work == "make") return data.back() > 2;

  const auto request = fzm::Request::from_options(argv[1]);
  if (!request.ok()) return fail(request.status());
  const fzm::ArrayInfo array{.type = fzm::DType::f32, .shape = {values / 4096, 64, 64}};
  const auto frame = fzm::encode(*request, array, data.data());
  if (!frame.ok()) return fail(frame.status());
  std::vector<uint8_t> bytes(frame->size());
  frame->copy_to(bytes.data());
  if (work == "encode") return 0;

  std::vector<float> back(values);
  const fzm::Status decoded = fzm::decode(bytes, back.data(), back.size() * sizeof(float));
  return decoded.ok() ? 0 : fail(decoded);
}
