#include "filter/hdf5_calls.h"

namespace fzm::filter {

namespace {

// Every copy of HDF5 since 1.8 exports it.
constexpr const char* kAnchor = "H5Pmodify_filter";

// Error ids are variables of the library; a missing one is -1.
hid_t id_named(const Library& library, const char* name) {
  const void* variable = library.find(name);
  return variable ? *static_cast<const hid_t*>(variable) : -1;
}

Result<Library> calling_hdf5(const void* return_address) {
  Library caller = library_at(return_address, kAnchor);
  if (caller) return caller;
  Library only = only_library_with(kAnchor);
  if (only) return only;
  return Status(
      Code::internal,
      "the HDF5 library that calls does not export its functions, and the process holds none "
      "or several others");
}

Status check_version(const Hdf5Calls& h5) {
  unsigned major = 0, minor = 0, release = 0;
  h5.H5get_libversion(&major, &minor, &release);
  if (major > 1 || minor >= 10) return {};
  return Status(Code::internal, "HDF5 " + std::to_string(major) + "." + std::to_string(minor) +
                                    "." + std::to_string(release) +
                                    " can read fzm data; writing takes 1.10 or newer");
}

}  // namespace

Result<Hdf5Calls> Hdf5Calls::find(const void* return_address) {
  auto found = calling_hdf5(return_address);
  if (!found.ok()) return found.status();
  const Library& library = found.value();
  Hdf5Calls h5;
#define FZM_FIND(name)                                                \
  h5.name = reinterpret_cast<decltype(&::name)>(library.find(#name)); \
  if (!h5.name) return Status(Code::internal, "the calling HDF5 library has no " #name);
  FZM_HDF5_CALLS(FZM_FIND)
#undef FZM_FIND
  FZM_TRY(check_version(h5));
  h5.error_class_ = id_named(library, "H5E_ERR_CLS_g");
  h5.error_major_ = id_named(library, "H5E_PLINE_g");
  h5.error_minor_ = id_named(library, "H5E_CANTINIT_g");
  return h5;
}

void Hdf5Calls::push_error(const char* sentence) const {
  if (error_class_ < 0 || error_major_ < 0 || error_minor_ < 0) return;
  H5Epush2(H5E_DEFAULT, "fzm", "set_local", 0, error_class_, error_major_, error_minor_, "%s",
           sentence);
}

}  // namespace fzm::filter
