#ifdef FZM_HAS_HDF5
#include "tools/fzm/hdf5_type.h"

namespace fzm::cli {
namespace {

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

bool is_one_of(hid_t type, hid_t little, hid_t big) {
  return H5Tequal(type, little) > 0 || H5Tequal(type, big) > 0;
}

DType number_type(hid_t type) {
  const size_t bytes = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT) {
    if (is_one_of(type, H5T_IEEE_F32LE, H5T_IEEE_F32BE)) return DType::f32;
    return is_one_of(type, H5T_IEEE_F64LE, H5T_IEEE_F64BE) ? DType::f64 : DType::unknown;
  }
  if (H5Tget_class(type) != H5T_INTEGER || H5Tget_precision(type) != 8 * bytes)
    return DType::unknown;
  return integer_type(bytes, H5Tget_sign(type) == H5T_SGN_2);
}

bool is_variable(hid_t type) {
  return H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0;
}

hid_t standard_type(DType type, bool big) {
  switch (type) {
    case DType::u8:
      return H5T_STD_U8LE;
    case DType::u16:
      return big ? H5T_STD_U16BE : H5T_STD_U16LE;
    case DType::u32:
      return big ? H5T_STD_U32BE : H5T_STD_U32LE;
    case DType::u64:
      return big ? H5T_STD_U64BE : H5T_STD_U64LE;
    case DType::i8:
      return H5T_STD_I8LE;
    case DType::i16:
      return big ? H5T_STD_I16BE : H5T_STD_I16LE;
    case DType::i32:
      return big ? H5T_STD_I32BE : H5T_STD_I32LE;
    case DType::i64:
      return big ? H5T_STD_I64BE : H5T_STD_I64LE;
    case DType::f32:
      return big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE;
    case DType::f64:
      return big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE;
    case DType::unknown:
      break;
  }
  return -1;
}

}  // namespace

Status note_type(hid_t type, ArrayInfo& array) {
  if (is_variable(type))
    return Status(Code::unsupported_type,
                  "the datatype has a variable length: the dataset holds addresses, not values");
  if (H5Tget_class(type) == H5T_ARRAY) {
    hsize_t extents[H5S_MAX_RANK] = {};
    const int rank = H5Tget_array_dims2(type, extents);
    if (rank > 0) array.shape.insert(array.shape.end(), extents, extents + rank);
    const Handle base(H5Tget_super(type), H5Tclose);
    return note_type(base.get(), array);
  }
  array.type = number_type(type);
  array.item_bytes = static_cast<uint32_t>(H5Tget_size(type));
  array.big_endian =
      array.type != DType::unknown && array.item_bytes > 1 && H5Tget_order(type) == H5T_ORDER_BE;
  return {};
}

Handle file_type(const ArrayInfo& array) {
  if (array.type == DType::unknown) return {H5Tcreate(H5T_OPAQUE, array.item_bytes), H5Tclose};
  return {H5Tcopy(standard_type(array.type, array.big_endian)), H5Tclose};
}

}  // namespace fzm::cli
#endif
