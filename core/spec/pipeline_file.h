// Pipeline files: TOML with one table [pipeline] and a [[stage]] each. The page is
// docs/pipelines.md.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/spec/spec.h"

namespace fzm {

// [preset], in the files of presets/ only.
struct PresetTable {
  uint32_t number = 0;
  std::string summary;
  bool is_lossy = false;
};

struct PipelineFile {
  Spec spec;
  bool use_fill =
      true;  // [pipeline] fill: the dataset's fill value is handed to the stages that ask for one
  std::optional<PresetTable> preset;
};

// `source` stands in messages: "mine.toml:7:1: unknown key 'eror_bound' in stage 'quant'; did you
// mean 'error_bound'?" Errors: bad_toml, bad_graph, bad_request (values).
Result<PipelineFile> read_pipeline(std::string_view text, std::string_view source);

// Only what differs from the defaults. read_pipeline gives the same spec back.
std::string write_pipeline(const Spec& spec, bool use_fill);

}  // namespace fzm
