#include <cstring>

#include "core/fzm.h"
#include "tests/fuzz/targets.h"

namespace fzm::fuzz {

void words(const uint8_t* data, size_t size) {
  std::vector<uint32_t> list(size / 4);
  if (!list.empty()) std::memcpy(list.data(), data, list.size() * 4);
  const Result<Words> read = read_words(list);
  if (!read.ok()) return;
  (void)read->request.to_sentence();
  const Result<std::vector<uint32_t>> written =
      read->array ? write_stored_words(read->request, *read->array) : write_words(read->request);
  if (!written.ok()) return;  // of over 20 words
  const Result<Words> again = read_words(*written);
  require(again.ok(), "words that were written can be read");
  const Result<std::vector<uint32_t>> twice =
      again->array ? write_stored_words(again->request, *again->array)
                   : write_words(again->request);
  require(twice.ok() && *twice == *written, "words that were read are written as they were");
  if (read->array) (void)explain(read->request, *read->array);
}

}  // namespace fzm::fuzz
