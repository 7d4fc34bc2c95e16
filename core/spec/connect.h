// From stages that name their inputs, in any order, to a Spec, whose edges are indices that point
// backwards.
#pragma once
#include <string>
#include <vector>

#include "core/spec/spec.h"

namespace fzm {

inline constexpr std::string_view kExternalName = "__external__";

struct NamedInput {
  std::string from;   // a stage, or kExternalName
  std::string port;   // "": the stage's first
  std::string where;  // "mine.toml:7:11", for messages
};

struct NamedStage {
  StageSpec spec;  // all but its inputs
  std::vector<NamedInput> inputs;
  std::string where;
};

// One stage may leave out its inputs: it reads the chunk. The order given is kept as far as edges
// allow. Errors (bad_graph): duplicates, unknown stages and ports, a second stage without inputs,
// cycles.
Result<std::vector<StageSpec>> connect(std::vector<NamedStage> stages);

}  // namespace fzm
