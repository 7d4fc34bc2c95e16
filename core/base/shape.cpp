#include "core/base/shape.h"

namespace fzm {

Result<uint32_t> count_values(const Shape& shape) {
  if (shape.empty() || shape.size() > kMaxRank)
    return Status(Code::bad_request, "a chunk has 1 to 32 dimensions, this one " + std::to_string(shape.size()));
  uint64_t values = 1;
  for (const uint64_t n : shape) {
    if (n != 0 && values > UINT32_MAX / n)
      return Status(Code::too_large, "a chunk of " + to_string(shape) + " values is over the limit of 2^32 - 1");
    values *= n;
  }
  return static_cast<uint32_t>(values);
}

Extent extent_of(const Shape& shape, uint32_t values) {
  Shape axes;
  for (const uint64_t n : shape)
    if (n != 1) axes.push_back(n);
  if (axes.empty()) axes.push_back(values);
  Extent e;
  e.values = values;
  e.rank = static_cast<uint32_t>(axes.size() < 3 ? axes.size() : 3);
  e.nx = static_cast<uint32_t>(axes.back());
  if (e.rank >= 2) e.ny = static_cast<uint32_t>(axes[axes.size() - 2]);
  if (e.rank == 3) e.nz = values == 0 ? 0 : static_cast<uint32_t>(values / e.nx / e.ny);
  return e;
}

std::string to_string(const Shape& shape) {
  std::string text;
  for (const uint64_t n : shape) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

}  // namespace fzm
