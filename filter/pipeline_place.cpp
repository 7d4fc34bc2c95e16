#include "filter/pipeline_place.h"

#include "filter/id.h"

namespace fzm::filter {

namespace {

std::string printed_name(H5Z_filter_t id, const char* stored) {
  // HDF5 leaves the name of some of its own out.
  const char* name = *stored ? stored : id == H5Z_FILTER_SHUFFLE ? "shuffle" : "filter";
  return std::string(name) + " (" + std::to_string(id) + ")";
}

}  // namespace

Result<std::string> filter_before_us(const Hdf5Calls& h5, hid_t dcpl) {
  std::string before;
  const int filters = h5.H5Pget_nfilters(dcpl);
  for (int i = 0; i < filters; ++i) {
    char name[64] = {};
    unsigned flags = 0, config = 0;
    size_t no_words = 0;
    const H5Z_filter_t id = h5.H5Pget_filter2(dcpl, static_cast<unsigned>(i), &flags, &no_words,
                                              nullptr, sizeof name - 1, name, &config);
    if (id == H5Z_FILTER_FZM) return before;
    if (id < 0) break;
    before = printed_name(id, name);
  }
  return Status(Code::internal, "the property list's filters cannot be read");
}

}  // namespace fzm::filter
