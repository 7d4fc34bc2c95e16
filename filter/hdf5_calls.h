// The HDF5 functions that are used here, as pointers: the plugin finds them at run time in the copy
// that calls, a program that links HDF5 has them from the linker.
#pragma once
#include <hdf5.h>

#include "core/fzm.h"
#include "filter/calling_library.h"

// None of these is a global id such as H5T_NATIVE_INT: those are variables, and would tie us to one
// copy.
#define FZM_HDF5_CALLS(X)  \
  X(H5get_libversion)      \
  X(H5Epush2)              \
  X(H5Iget_type)           \
  X(H5Pget_nfilters)       \
  X(H5Pget_filter2)        \
  X(H5Pget_filter_by_id2)  \
  X(H5Pmodify_filter)      \
  X(H5Pget_chunk)          \
  X(H5Pfill_value_defined) \
  X(H5Pget_fill_value)     \
  X(H5Tget_class)          \
  X(H5Tget_size)           \
  X(H5Tget_order)          \
  X(H5Tget_precision)      \
  X(H5Tget_offset)         \
  X(H5Tget_sign)           \
  X(H5Tget_fields)         \
  X(H5Tget_ebias)          \
  X(H5Tget_norm)           \
  X(H5Tget_super)          \
  X(H5Tget_array_ndims)    \
  X(H5Tget_array_dims2)    \
  X(H5Tget_nmembers)       \
  X(H5Tget_member_type)    \
  X(H5Tis_variable_str)    \
  X(H5Tclose)

namespace fzm::filter {

struct Hdf5Functions {
#define FZM_MEMBER(name) decltype(&::name) name = nullptr;
  FZM_HDF5_CALLS(FZM_MEMBER)
#undef FZM_MEMBER
};

class Hdf5Calls : public Hdf5Functions {
 public:
  // Looks up every function. Errors (machine): no HDF5 found, several that may be calling, one
  // older than 1.10, whose ids have 32 bits.
  static Result<Hdf5Calls> find(const void* return_address);

  // Adds a sentence to the caller's error stack, where H5Eprint and h5py's exceptions show it.
  void push_error(const char* sentence) const;

 private:
  hid_t error_class_ = -1, error_major_ = -1, error_minor_ = -1;
};

// A datatype that the caller of an H5Tget_ function must close.
class OwnedType {
 public:
  OwnedType(const Hdf5Functions& h5, hid_t id) : h5_(h5), id_(id) {}
  OwnedType(const OwnedType&) = delete;
  ~OwnedType() {
    if (id_ >= 0) h5_.H5Tclose(id_);
  }
  hid_t id() const { return id_; }

 private:
  const Hdf5Functions& h5_;
  hid_t id_;
};

}  // namespace fzm::filter
