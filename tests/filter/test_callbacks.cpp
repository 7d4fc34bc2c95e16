// The plugin's two functions and its class record, called as HDF5 calls them, with what its
// versions do differently: buffers larger than their content, threads at once, damaged content, no
// cd_values.
#include <H5PLextern.h>
#include <dlfcn.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "filter/id.h"
#include "tests/filter/check.h"

namespace {

const H5Z_class2_t* filter = nullptr;
const char* (*last_error)() = nullptr;

void open_plugin() {
  const char* folder = std::getenv("HDF5_PLUGIN_PATH");
  REQUIRE(folder != nullptr);
  void* plugin = dlopen((std::string(folder) + "/libh5zfzm.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!plugin) std::printf("%s\n", dlerror());
  REQUIRE(plugin != nullptr);
  const auto type = reinterpret_cast<H5PL_type_t (*)()>(dlsym(plugin, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<const void* (*)()>(dlsym(plugin, "H5PLget_plugin_info"));
  last_error = reinterpret_cast<const char* (*)()>(dlsym(plugin, "H5Z_FZM_last_error"));
  REQUIRE(type && info && last_error);
  REQUIRE(type() == H5PL_TYPE_FILTER);
  filter = static_cast<const H5Z_class2_t*>(info());
}

// A chunk on its way through the filter.
struct Chunk {
  void* buffer;
  size_t capacity;
  size_t bytes;

  explicit Chunk(const std::vector<unsigned char>& content, size_t extra = 0)
      : buffer(std::malloc(content.size() + extra)),
        capacity(content.size() + extra),
        bytes(content.size()) {
    std::memcpy(buffer, content.data(), bytes);
    std::memset(static_cast<char*>(buffer) + bytes, 0xEE, extra);
  }
  Chunk(const Chunk&) = delete;
  ~Chunk() { std::free(buffer); }

  size_t apply(unsigned flags, const std::vector<unsigned>& words = {}) {
    const size_t result =
        filter->filter(flags, words.size(), words.data(), bytes, &capacity, &buffer);
    if (result) bytes = result;
    return result;
  }
  std::vector<unsigned char> content() const {
    const auto* p = static_cast<const unsigned char*>(buffer);
    return {p, p + bytes};
  }
};

std::vector<unsigned char> smooth_bytes(size_t count) {
  std::vector<unsigned char> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(i / 100);
  return bytes;
}

std::vector<unsigned char> encoded(const std::vector<unsigned char>& raw) {
  Chunk chunk(raw);
  REQUIRE(chunk.apply(0) != 0);
  return chunk.content();
}

void the_record_is_as_documented() {
  CHECK(filter->version == H5Z_CLASS_T_VERS);
  CHECK(filter->id == H5Z_FILTER_FZM);
  CHECK(std::strcmp(filter->name, H5Z_FZM_NAME) == 0 && std::strlen(filter->name) <= 12);
  CHECK(filter->encoder_present && filter->decoder_present);
}

void a_chunk_without_cd_values_is_coded_exactly() {
  for (const size_t count : {1u, 2u, 3u, 100u, 4096u, 100000u}) {
    const auto raw = smooth_bytes(count);
    Chunk chunk(raw);
    const size_t stored = chunk.apply(0);
    CHECK(stored != 0 && stored != count);
    CHECK(chunk.capacity >= stored);
    CHECK(chunk.apply(H5Z_FLAG_REVERSE) == count);
    CHECK(chunk.capacity >= count);
    CHECK(chunk.content() == raw);
  }
}

void unreadable_cd_values_do_not_lose_the_chunk() {
  const auto raw = smooth_bytes(5000);
  for (const std::vector<unsigned>& words :
       {std::vector<unsigned>{7, 7, 7, 7, 7, 7, 7}, std::vector<unsigned>(40, ~0u)}) {
    Chunk chunk(raw);
    CHECK(chunk.apply(0, words) != 0);
    CHECK(chunk.apply(H5Z_FLAG_REVERSE, words) == raw.size());
    CHECK(chunk.content() == raw);
  }
}

void only_nbytes_of_a_larger_buffer_are_read() {
  const auto raw = smooth_bytes(5000);
  for (const size_t extra : {1u, 4u, 5000u, 100000u}) {
    Chunk chunk(raw, extra);
    CHECK(chunk.apply(0) != 0);
    CHECK(chunk.content() == encoded(raw));
    Chunk stored(encoded(raw), extra);
    CHECK(stored.apply(H5Z_FLAG_REVERSE) == raw.size());
    CHECK(stored.capacity >= raw.size());
    CHECK(stored.content() == raw);
  }
}

void definition_flags_do_not_disturb_decoding() {
  const auto raw = smooth_bytes(5000);
  Chunk chunk(encoded(raw));
  CHECK(chunk.apply(H5Z_FLAG_REVERSE | H5Z_FLAG_OPTIONAL) == raw.size());
  CHECK(chunk.content() == raw);
}

void a_failure_leaves_the_buffer_as_it_was() {
  auto damaged = encoded(smooth_bytes(5000));
  damaged[damaged.size() / 2] ^= 0x10;
  for (const auto& content :
       {damaged, std::vector<unsigned char>(10, 'x'), std::vector<unsigned char>(1, 0)}) {
    Chunk chunk(content, 3);
    const void* buffer = chunk.buffer;
    const size_t capacity = chunk.capacity;
    CHECK(chunk.apply(H5Z_FLAG_REVERSE) == 0);
    CHECK(chunk.buffer == buffer && chunk.capacity == capacity);
    CHECK(chunk.content() == content);
    CHECK(std::strstr(last_error(), "cannot decode a chunk of") != nullptr);
  }
}

void the_checksum_can_be_skipped() {
  auto raw = smooth_bytes(100);
  auto x = 1u;
  for (auto& b : raw) b = static_cast<unsigned char>((x = x * 1664525u + 1013904223u) >> 24);
  auto frame = encoded(raw);  // does not shrink: stored as it is
  bool found = false;
  for (size_t at = frame.size(); at-- > 0 && !found;) {
    auto damaged = frame;
    damaged[at] ^= 1;
    Chunk checked(damaged), unchecked(damaged);
    CHECK(checked.apply(H5Z_FLAG_REVERSE) == 0 || checked.content() == raw);
    found = unchecked.apply(H5Z_FLAG_REVERSE | H5Z_FLAG_SKIP_EDC) == raw.size() &&
            unchecked.content() != raw;
  }
  CHECK(found);  // some byte is protected by nothing but the checksum of the data
}

void bytes_are_the_same_every_time() {
  const auto raw = smooth_bytes(60000);
  const auto first = encoded(raw);
  for (int i = 0; i < 5; ++i) CHECK(encoded(raw) == first);
}

void many_threads_may_call_at_once() {
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t, &wrong] {
      for (int i = 0; i < 200; ++i) {
        const auto raw = smooth_bytes(1000 + 37 * static_cast<size_t>(t) + static_cast<size_t>(i));
        Chunk chunk(raw);
        // Words that cannot be read, so that the threads also meet in the cache.
        const std::vector<unsigned> words(static_cast<size_t>(i % 20), 0);
        if (!chunk.apply(0, words) || chunk.apply(H5Z_FLAG_REVERSE, words) != raw.size() ||
            chunk.content() != raw)
          ++wrong[static_cast<size_t>(t)];
      }
    });
  for (auto& t : threads) t.join();
  for (const int w : wrong) CHECK(w == 0);
}

void ids_of_no_library_are_refused() {
  // A property list that is none, and the -1 of a group's heap.
  CHECK(filter->set_local(12345, 67890, -1) < 0);
  CHECK(filter->set_local(-1, -1, -1) >= 0);
}

}  // namespace

int main() {
  open_plugin();
  RUN(the_record_is_as_documented);
  RUN(a_chunk_without_cd_values_is_coded_exactly);
  RUN(unreadable_cd_values_do_not_lose_the_chunk);
  RUN(only_nbytes_of_a_larger_buffer_are_read);
  RUN(definition_flags_do_not_disturb_decoding);
  RUN(a_failure_leaves_the_buffer_as_it_was);
  RUN(the_checksum_can_be_skipped);
  RUN(bytes_are_the_same_every_time);
  RUN(many_threads_may_call_at_once);
  RUN(ids_of_no_library_are_refused);
  return failed_checks != 0;
}
