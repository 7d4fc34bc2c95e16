// The inside of a Request, for the files that spell it: presets, options, words.
#pragma once
#include "core/spec/pipeline_file.h"
#include "core/spec/request.h"

namespace fzm {

struct RequestCodec {
  static Request make(PipelineFile file, std::string preset) {
    Request r{Request::Blank{}};
    r.preset_ = std::move(preset);
    r.use_fill_ = file.use_fill;
    r.spec_ = std::move(file.spec);
    return r;
  }
  static Spec& spec(Request& r) { return r.spec_; }
};

// The preset of a number in cd_values. Errors name the highest number.
Result<Request> preset_request(uint32_t number);

// The preset as it comes, without its mask if `request` has none. Only for requests that have a
// preset.
Request base_of(const Request& request);

// How far a preset's request is from base_of(it).
struct Differences {
  bool has_bound =
      false;  // one mode and bound for all stages that have them, other than the preset's
  BoundMode mode = BoundMode::none;
  double bound = 0;
  struct Row {
    const StageSpec* stage;
    const Param* row;
  };
  std::vector<Row> rows;  // what is left
};
Differences differences(const Request& request);

}  // namespace fzm
