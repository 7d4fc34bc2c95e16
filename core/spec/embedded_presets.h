// The files of presets/, compiled in.
#pragma once
#include <cstddef>
#include <string_view>

namespace fzm {

struct EmbeddedPreset {
  std::string_view name;
  std::string_view text;
};
extern const EmbeddedPreset kEmbeddedPresets[];
extern const std::size_t kEmbeddedPresetCount;

}  // namespace fzm
