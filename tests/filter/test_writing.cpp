// What h5py cannot ask HDF5 for: partial chunks without filters, filters on a group, the error
// stack.
#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "filter/id.h"
#include "tests/filter/check.h"

namespace {

constexpr double kBound = 1e-3;
const std::vector<unsigned> kFsz = {1, 1, 0xD2F1A9FC, 0x3F50624D};  // fsz, abs, 0.001

std::string scratch_file() { return "/tmp/fzm_test_writing_" + std::to_string(getpid()) + ".h5"; }

hid_t create_file(hid_t fapl = H5P_DEFAULT) {
  const hid_t file = H5Fcreate(scratch_file().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  REQUIRE(file >= 0);
  return file;
}

hid_t newest_format() {
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  REQUIRE(H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0);
  return fapl;
}

hid_t creation_list(hsize_t ny, hsize_t nx, const std::vector<unsigned>& words,
                    unsigned flags = H5Z_FLAG_MANDATORY) {
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[2] = {ny, nx};
  REQUIRE(H5Pset_chunk(dcpl, 2, chunk) >= 0);
  REQUIRE(H5Pset_filter(dcpl, H5Z_FILTER_FZM, flags, words.size(), words.data()) >= 0);
  return dcpl;
}

hid_t create(hid_t file, hid_t dcpl, hsize_t ny, hsize_t nx, hid_t type = H5T_IEEE_F32LE) {
  const hsize_t extents[2] = {ny, nx};
  // Left open: closing it would clear the error stack, which one test looks at.
  const hid_t space = H5Screate_simple(2, extents, nullptr);
  return H5Dcreate2(file, "x", type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
}

std::vector<float> waves(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = 100.0f * std::sin(static_cast<float>(i) * 0.01f);
  return values;
}

double largest_error(hid_t dataset, const std::vector<float>& want) {
  std::vector<float> got(want.size(), NAN);
  REQUIRE(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got.data()) >= 0);
  double worst = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    const double error = std::fabs(double{got[i]} - double{want[i]});
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

void partial_chunks_may_stay_outside_the_pipeline() {
  const hid_t fapl = newest_format();
  hid_t file = create_file(fapl);
  const hid_t dcpl = creation_list(16, 16, kFsz);
  REQUIRE(H5Pset_chunk_opts(dcpl, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) >= 0);
  hid_t dataset = create(file, dcpl, 40, 50);
  REQUIRE(dataset >= 0);
  const auto values = waves(40 * 50);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
  file = H5Fopen(scratch_file().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset = H5Dopen2(file, "x", H5P_DEFAULT);
  CHECK(largest_error(dataset, values) <= kBound);
  H5Dclose(dataset), H5Fclose(file), H5Pclose(dcpl), H5Pclose(fapl);
}

void early_allocation_without_fill_works() {
  const hid_t file = create_file();
  const hid_t dcpl = creation_list(16, 16, kFsz);
  H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
  const hid_t dataset = create(file, dcpl, 64, 64);
  REQUIRE(dataset >= 0);
  const auto values = waves(64 * 64);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
  CHECK(largest_error(dataset, values) <= kBound);
  H5Dclose(dataset), H5Pclose(dcpl), H5Fclose(file);
}

void links_of_a_filtered_group_survive(unsigned flags) {
  const hid_t fapl = newest_format();
  hid_t file = create_file(fapl);
  const hid_t gcpl = H5Pcreate(H5P_GROUP_CREATE);
  REQUIRE(H5Pset_filter(gcpl, H5Z_FILTER_FZM, flags, kFsz.size(), kFsz.data()) >= 0);
  hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, gcpl, H5P_DEFAULT);
  CHECK(group >= 0);
  const auto name = [](int i) {
    return "a link with quite a long name, number " + std::to_string(i);
  };
  for (int i = 0; group >= 0 && i < 2000; ++i) {
    const hid_t link = H5Gcreate2(group, name(i).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(link >= 0);
    H5Gclose(link);
  }
  H5Gclose(group);
  CHECK(H5Fclose(file) >= 0);
  file = H5Fopen(scratch_file().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  group = H5Gopen2(file, "g", H5P_DEFAULT);
  for (int i = 0; i < 2000; ++i) CHECK(H5Lexists(group, name(i).c_str(), H5P_DEFAULT) > 0);
  H5Gclose(group), H5Fclose(file), H5Pclose(gcpl), H5Pclose(fapl);
}

void links_survive_a_mandatory_filter() { links_of_a_filtered_group_survive(H5Z_FLAG_MANDATORY); }
void links_survive_an_optional_filter() { links_of_a_filtered_group_survive(H5Z_FLAG_OPTIONAL); }

herr_t collect(unsigned, const H5E_error2_t* error, void* text) {
  static_cast<std::string*>(text)->append(error->desc ? error->desc : "").append("\n");
  return 0;
}

void a_refusal_is_on_the_error_stack() {
  const hid_t file = create_file();
  const hid_t dcpl =
      creation_list(8, 8, {1, 1, 0, 0xBFF00000}, H5Z_FLAG_OPTIONAL);  // a bound of -1
  std::string text;
  H5E_BEGIN_TRY {
    CHECK(create(file, dcpl, 8, 8) < 0);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &text);
  }
  H5E_END_TRY
  CHECK(text.find("fzm: cannot create the dataset: ") != std::string::npos);
  CHECK(text.find("bound") != std::string::npos);
  H5Pclose(dcpl), H5Fclose(file);
}

void an_optional_filter_becomes_mandatory() {
  const hid_t file = create_file();
  const hid_t dcpl = creation_list(8, 8, kFsz, H5Z_FLAG_OPTIONAL);
  const hid_t dataset = create(file, dcpl, 8, 8);
  REQUIRE(dataset >= 0);
  const hid_t stored = H5Dget_create_plist(dataset);
  unsigned flags = ~0u, words[20], config = 0;
  size_t count = 20;
  CHECK(H5Pget_filter_by_id2(stored, H5Z_FILTER_FZM, &flags, &count, words, 0, nullptr, &config) >=
        0);
  CHECK((flags & H5Z_FLAG_OPTIONAL) == 0);
  CHECK(count <= 20 && words[0] >> 16 == 0x465A);  // the stored form
  CHECK(config == (H5Z_FILTER_CONFIG_ENCODE_ENABLED | H5Z_FILTER_CONFIG_DECODE_ENABLED));
  H5Pclose(stored), H5Dclose(dataset), H5Pclose(dcpl), H5Fclose(file);
}

void unusual_types_are_kept_exactly() {
  const hid_t file = create_file();
  const hid_t bits = H5Tcopy(H5T_STD_B16LE);                        // a bit field
  const hid_t dcpl = creation_list(16, 16, {1, 1, 0, 0x40240000});  // a bound of 10
  const hid_t dataset = create(file, dcpl, 16, 16, bits);
  REQUIRE(dataset >= 0);
  std::vector<uint16_t> want(256), got(256);
  for (size_t i = 0; i < 256; ++i) want[i] = static_cast<uint16_t>(i * 257 + 3);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_B16, H5S_ALL, H5S_ALL, H5P_DEFAULT, want.data()) >= 0);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  CHECK(H5Dread(dataset, H5T_NATIVE_B16, H5S_ALL, H5S_ALL, H5P_DEFAULT, got.data()) >= 0);
  CHECK(got == want);
  H5Dclose(dataset), H5Pclose(dcpl), H5Tclose(bits), H5Fclose(file);
}

}  // namespace

int main() {
  RUN(partial_chunks_may_stay_outside_the_pipeline);
  RUN(early_allocation_without_fill_works);
  RUN(links_survive_a_mandatory_filter);
  RUN(links_survive_an_optional_filter);
  RUN(a_refusal_is_on_the_error_stack);
  RUN(an_optional_filter_becomes_mandatory);
  RUN(unusual_types_are_kept_exactly);
  unlink(scratch_file().c_str());
  return failed_checks != 0;
}
