#include "filter/chunk_array.h"

#include "filter/element_type.h"

namespace fzm::filter {

namespace {

Result<Shape> chunk_shape(const Hdf5Calls& h5, hid_t dcpl) {
  hsize_t extents[H5S_MAX_RANK] = {};
  const int rank = h5.H5Pget_chunk(dcpl, H5S_MAX_RANK, extents);
  if (rank < 1 || rank > H5S_MAX_RANK)
    return Status(Code::bad_request, "the dataset is not chunked");
  return Shape(extents, extents + rank);
}

// Axes beyond the highest rank are folded into the last one that is left.
Shape joined(Shape shape, const Shape& inner) {
  for (const uint64_t extent : inner) {
    if (shape.size() < kMaxRank)
      shape.push_back(extent);
    else
      shape.back() *= extent;
  }
  return shape;
}

// The pattern of one item, read from its first byte in the file's order.
uint64_t bits_of(const uint8_t* item, uint32_t bytes, bool big_endian) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < bytes; ++i) bits = bits << 8 | item[big_endian ? i : bytes - 1 - i];
  return bits;
}

// A fill value declared by the user. The default one (zero) is left out: real data are full of it.
// So is one of an array type whose items differ.
Status read_fill(const Hdf5Calls& h5, hid_t dcpl, hid_t type, ArrayInfo& array) {
  H5D_fill_value_t defined = H5D_FILL_VALUE_ERROR;
  if (h5.H5Pfill_value_defined(dcpl, &defined) < 0)
    return Status(Code::bad_request, "cannot read the fill value from the property list");
  if (defined != H5D_FILL_VALUE_USER_DEFINED || array.type == DType::unknown) return {};
  std::vector<uint8_t> element(h5.H5Tget_size(type));
  if (h5.H5Pget_fill_value(dcpl, type, element.data()) < 0)
    return Status(Code::bad_request, "cannot convert the fill value to the dataset's type");
  const uint32_t bytes = array.bytes_per_item();
  const uint64_t bits = bits_of(element.data(), bytes, array.big_endian);
  for (size_t at = bytes; at + bytes <= element.size(); at += bytes)
    if (bits_of(element.data() + at, bytes, array.big_endian) != bits) return {};
  array.has_fill = true;
  array.fill_bits = bits;
  return {};
}

}  // namespace

uint64_t array_bytes(const ArrayInfo& array) {
  if (array.shape.empty()) return 0;
  uint64_t bytes = array.bytes_per_item();
  for (const uint64_t extent : array.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return 0;
  return bytes;
}

ArrayInfo plain_bytes(uint64_t bytes) {
  ArrayInfo array;
  array.shape = {bytes};
  return array;
}

ArrayInfo opaque_items(const ArrayInfo& array) {
  ArrayInfo opaque;
  opaque.item_bytes = array.bytes_per_item();
  opaque.shape = array.shape;
  return opaque;
}

Result<ArrayInfo> chunk_array(const Hdf5Calls& h5, hid_t dcpl, hid_t type) {
  auto shape = chunk_shape(h5, dcpl);
  if (!shape.ok()) return shape.status();
  auto element = recognise_element(h5, type);
  if (!element.ok()) return element.status();

  ArrayInfo array;
  array.type = element->type;
  array.item_bytes = element->item_bytes;
  array.big_endian = element->big_endian;
  array.shape = joined(std::move(shape).value(), element->inner);
  const uint64_t bytes = array_bytes(array);
  if (bytes == 0 || bytes > UINT32_MAX)
    return Status(Code::too_large, "a chunk of " + to_string(array.shape) + " items of " +
                                       std::to_string(array.bytes_per_item()) +
                                       " bytes has 4 GiB or more");
  FZM_TRY(read_fill(h5, dcpl, type, array));
  return array;
}

}  // namespace fzm::filter
