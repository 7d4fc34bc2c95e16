#include "filter/words_cache.h"

#include <algorithm>
#include <mutex>

namespace fzm::filter {

namespace {

constexpr size_t kEntries = 16;

struct Entry {
  std::vector<uint32_t> key;
  std::shared_ptr<const Words> words;
};

struct Cache {
  std::mutex mutex;
  Entry entries[kEntries];
  size_t next = 0;
};

// Never destroyed: HDF5 flushes chunks of files left open while the process ends, after destructors
// of static objects.
Cache& cache() {
  static Cache& only = *new Cache;
  return only;
}

std::shared_ptr<const Words> look_up(std::span<const uint32_t> key) {
  Cache& c = cache();
  // A lock that was held during a fork stays locked in the child: pass by instead of waiting.
  const std::unique_lock lock(c.mutex, std::try_to_lock);
  if (!lock) return nullptr;
  for (const Entry& e : c.entries)
    if (e.words && std::ranges::equal(e.key, key)) return e.words;
  return nullptr;
}

void remember(std::span<const uint32_t> key, const std::shared_ptr<const Words>& words) {
  Cache& c = cache();
  const std::unique_lock lock(c.mutex, std::try_to_lock);
  if (!lock) return;
  Entry& oldest = c.entries[c.next++ % kEntries];
  oldest.key.assign(key.begin(), key.end());
  oldest.words = words;
}

}  // namespace

Result<std::shared_ptr<const Words>> cached_words(std::span<const unsigned> words) {
  static_assert(sizeof(unsigned) == sizeof(uint32_t));
  if (auto known = look_up(words)) return known;
  auto read = read_words(words);
  if (!read.ok()) return read.status();
  auto made = std::make_shared<const Words>(std::move(read).value());
  remember(words, made);
  return std::shared_ptr<const Words>(made);
}

}  // namespace fzm::filter
