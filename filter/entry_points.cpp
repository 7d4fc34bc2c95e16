// The C entry points of h5z_fzm_plugin.h, over the façade.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/fzm.h"
#include "filter/guard.h"
#include "filter/h5z_fzm_plugin.h"

namespace fzm::filter {
namespace {

// The number of an error; its sentence is kept for the caller, who decides whether to print it.
int answer(const Status& status) {
  if (!status.ok()) keep_error(status.message());
  return static_cast<int>(status.code());
}

template <class F>
int answered(F&& work) noexcept {
  return guarded([&] { return answer(work()); }, static_cast<int>(Code::internal));
}

Result<ArrayInfo> array_of(const H5Z_FZM_array& a) {
  if (a.rank > kMaxRank)
    return Status(Code::bad_request, "an array of rank " + std::to_string(a.rank) + "; at most 32 are possible");
  ArrayInfo array;
  array.type = static_cast<DType>(a.type);
  if (array.type != DType::unknown && dtype_bytes(array.type) == 0)
    return Status(Code::unsupported_type, "element type " + std::to_string(a.type) + " is not one of 0 to 9 and 255");
  array.item_bytes = array.type == DType::unknown ? a.item_bytes : dtype_bytes(array.type);
  if (array.item_bytes == 0) return Status(Code::bad_request, "items of 0 bytes");
  array.big_endian = a.big_endian != 0;
  array.shape.assign(a.extents, a.extents + a.rank);
  if (array.shape.empty()) array.shape = {1};
  return array;
}

Status write_array(const ArrayInfo& array, H5Z_FZM_array& to) {
  to = {};
  to.type = static_cast<int32_t>(array.type);
  to.big_endian = array.big_endian;
  to.item_bytes = array.bytes_per_item();
  to.rank = static_cast<uint32_t>(array.shape.size());
  std::copy(array.shape.begin(), array.shape.end(), to.extents);
  return {};
}

Options options_here() {
  Options options;
  options.threads = threads_from_environment(1);
  return options;
}

Status words_of(const char* text, uint32_t* words, size_t& count) {
  const auto request = Request::from_options(text ? text : "");
  if (!request.ok()) return request.status();
  const auto made = write_words(*request);
  if (!made.ok()) return made.status();
  if (made->size() > count)
    return Status(Code::no_room, std::to_string(made->size()) + " words, there is room for " + std::to_string(count));
  std::copy(made->begin(), made->end(), words);
  count = made->size();
  return {};
}

Status sentence_of(const uint32_t* words, size_t count, char* text, size_t room) {
  const auto read = read_words({words, count});
  if (!read.ok()) return read.status();
  if (room == 0) return Status(Code::no_room, "no room for the sentence");
  const std::string sentence = read->request.to_sentence();
  const size_t length = std::min(sentence.size(), room - 1);
  std::memcpy(text, sentence.data(), length);
  text[length] = 0;
  return {};
}

Status encode_array(const char* text, const H5Z_FZM_array& a, const void* data, void*& frame, size_t& bytes) {
  const auto request = Request::from_options(text ? text : "");
  if (!request.ok()) return request.status();
  const auto array = array_of(a);
  if (!array.ok()) return array.status();
  const auto made = encode(*request, *array, data, options_here());
  if (!made.ok()) return made.status();
  auto* const memory = static_cast<uint8_t*>(std::malloc(made->size()));
  if (memory == nullptr) return Status(Code::no_memory, "no memory for a frame of " + std::to_string(made->size()) + " bytes");
  made->copy_to(memory);
  frame = memory;
  bytes = made->size();
  return {};
}

ConstBytes bytes_at(const void* frame, size_t bytes) { return {static_cast<const uint8_t*>(frame), bytes}; }

}  // namespace
}  // namespace fzm::filter

extern "C" {

using namespace fzm::filter;

int H5Z_FZM_words(const char* options, uint32_t* words, size_t* count) {
  return answered([&] { return words_of(options, words, *count); });
}

int H5Z_FZM_sentence(const uint32_t* words, size_t count, char* text, size_t room) {
  return answered([&] { return sentence_of(words, count, text, room); });
}

int H5Z_FZM_encode(const char* options, const H5Z_FZM_array* array, const void* data, void** frame, size_t* bytes) {
  return answered([&] { return encode_array(options, *array, data, *frame, *bytes); });
}

int H5Z_FZM_frame_array(const void* frame, size_t bytes, H5Z_FZM_array* array) {
  return answered([&] {
    const auto read = fzm::read_frame_array(bytes_at(frame, bytes));
    return read.ok() ? write_array(*read, *array) : read.status();
  });
}

int H5Z_FZM_decode(const void* frame, size_t bytes, void* data, size_t data_bytes) {
  return answered([&] { return fzm::decode(bytes_at(frame, bytes), data, data_bytes, options_here()); });
}

void H5Z_FZM_free(void* frame) { std::free(frame); }
}
