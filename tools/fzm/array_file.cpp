#include "tools/fzm/array_file.h"

#include "tools/fzm/files.h"
#include "tools/fzm/hdf5_file.h"

namespace fzm::cli {
namespace {

Result<ArrayFile> read_dataset(const DatasetPath& path) {
  const Result<Dataset> dataset = Dataset::open(path);
  if (!dataset.ok()) return dataset.status();
  Result<ArrayInfo> array = dataset->array();
  if (!array.ok()) return array.status();
  Result<std::vector<uint8_t>> bytes = dataset->read();
  if (!bytes.ok()) return bytes.status();
  return ArrayFile{std::move(array).value(), std::move(bytes).value()};
}

}  // namespace

bool is_frame(ConstBytes bytes) {
  if (bytes.empty()) return false;
  const Result<FrameInfo> info = read_frame_info(bytes);
  return info.ok() || info.status().code() != Code::not_a_frame;
}

Result<ArrayFile> decode_frame(ConstBytes frame, uint32_t threads) {
  const Result<FrameInfo> info = read_frame_info(frame);
  if (!info.ok()) return info.status();
  ArrayFile file{info->array, std::vector<uint8_t>(info->raw_bytes)};
  FZM_TRY(decode(frame, file.bytes.data(), file.bytes.size(), Options{.threads = threads}));
  return file;
}

Result<ArrayFile> read_array(const std::string& place, const ArraySettings& settings,
                             uint32_t threads) {
  if (const auto path = dataset_path(place)) return read_dataset(*path);
  Result<std::vector<uint8_t>> bytes = read_file(place);
  if (!bytes.ok()) return bytes.status();
  if (settings.type.empty() && is_frame(*bytes)) {
    Result<ArrayFile> file = decode_frame(*bytes, threads);
    return file.ok() ? file : Result<ArrayFile>(file.status().at(place));
  }
  const Result<ArrayInfo> array = settings.array(bytes->size());
  if (!array.ok()) return array.status().at(place);
  return ArrayFile{*array, std::move(bytes).value()};
}

std::string describe(const ArrayInfo& array) {
  const std::string type = array.type == DType::unknown
                               ? "items of " + std::to_string(array.item_bytes) + " bytes"
                               : std::string(dtype_name(array.type));
  return to_string(array.shape) + " " + type + (array.big_endian ? ", big-endian" : "");
}

}  // namespace fzm::cli
