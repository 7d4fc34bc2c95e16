#include "core/spec/words_array.h"

#include <algorithm>

namespace fzm {
namespace {

constexpr uint8_t kOpaque = 15;

Shape folded(const Shape& shape, size_t max_rank) {
  if (shape.size() <= max_rank) return shape;
  Shape axes;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(axes),
               [](uint64_t n) { return n != 1; });
  if (axes.empty()) axes.push_back(1);
  while (axes.size() > max_rank) {
    axes[1] *= axes[0];
    axes.erase(axes.begin());
  }
  return axes;
}

Status check_array(const ArrayInfo& array) {
  const Result<uint32_t> values = count_values(array.shape);
  if (!values.ok()) return values.status();
  if (*values == 0)
    return Status(Code::bad_request, "a chunk of " + to_string(array.shape) + " values is empty");
  if (array.type == DType::unknown && array.item_bytes == 0)
    return Status(Code::bad_request, "items of 0 bytes");
  return {};
}

}  // namespace

Status write_array(ByteWriter& out, const ArrayInfo& array, size_t max_rank) {
  FZM_TRY(check_array(array));
  const Shape shape = folded(array.shape, max_rank);
  const bool opaque = array.type == DType::unknown;
  const bool fill = array.has_fill && !opaque;
  out.number(static_cast<uint8_t>((opaque ? kOpaque : static_cast<uint8_t>(array.type)) |
                                  (array.big_endian ? 16 : 0) | (fill ? 32 : 0) |
                                  (shape.size() - 1) << 6));
  if (opaque) out.varint(array.item_bytes);
  for (const uint64_t n : shape) out.varint(n);
  for (uint32_t i = 0; fill && i < dtype_bytes(array.type); ++i)
    out.number(static_cast<uint8_t>(array.fill_bits >> (8 * i)));
  return {};
}

Result<ArrayInfo> read_array(ByteReader& in) {
  const uint8_t head = in.number<uint8_t>();
  const uint8_t type = head & 15;
  if (type > static_cast<uint8_t>(DType::f64) && type != kOpaque)
    return Status(Code::bad_words, "there is no element type " + std::to_string(type));
  ArrayInfo array;
  array.type = type == kOpaque ? DType::unknown : static_cast<DType>(type);
  array.big_endian = head >> 4 & 1;
  array.has_fill = head >> 5 & 1;
  if (array.type == DType::unknown)
    array.item_bytes = static_cast<uint32_t>(std::min<uint64_t>(in.varint(), UINT32_MAX));
  else
    array.item_bytes = dtype_bytes(array.type);
  array.shape.resize((head >> 6) + 1u);
  for (uint64_t& n : array.shape) n = in.varint();
  for (uint32_t i = 0; array.has_fill && i < dtype_bytes(array.type); ++i)
    array.fill_bits |= uint64_t{in.number<uint8_t>()} << (8 * i);
  if (in.failed()) return Status(Code::truncated, "the record ends inside the array's description");
  if (array.has_fill && array.type == DType::unknown)
    return Status(Code::bad_words, "a fill value of opaque items");
  FZM_TRY(check_array(array));
  return array;
}

}  // namespace fzm
