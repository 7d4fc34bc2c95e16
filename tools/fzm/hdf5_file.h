// HDF5 files, as far as the command line needs them: one dataset as an array, and its chunks as
// they are stored.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fzm.h"

namespace fzm::cli {

// "runs/a.h5:/group/field"
struct DatasetPath {
  std::string file, dataset;
};
// None where the text is the name of an ordinary file.
std::optional<DatasetPath> dataset_path(const std::string& text);

struct StoredChunk {
  std::vector<uint64_t> offset;  // in elements
  uint64_t stored_bytes = 0;
  uint32_t filter_mask = 0;
};

// A filter of the dataset's pipeline.
struct StoredFilter {
  int id = 0;
  std::string name;
  std::vector<uint32_t> words;
};

class Dataset {
 public:
  // Errors name file and dataset, and what HDF5 said.
  static Result<Dataset> open(const DatasetPath& path);
  // The paths of all datasets in a file.
  static Result<std::vector<std::string>> list(const std::string& file);
  // A new contiguous dataset; the file is made where there is none. Opaque items become H5T_OPAQUE.
  static Status write(const DatasetPath& path, const ArrayInfo& array, ConstBytes bytes);

  // Type, byte order, shape and fill value of the whole. Errors: variable-length types.
  Result<ArrayInfo> array() const;
  // The values in the file's type and byte order, through the dataset's filters.
  Result<std::vector<uint8_t>> read() const;

  bool is_chunked() const;
  std::vector<StoredFilter> filters() const;
  std::vector<uint64_t> chunk_shape() const;
  uint64_t chunk_bytes() const;  // raw
  Result<std::vector<StoredChunk>> chunks() const;
  Result<std::vector<uint8_t>> read_stored(const StoredChunk& chunk) const;

 private:
  struct Content;
  std::shared_ptr<Content> content_;
};

}  // namespace fzm::cli
