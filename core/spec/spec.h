// What was asked for: stages, their parameters, and which port feeds which.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/stage/registry.h"

namespace fzm {

// A stage's parameter or facts struct, by value, without knowing its type.
class Object {
 public:
  Object() = default;
  Object(size_t bytes, void (*init)(void*)) : words_((bytes + 7) / 8 + 1) { init(words_.data()); }
  void* data() { return words_.data(); }
  const void* data() const { return words_.data(); }

 private:
  std::vector<uint64_t> words_;
};
inline Object default_params(const Stage& s) { return Object(s.params_bytes, s.init_params); }
inline Object default_facts(const Stage& s) { return Object(s.facts_bytes, s.init_facts); }

inline constexpr int32_t kExternal = -1;  // the chunk itself

struct Edge {
  int32_t from = kExternal;  // index of a stage in Spec::stages, always before the stage that reads
  uint32_t port = 0;         // index into that stage's outputs
  bool operator==(const Edge&) const = default;
};

struct StageSpec {
  const Stage* stage = nullptr;
  std::string name;  // unique in the pipeline; only for people, not on the wire
  Object params;
  std::vector<Edge> inputs;
};

// How to run; never changes the bytes, so it is in TOML but not on the wire.
struct RunOptions {
  std::string memory_strategy = "MINIMAL";  // MINIMAL, PREALLOCATE
  double pool_multiplier = 3.0;
  uint32_t streams = 1;
  bool coloring = true;
  std::string specialization = "auto";  // off, auto, force
  // Only for raw files, whose shape nothing else tells: fastest axis first, 0 = unknown.
  uint64_t input_size = 0;
  std::vector<uint64_t> dims;
  std::string primary_source;  // name of the stage that counts as the first reader of the chunk
};

struct Spec {
  std::vector<StageSpec> stages;  // in an order in which every edge points backwards
  RunOptions run;
};

// Names unique, edges present and backwards, the chunk and every port read by at most one stage, parameters
// in range.
// Types are checked later, by the plan.
Status check_spec(const Spec& spec);

// A row of a stage by its TOML key; null if there is none.
const Param* find_param(const Stage& stage, std::string_view key);

}  // namespace fzm
