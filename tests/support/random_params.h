// Parameters that a stage allows, drawn from its rows. For tests over all stages.
#pragma once
#include <optional>
#include <random>

#include "core/spec/spec.h"

namespace fzm::test {

using Random = std::mt19937;

inline ParamValue random_value(const Param& row, Random& random) {
  ParamValue v;
  v.kind = row.kind;
  const auto pick = [&](auto& list) { return list[random() % std::size(list)]; };
  switch (row.kind) {
    case ParamKind::boolean: v.whole = random() % 2; break;
    case ParamKind::choice: v.whole = pick(row.choices).value; break;
    case ParamKind::type: v.whole = random() % 4 == 0 ? uint64_t{255} : random() % 10; break;
    case ParamKind::bits: v.whole = uint64_t{random()} << 32 | random(); break;
    case ParamKind::real: {
      static constexpr double kReals[] = {1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 3, 100};
      v.real = pick(kReals);
      break;
    }
    case ParamKind::count:
    case ParamKind::wide: {
      static constexpr uint64_t kCounts[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 100, 128, 256, 512, 1000, 1024, 4096, 16384, 32768};
      v.whole = row.range.only.empty() ? pick(kCounts) : pick(row.range.only);
      break;
    }
  }
  return v;
}

// Parameters with which the stage takes input of this kind by its variant `variant`; none if none were found.
inline std::optional<Object> random_params(const Stage& stage, const StageInput& input, uint32_t variant, Random& random) {
  const std::span<const BlockCode> codes = stage.codes();
  for (int attempt = 0; attempt < 4000; ++attempt) {
    Object params = default_params(stage);
    bool allowed = true;
    for (const Param& row : stage.params) {
      if (random() % 2) continue;
      const ParamValue v = random_value(row, random);
      allowed = allowed && check_value(row, v).ok();
      if (allowed) row.set(params.data(), v);
    }
    if (!allowed || (stage.resolve && !stage.resolve(params.data(), input).ok())) continue;
    for (uint32_t i = 0; i < codes.size(); ++i) {
      if (codes[i].in != input.type || (codes[i].accepts && !codes[i].accepts(params.data()))) continue;
      if (i == variant) return params;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace fzm::test
