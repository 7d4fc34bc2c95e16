#include "core/fzm.h"
#include "tests/fuzz/targets.h"

namespace fzm::fuzz {

void toml(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Request> read = Request::from_toml(text, "fuzz.toml");
  if (!read.ok()) {
    require(!read.status().message().empty(), "a refusal says why");
    return;
  }
  const std::string written = read->to_toml();
  const Result<Request> again = Request::from_toml(written, "again.toml");
  require(again.ok(), "a pipeline that was written can be read");
  require(again->to_toml() == written, "a pipeline that was read is written as it was");
  (void)write_words(*read);
  (void)explain(*read, ArrayInfo{.type = DType::f32, .shape = {4, 30, 50}});
}

}  // namespace fzm::fuzz
