// leave_open FILE: writes a chunk and ends without closing anything. HDF5 flushes it while the
// process exits, after the destructors of static objects have run.
#include <hdf5.h>

#include "filter/id.h"
#include "tests/filter/check.h"

int main(int count, char** arguments) {
  REQUIRE(count == 2);
  const hid_t file = H5Fcreate(arguments[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t extents[2] = {64, 64};
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  const unsigned words[4] = {1, 1, 0xD2F1A9FC, 0x3F50624D};  // fsz, abs, 0.001
  REQUIRE(H5Pset_chunk(dcpl, 2, extents) >= 0);
  REQUIRE(H5Pset_filter(dcpl, H5Z_FILTER_FZM, H5Z_FLAG_MANDATORY, 4, words) >= 0);
  const hid_t space = H5Screate_simple(2, extents, nullptr);
  const hid_t dataset =
      H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  REQUIRE(dataset >= 0);
  static float values[64 * 64];
  for (int i = 0; i < 64 * 64; ++i) values[i] = static_cast<float>(i);
  REQUIRE(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  return 0;
}
