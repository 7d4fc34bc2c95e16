#include "tools/fzm/hdf5_file.h"

#include <sys/stat.h>

#include <cstring>

#ifdef FZM_HAS_HDF5
#include "tools/fzm/hdf5_type.h"
#endif

namespace fzm::cli {

std::optional<DatasetPath> dataset_path(const std::string& text) {
  const size_t colon = text.rfind(":/");
  struct stat about {};
  if (colon == std::string::npos || colon == 0 || stat(text.c_str(), &about) == 0)
    return std::nullopt;
  return DatasetPath{text.substr(0, colon), text.substr(colon + 1)};
}

#ifdef FZM_HAS_HDF5

struct Dataset::Content {
  DatasetPath path;
  Handle file, dataset, space, type, plist;
  Status fault(const std::string& what) const {
    return Status(Code::io, path.file + ":" + path.dataset + ": " + what);
  }
};

namespace {

constexpr int kMaxFilterWords = 256;  // HDF5 refuses to tell more

std::vector<hsize_t> extents_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> extents(static_cast<size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return extents;
}

// The user's fill value as a native number's bits.
void note_fill(hid_t plist, hid_t type, ArrayInfo& array) {
  H5D_fill_value_t kind = H5D_FILL_VALUE_ERROR;
  if (array.type == DType::unknown || H5Tget_class(type) == H5T_ARRAY) return;
  if (H5Pfill_value_defined(plist, &kind) < 0 || kind != H5D_FILL_VALUE_USER_DEFINED) return;
  uint8_t bytes[8] = {};
  if (H5Pget_fill_value(plist, type, bytes) < 0) return;
  array.has_fill = true;
  for (uint32_t i = 0; i < array.bytes_per_item(); ++i) {
    const uint32_t at = array.big_endian ? array.bytes_per_item() - 1 - i : i;
    array.fill_bits |= uint64_t{bytes[at]} << (8 * i);
  }
}

std::string read_fault() { return hdf5_message() + "; `fzm doctor` checks HDF5_PLUGIN_PATH"; }

Handle open_file(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
}

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info2_t;
#else
using ObjectInfo = H5O_info_t;
#endif

herr_t note_dataset(hid_t, const char* name, const ObjectInfo* info, void* to) {
  if (info->type == H5O_TYPE_DATASET)
    static_cast<std::vector<std::string>*>(to)->push_back("/" + std::string(name));
  return 0;
}

Handle open_or_make(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) == 0)
    return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
  return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
}

}  // namespace

Result<Dataset> Dataset::open(const DatasetPath& path) {
  quiet_hdf5();
  auto c = std::make_shared<Content>();
  c->path = path;
  c->file = open_file(path.file);
  if (!c->file.is_open())
    return Status(Code::io, path.file + ": not an HDF5 file that can be opened: " + hdf5_message());
  c->dataset = Handle(H5Dopen2(c->file.get(), path.dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!c->dataset.is_open()) return c->fault("no such dataset");
  c->space = Handle(H5Dget_space(c->dataset.get()), H5Sclose);
  c->type = Handle(H5Dget_type(c->dataset.get()), H5Tclose);
  c->plist = Handle(H5Dget_create_plist(c->dataset.get()), H5Pclose);
  Dataset d;
  d.content_ = std::move(c);
  return d;
}

Result<std::vector<std::string>> Dataset::list(const std::string& path) {
  quiet_hdf5();
  const Handle file = open_file(path);
  if (!file.is_open())
    return Status(Code::io, path + ": not an HDF5 file that can be opened: " + hdf5_message());
  std::vector<std::string> names;
#if H5_VERSION_GE(1, 12, 0)
  H5Ovisit3(file.get(), H5_INDEX_NAME, H5_ITER_INC, note_dataset, &names, H5O_INFO_BASIC);
#else
  H5Ovisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, note_dataset, &names);
#endif
  return names;
}

Status Dataset::write(const DatasetPath& path, const ArrayInfo& array, ConstBytes bytes) {
  quiet_hdf5();
  const auto fault = [&] {
    return Status(Code::io, path.file + ":" + path.dataset + ": " + hdf5_message());
  };
  const Handle file = open_or_make(path.file);
  if (!file.is_open()) return fault();
  const std::vector<hsize_t> extents(array.shape.begin(), array.shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                     H5Sclose);
  const Handle type = file_type(array);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  const Handle dataset(H5Dcreate2(file.get(), path.dataset.c_str(), type.get(), space.get(),
                                  links.get(), H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  if (!dataset.is_open()) return fault();
  if (H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return fault();
  return {};
}

Result<ArrayInfo> Dataset::array() const {
  ArrayInfo array;
  const std::vector<hsize_t> extents = extents_of(content_->space.get());
  array.shape.assign(extents.begin(), extents.end());
  if (const Status s = note_type(content_->type.get(), array); !s.ok())
    return content_->fault(s.message());
  if (array.shape.empty()) array.shape = {1};  // a scalar
  note_fill(content_->plist.get(), content_->type.get(), array);
  return array;
}

Result<std::vector<uint8_t>> Dataset::read() const {
  const hssize_t values = H5Sget_simple_extent_npoints(content_->space.get());
  std::vector<uint8_t> bytes(static_cast<size_t>(std::max<hssize_t>(values, 0)) *
                             H5Tget_size(content_->type.get()));
  if (!bytes.empty() && H5Dread(content_->dataset.get(), content_->type.get(), H5S_ALL, H5S_ALL,
                                H5P_DEFAULT, bytes.data()) < 0)
    return content_->fault(read_fault());
  return bytes;
}

bool Dataset::is_chunked() const { return H5Pget_layout(content_->plist.get()) == H5D_CHUNKED; }

std::vector<StoredFilter> Dataset::filters() const {
  std::vector<StoredFilter> list;
  const int n = H5Pget_nfilters(content_->plist.get());
  for (int i = 0; i < n; ++i) {
    unsigned flags = 0, config = 0;
    size_t count = kMaxFilterWords;
    std::vector<unsigned> words(count);
    char name[64] = {};
    const H5Z_filter_t id = H5Pget_filter2(content_->plist.get(), static_cast<unsigned>(i), &flags,
                                           &count, words.data(), sizeof name - 1, name, &config);
    words.resize(std::min<size_t>(count, words.size()));
    list.push_back({id, name, {words.begin(), words.end()}});
  }
  return list;
}

std::vector<uint64_t> Dataset::chunk_shape() const {
  hsize_t extents[H5S_MAX_RANK] = {};
  const int rank = is_chunked() ? H5Pget_chunk(content_->plist.get(), H5S_MAX_RANK, extents) : 0;
  return {extents, extents + std::max(rank, 0)};
}

uint64_t Dataset::chunk_bytes() const {
  uint64_t bytes = H5Tget_size(content_->type.get());
  for (const uint64_t extent : chunk_shape()) bytes *= extent;
  return bytes;
}

Result<std::vector<StoredChunk>> Dataset::chunks() const {
  const hid_t dataset = content_->dataset.get();
  hsize_t n = 0;
  if (H5Dget_num_chunks(dataset, content_->space.get(), &n) < 0)
    return content_->fault(hdf5_message());
  std::vector<StoredChunk> list(n);
  for (hsize_t i = 0; i < n; ++i) {
    hsize_t offset[H5S_MAX_RANK] = {}, bytes = 0;
    unsigned mask = 0;
    haddr_t address = 0;
    if (H5Dget_chunk_info(dataset, content_->space.get(), i, offset, &mask, &address, &bytes) < 0)
      return content_->fault(hdf5_message());
    list[i] = {{offset, offset + chunk_shape().size()}, bytes, mask};
  }
  return list;
}

Result<std::vector<uint8_t>> Dataset::read_stored(const StoredChunk& chunk) const {
  std::vector<uint8_t> bytes(chunk.stored_bytes);
  const std::vector<hsize_t> offset(chunk.offset.begin(), chunk.offset.end());
  uint32_t mask = 0;
  if (H5Dread_chunk(content_->dataset.get(), H5P_DEFAULT, offset.data(), &mask, bytes.data()) < 0)
    return content_->fault(hdf5_message());
  return bytes;
}

#else

struct Dataset::Content {};

namespace {
Status none() { return Status(Code::io, "this fzm was built without HDF5"); }
}  // namespace

Result<Dataset> Dataset::open(const DatasetPath&) { return none(); }
Result<std::vector<std::string>> Dataset::list(const std::string&) { return none(); }
Status Dataset::write(const DatasetPath&, const ArrayInfo&, ConstBytes) { return none(); }
Result<ArrayInfo> Dataset::array() const { return none(); }
Result<std::vector<uint8_t>> Dataset::read() const { return none(); }
bool Dataset::is_chunked() const { return false; }
std::vector<StoredFilter> Dataset::filters() const { return {}; }
std::vector<uint64_t> Dataset::chunk_shape() const { return {}; }
uint64_t Dataset::chunk_bytes() const { return 0; }
Result<std::vector<StoredChunk>> Dataset::chunks() const { return none(); }
Result<std::vector<uint8_t>> Dataset::read_stored(const StoredChunk&) const { return none(); }

#endif

}  // namespace fzm::cli
