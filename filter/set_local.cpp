// Runs once when a dataset is created, on its own copy of the property list. The only place where
// HDF5 shows the user what we have to say, so everything that can be wrong with a request is found
// here.
#include "filter/callbacks.h"
#include "filter/chunk_array.h"
#include "filter/guard.h"
#include "filter/id.h"
#include "filter/pipeline_place.h"

namespace fzm::filter {

namespace {

// HDF5 looks at no more: it takes a larger capacity for an uninitialised one.
constexpr size_t kReadableWords = 256;

struct OwnEntry {
  unsigned flags = 0;
  std::vector<uint32_t> words;
};

Result<OwnEntry> read_own_entry(const Hdf5Calls& h5, hid_t dcpl) {
  OwnEntry entry;
  entry.words.resize(kReadableWords);
  size_t count = kReadableWords;  // in: the capacity, out: how many the list holds
  unsigned config = 0;
  if (h5.H5Pget_filter_by_id2(dcpl, H5Z_FILTER_FZM, &entry.flags, &count, entry.words.data(), 0,
                              nullptr, &config) < 0)
    return Status(Code::internal, "the property list has no entry of this filter");
  if (count > kReadableWords)
    return Status(Code::bad_words, std::to_string(count) + " cd_values; at most " +
                                       std::to_string(kMaxWords) + " are read");
  entry.words.resize(count);
  return entry;
}

// A filter that is optional is left out without a word when it fails, and a fresh process that
// appends would store its chunks as they are. h5py knows no other kind.
Status write_own_entry(const Hdf5Calls& h5, hid_t dcpl, const OwnEntry& entry) {
  const unsigned mandatory = entry.flags & ~static_cast<unsigned>(H5Z_FLAG_OPTIONAL);
  if (h5.H5Pmodify_filter(dcpl, H5Z_FILTER_FZM, mandatory, entry.words.size(), entry.words.data()) <
      0)
    return Status(Code::internal, "the property list does not take the new cd_values");
  return {};
}

// Behind another filter there are only bytes. An error bound would be one on permuted or compressed
// bytes, and the other filter would not find its own on the way back.
Result<ArrayInfo> array_behind(const std::string& filter, const Request& request,
                               const ArrayInfo& array) {
  if (request.is_lossy() && array.type != DType::unknown)
    return Status(
        Code::bad_request,
        "the filter " + filter +
            " runs before fzm, which then sees no values to keep an error bound on; put fzm "
            "first, leave the other out, or take the preset lossless");
  return plain_bytes(array_bytes(array));
}

// The trial plan. A preset meets whatever types a file has (nccopy -F "*,..."): those it has
// nothing for are kept exactly.
Result<ArrayInfo> array_to_plan_for(const Request& request, const ArrayInfo& array) {
  const auto plan = explain(request, array);
  if (plan.ok()) return array;
  if (plan.status().code() != Code::unsupported_type || !request.preset_number())
    return plan.status();
  return opaque_items(array);
}

Result<ArrayInfo> array_to_store(const Hdf5Calls& h5, hid_t dcpl, hid_t type,
                                 const Request& request) {
  auto array = chunk_array(h5, dcpl, type);
  if (!array.ok()) return array;
  auto before = filter_before_us(h5, dcpl);
  if (!before.ok()) return before.status();
  if (!before->empty()) return array_behind(*before, request, *array);
  return array_to_plan_for(request, *array);
}

std::string told(const Request& request, const ArrayInfo& array) {
  if (array.type == DType::unknown && request.is_lossy())
    return request.to_sentence() + ": items of " + std::to_string(array.item_bytes) +
           " bytes that are no numbers of ours are kept exactly";
  return request.to_sentence() + " on chunks of " + to_string(array.shape) + " " +
         std::string(dtype_name(array.type));
}

// `entry` may hold what a person wrote or what an earlier call has stored, for this or another type
// and shape.
Status prepare(const Hdf5Calls& h5, hid_t dcpl, hid_t type) {
  auto entry = read_own_entry(h5, dcpl);
  if (!entry.ok()) return entry.status();
  auto words = read_words(entry->words);
  if (!words.ok()) return words.status();
  const Request& request = words->request;
  auto array = array_to_store(h5, dcpl, type, request);
  if (!array.ok()) return array.status();
  auto stored = write_stored_words(request, *array);
  if (!stored.ok()) return stored.status();
  FZM_TRY(write_own_entry(h5, dcpl, {entry->flags, std::move(stored).value()}));
  report(Level::info, told(request, *array));
  return {};
}

herr_t refuse(const Hdf5Calls* h5, const Status& why) {
  const std::string sentence = "cannot create the dataset: " + why.message();
  if (h5) h5->push_error(("fzm: " + sentence).c_str());
  report(Level::error, sentence);
  return -1;
}

herr_t set_local_from(const void* return_address, hid_t dcpl, hid_t type) {
  // The heap of a group's links has the group's filters, and no type or shape. Its blocks are coded
  // as bytes.
  if (dcpl < 0 || type < 0) return 0;
  const auto h5 = Hdf5Calls::find(return_address);
  if (!h5.ok()) return refuse(nullptr, h5.status());
  // H5I_GENPROP_LST cannot be asked for: its number is another one since 1.12.
  if (h5->H5Iget_type(type) != H5I_DATATYPE)
    return refuse(nullptr,
                  Status(Code::internal, "another copy of HDF5 than the one found is calling"));
  const Status prepared = prepare(*h5, dcpl, type);
  return prepared.ok() ? 0 : refuse(&*h5, prepared);
}

}  // namespace

__attribute__((noinline)) herr_t set_local(hid_t dcpl, hid_t type, hid_t) noexcept {
  const void* caller = __builtin_return_address(0);
  return guarded([&] { return set_local_from(caller, dcpl, type); }, herr_t{-1});
}

}  // namespace fzm::filter
