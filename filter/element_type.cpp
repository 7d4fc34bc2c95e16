#include "filter/element_type.h"

namespace fzm::filter {

namespace {

struct FloatLayout {
  size_t bytes, sign_at, exponent_at, exponent_bits, mantissa_at, mantissa_bits, bias;
};
constexpr FloatLayout kFloat32{4, 31, 23, 8, 0, 23, 127};
constexpr FloatLayout kFloat64{8, 63, 52, 11, 0, 52, 1023};

bool has_layout(const Hdf5Functions& h5, hid_t type, const FloatLayout& want) {
  size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  if (h5.H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0)
    return false;
  return h5.H5Tget_size(type) == want.bytes && sign == want.sign_at &&
         exponent == want.exponent_at && exponent_bits == want.exponent_bits &&
         mantissa == want.mantissa_at && mantissa_bits == want.mantissa_bits &&
         h5.H5Tget_ebias(type) == want.bias && h5.H5Tget_norm(type) == H5T_NORM_IMPLIED;
}

DType float_type(const Hdf5Functions& h5, hid_t type) {
  if (has_layout(h5, type, kFloat32)) return DType::f32;
  if (has_layout(h5, type, kFloat64)) return DType::f64;
  return DType::unknown;
}

DType integer_type(size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? DType::i8 : DType::u8;
    case 2:
      return is_signed ? DType::i16 : DType::u16;
    case 4:
      return is_signed ? DType::i32 : DType::u32;
    case 8:
      return is_signed ? DType::i64 : DType::u64;
    default:
      return DType::unknown;
  }
}

// unknown where bits are left over, or bytes lie in an order of their own (VAX).
DType number_type(const Hdf5Functions& h5, hid_t type, H5T_class_t kind, H5T_order_t order) {
  const size_t bytes = h5.H5Tget_size(type);
  if (order != H5T_ORDER_LE && order != H5T_ORDER_BE) return DType::unknown;
  if (h5.H5Tget_precision(type) != 8 * bytes || h5.H5Tget_offset(type) != 0) return DType::unknown;
  if (kind == H5T_FLOAT) return float_type(h5, type);
  return integer_type(bytes, h5.H5Tget_sign(type) == H5T_SGN_2);
}

bool is_variable_length(const Hdf5Functions& h5, hid_t type);

bool has_variable_length_member(const Hdf5Functions& h5, hid_t compound) {
  const int members = h5.H5Tget_nmembers(compound);
  for (int i = 0; i < members; ++i) {
    const OwnedType member(h5, h5.H5Tget_member_type(compound, static_cast<unsigned>(i)));
    if (is_variable_length(h5, member.id())) return true;
  }
  return false;
}

bool is_variable_length(const Hdf5Functions& h5, hid_t type) {
  switch (h5.H5Tget_class(type)) {
    case H5T_VLEN:
      return true;
    case H5T_STRING:
      return h5.H5Tis_variable_str(type) > 0;
    case H5T_COMPOUND:
      return has_variable_length_member(h5, type);
    case H5T_ARRAY:
      return is_variable_length(h5, OwnedType(h5, h5.H5Tget_super(type)).id());
    default:
      return false;
  }
}

Result<Shape> array_extents(const Hdf5Functions& h5, hid_t type) {
  hsize_t extents[H5S_MAX_RANK] = {};
  const int rank = h5.H5Tget_array_ndims(type);
  if (rank < 1 || rank > H5S_MAX_RANK || h5.H5Tget_array_dims2(type, extents) < 0)
    return Status(Code::unsupported_type, "cannot read the extents of the array datatype");
  return Shape(extents, extents + rank);
}

Result<ElementType> scalar_element(const Hdf5Functions& h5, hid_t type) {
  const size_t bytes = h5.H5Tget_size(type);
  if (bytes == 0 || bytes > UINT32_MAX)
    return Status(Code::unsupported_type,
                  "an item of the datatype has " + std::to_string(bytes) + " bytes");
  ElementType element;
  element.item_bytes = static_cast<uint32_t>(bytes);
  const H5T_class_t kind = h5.H5Tget_class(type);
  if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
    const H5T_order_t order = h5.H5Tget_order(type);
    element.type = number_type(h5, type, kind, order);
    element.big_endian = element.type != DType::unknown && bytes > 1 && order == H5T_ORDER_BE;
  }
  return element;
}

Result<ElementType> array_element(const Hdf5Functions& h5, hid_t type) {
  auto extents = array_extents(h5, type);
  if (!extents.ok()) return extents.status();
  const OwnedType base(h5, h5.H5Tget_super(type));
  auto element = recognise_element(h5, base.id());
  if (!element.ok()) return element;
  Shape& inner = element.value().inner;
  inner.insert(inner.begin(), extents->begin(), extents->end());
  return element;
}

}  // namespace

Result<ElementType> recognise_element(const Hdf5Functions& h5, hid_t type) {
  if (is_variable_length(h5, type))
    return Status(Code::unsupported_type,
                  "the datatype has a variable length: its chunks hold addresses, not values");
  return h5.H5Tget_class(type) == H5T_ARRAY ? array_element(h5, type) : scalar_element(h5, type);
}

}  // namespace fzm::filter
