// Uses the installed library as an outside project does: a ramp there and back within its bound.
#include <core/fzm.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  constexpr double kBound = 1e-3;
  std::vector<float> values(4096);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.01f * static_cast<float>(i);

  const auto request = fzm::Request::from_options("preset=fsz, abs=1e-3");
  if (!request.ok()) return std::puts(request.status().message().c_str()), 1;
  const fzm::ArrayInfo array{.type = fzm::DType::f32, .item_bytes = 4, .shape = {64, 64}};
  const auto frame = fzm::encode(*request, array, values.data());
  if (!frame.ok()) return std::puts(frame.status().message().c_str()), 1;
  std::vector<std::uint8_t> bytes(frame->size());
  frame->copy_to(bytes.data());

  std::vector<float> decoded(values.size());
  const fzm::Status status = fzm::decode(bytes, decoded.data(), decoded.size() * sizeof(float));
  if (!status.ok()) return std::puts(status.message().c_str()), 1;
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    largest = std::fmax(largest, std::fabs(double{values[i]} - double{decoded[i]}));
  std::printf("fzm %s: %zu bytes, largest error %g\n", fzm::kVersion.data(), bytes.size(), largest);
  return largest <= kBound ? 0 : 1;
}
