// The presets: files of presets/, in the order of their numbers, parsed at first use and never
// destroyed: HDF5 flushes the chunks of files left open while the process ends, after destructors
// of static objects have run.
#include <memory>
#include <mutex>

#include "core/spec/embedded_presets.h"
#include "core/spec/request_codec.h"
#include "core/spec/suggest.h"

namespace fzm {
namespace {

struct Slot {
  std::once_flag once;
  std::unique_ptr<const Result<PipelineFile>> file;
};

const Result<PipelineFile>& preset_file(size_t number) {
  static Slot* const slots = new Slot[kEmbeddedPresetCount];
  Slot& slot = slots[number];
  std::call_once(slot.once, [&] {
    const EmbeddedPreset& p = kEmbeddedPresets[number];
    slot.file = std::make_unique<Result<PipelineFile>>(
        read_pipeline(p.text, "presets/" + std::string(p.name) + ".toml"));
  });
  return *slot.file;
}

}  // namespace

Result<Request> preset_request(uint32_t number) {
  if (number >= kEmbeddedPresetCount)
    return Status(Code::bad_request, "there is no preset " + std::to_string(number) +
                                         "; the numbers are 0 to " +
                                         std::to_string(kEmbeddedPresetCount - 1));
  const Result<PipelineFile>& file = preset_file(number);
  if (!file.ok()) return file.status();
  return RequestCodec::make(*file, std::string(kEmbeddedPresets[number].name));
}

std::span<const PresetInfo> presets() {
  static const auto& all = *new const std::vector<PresetInfo>([] {
    std::vector<PresetInfo> list;
    for (uint32_t n = 0; n < kEmbeddedPresetCount; ++n) {
      const Result<PipelineFile>& file = preset_file(n);
      if (file.ok() && file->preset)
        list.push_back(
            {kEmbeddedPresets[n].name, n, file->preset->summary, file->preset->is_lossy});
    }
    return list;
  }());
  return all;
}

Result<Request> Request::from_preset(std::string_view name) {
  std::vector<std::string_view> known;
  for (uint32_t n = 0; n < kEmbeddedPresetCount; ++n) {
    if (kEmbeddedPresets[n].name == name) return preset_request(n);
    known.push_back(kEmbeddedPresets[n].name);
  }
  return Status(Code::bad_request,
                "unknown preset '" + std::string(name) + "'" + suggestion(name, known));
}

std::optional<uint32_t> Request::preset_number() const {
  for (uint32_t n = 0; n < kEmbeddedPresetCount; ++n)
    if (kEmbeddedPresets[n].name == preset_) return n;
  return std::nullopt;
}

const Request& lossless_request() {
  // The text is part of the library, and a test reads it: it is there and right.
  static const Request& request = *new const Request(Request::from_preset("lossless").value());
  return request;
}

Request::Request() : Request(lossless_request()) {}

}  // namespace fzm
