#ifdef FZM_HAS_HDF5
#include "tools/fzm/hdf5_type.h"

#include "filter/element_type.h"

namespace fzm::cli {
namespace {

// The same functions that the plugin finds at run time, from the library that we link.
constexpr filter::Hdf5Functions kLinked{
#define FZM_LINKED(name) &::name,
    FZM_HDF5_CALLS(FZM_LINKED)
#undef FZM_LINKED
};

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
  const auto element = filter::recognise_element(kLinked, type);
  if (!element.ok()) return element.status();
  array.type = element->type;
  array.item_bytes = element->item_bytes;
  array.big_endian = element->big_endian;
  array.shape.insert(array.shape.end(), element->inner.begin(), element->inner.end());
  return {};
}

Handle file_type(const ArrayInfo& array) {
  if (array.type == DType::unknown) return {H5Tcreate(H5T_OPAQUE, array.item_bytes), H5Tclose};
  return {H5Tcopy(standard_type(array.type, array.big_endian)), H5Tclose};
}

}  // namespace fzm::cli
#endif
