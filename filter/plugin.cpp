// What HDF5 looks up after it has opened the library.
#include <H5PLextern.h>

#include "filter/callbacks.h"
#include "filter/id.h"

namespace {

const H5Z_class2_t kFilter = {
    H5Z_CLASS_T_VERS,
    H5Z_FILTER_FZM,
    1,  // encoder and decoder are there on every machine: the CPU's
    1,
    H5Z_FZM_NAME,
    // No can_apply: its 0 keeps nobody from running the filter (HDF5 1.10 to 2.x), and set_local
    // can refuse as well.
    nullptr,
    // HDF5 must call these two directly: their return addresses tell which copy of it is calling.
    fzm::filter::set_local,
    fzm::filter::apply,
};

}  // namespace

extern "C" {

H5PL_type_t H5PLget_plugin_type(void) { return H5PL_TYPE_FILTER; }

const void* H5PLget_plugin_info(void) { return &kFilter; }
}
