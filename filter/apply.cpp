// Runs on every chunk. Encoding cannot fail for the data's sake: HDF5 would say so when the dataset
// is closed, long after the write returned, or crash (2.2). Decoding trusts the frame only, and
// only after it was checked.
#include <memory>

#include "filter/allocator.h"
#include "filter/callbacks.h"
#include "filter/chunk_array.h"
#include "filter/guard.h"
#include "filter/words_cache.h"

namespace fzm::filter {

namespace {

struct Call {
  unsigned flags;
  std::span<const unsigned> words;
  size_t bytes;  // valid ones in *buffer; *capacity may be more
  size_t* capacity;
  void** buffer;
  Allocator allocator;

  const uint8_t* data() const { return static_cast<const uint8_t*>(*buffer); }
};

struct Release {
  Allocator allocator;
  void operator()(uint8_t* memory) const { allocator.release(memory); }
};
using OwnedBuffer = std::unique_ptr<uint8_t, Release>;

OwnedBuffer allocate(const Call& call, size_t bytes) {
  return {static_cast<uint8_t*>(call.allocator.allocate(bytes)), Release{call.allocator}};
}

size_t hand_over(const Call& call, OwnedBuffer result, size_t bytes) {
  call.allocator.release(*call.buffer);
  *call.buffer = result.release();
  *call.capacity = bytes;
  return bytes;
}

size_t fail(const char* verb, const Call& call, const Status& why) {
  report(Level::error, std::string("cannot ") + verb + " a chunk of " + std::to_string(call.bytes) +
                           " bytes: " + why.message());
  return 0;
}

Status no_memory(uint64_t bytes) {
  return Status(Code::no_memory, "no memory for " + std::to_string(bytes) + " bytes");
}

// What set_local stored. Not there in a group's heap, in a second fzm filter of the same pipeline,
// and in files written by a program that took the filter's place in the property list for its own.
Result<std::shared_ptr<const Words>> stored_words(const Call& call) {
  auto words = cached_words(call.words);
  if (words.ok() && !words.value()->array)
    return Status(Code::bad_words, "the cd_values do not say what a chunk holds");
  return words;
}

Result<EncodedFrame> encode_as_asked(const Call& call, const Options& options) {
  auto words = stored_words(call);
  if (!words.ok()) return words.status();
  const Words& w = *words.value();
  const uint64_t declared = array_bytes(*w.array);
  if (declared != call.bytes)
    return Status(Code::wrong_size, "a chunk of " + to_string(w.array->shape) +
                                        " items should have " + std::to_string(declared) +
                                        " bytes");
  return encode(w.request, *w.array, call.data(), options);
}

size_t encode_chunk(const Call& call) {
  Options options;
  options.threads = threads_from_environment(1);
  auto frame = encode_as_asked(call, options);
  if (!frame.ok()) {
    report(Level::warn, "a chunk of " + std::to_string(call.bytes) +
                            " bytes is stored without loss: " + frame.status().message());
    frame = encode(lossless_request(), plain_bytes(call.bytes), call.data(), options);
  }
  if (!frame.ok()) return fail("encode", call, frame.status());
  OwnedBuffer out = allocate(call, frame->size());
  if (!out) return fail("encode", call, no_memory(frame->size()));
  frame->copy_to(out.get());
  return hand_over(call, std::move(out), frame->size());
}

// A frame with right checksums may still be a hostile one that asks for 4 GiB.
Status check_raw_bytes(const Call& call, const ArrayInfo& array, uint64_t raw_bytes) {
  const auto words = stored_words(call);
  if (!words.ok()) return {};  // nothing to compare with; the frame has to do
  const uint64_t declared = array_bytes(*words.value()->array);
  if (raw_bytes == declared) return {};
  // Behind another filter the length varies, and may be a little more than the chunk's.
  const bool is_plain = array.type == DType::unknown && array.item_bytes == 1;
  if (is_plain && raw_bytes <= declared + declared / 8 + 4096) return {};
  return Status(Code::wrong_size, "the frame holds " + std::to_string(raw_bytes) +
                                      " bytes, a chunk of this dataset has " +
                                      std::to_string(declared));
}

size_t decode_chunk(const Call& call) {
  const ConstBytes stored(call.data(), call.bytes);
  const auto array = read_frame_array(stored);
  if (!array.ok()) return fail("decode", call, array.status());
  const uint64_t raw_bytes = array_bytes(*array);
  if (const Status agreed = check_raw_bytes(call, *array, raw_bytes); !agreed.ok())
    return fail("decode", call, agreed);
  // Not in place, even where *capacity would do: the frame is read until the last value is written.
  OwnedBuffer out = allocate(call, raw_bytes);
  if (!out) return fail("decode", call, no_memory(raw_bytes));
  Options options;
  options.threads = threads_from_environment(1);
  options.verify_checksum = !(call.flags & H5Z_FLAG_SKIP_EDC);
  const Status decoded = decode(stored, out.get(), raw_bytes, options);
  if (!decoded.ok()) return fail("decode", call, decoded);
  return hand_over(call, std::move(out), raw_bytes);
}

}  // namespace

__attribute__((noinline)) size_t apply(unsigned flags, size_t word_count, const unsigned* words,
                                       size_t bytes, size_t* capacity, void** buffer) noexcept {
  const void* caller = __builtin_return_address(0);
  return guarded(
      [&]() -> size_t {
        const Call call{flags,  {words, word_count},         bytes, capacity,
                        buffer, Allocator::of_caller(caller)};
        return flags & H5Z_FLAG_REVERSE ? decode_chunk(call) : encode_chunk(call);
      },
      size_t{0});
}

}  // namespace fzm::filter
