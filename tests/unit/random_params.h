// Parameters at random, within their rows' ranges.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>

#include "core/spec/request_codec.h"

namespace fzm {

inline uint64_t random_whole(const Param& row, std::mt19937_64& random) {
  if (!row.range.only.empty()) return row.range.only[random() % row.range.only.size()];
  const double highest =
      std::min(row.range.highest, row.kind == ParamKind::count ? 0x1p32 - 1 : 0x1p63);
  const auto low = static_cast<uint64_t>(std::max(row.range.lowest, 0.0)),
             high = static_cast<uint64_t>(highest);
  return low + (random() >> random() % 64) % (high - low + 1);
}

inline double random_real(const Param& row, std::mt19937_64& random) {
  const double low = std::max(row.range.lowest, -1e300), high = std::min(row.range.highest, 1e300);
  const double part = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
  return low + (high - low) * part * std::pow(2.0, -static_cast<double>(random() % 64));
}

inline ParamValue random_value(const Param& row, std::mt19937_64& random) {
  ParamValue v{row.kind, 0, 0};
  switch (row.kind) {
    case ParamKind::boolean:
      v.whole = random() % 2;
      break;
    case ParamKind::count:
    case ParamKind::wide:
      v.whole = random_whole(row, random);
      break;
    case ParamKind::bits:
      v.whole = random();
      break;
    case ParamKind::real:
      v.real = random_real(row, random);
      break;
    case ParamKind::choice:
      v.whole = row.choices[random() % row.choices.size()].value;
      break;
    case ParamKind::type:
      v.whole = random() % 11 == 10 ? 255 : random() % 10;
      break;
  }
  return v;
}

inline void randomize(StageSpec& s, std::mt19937_64& random) {
  for (const Param& row : s.stage->params)
    if (random() % 2 == 0) row.set(s.params.data(), random_value(row, random));
}

// A pipeline of one's own.
inline Request request_of(Spec spec) {
  PipelineFile file;
  file.spec = std::move(spec);
  return RequestCodec::make(std::move(file), "");
}

}  // namespace fzm
