// Runs a plan forward on the host.
#pragma once
#include <array>
#include <vector>

#include "core/base/memory.h"
#include "core/plan/plan.h"

namespace fzm {

// A port's content as it was made: header, records, the pieces of each worker, padding. Concatenated they are its wire form.
struct PortBytes {
  std::vector<Memory> owned;
  std::vector<ConstBytes> parts;
  uint64_t bytes() const;
};

struct EncodeResult {
  std::vector<Object> facts;            // per stage
  std::vector<bool> is_identity;        // per stage: left out, its array output is its input
  std::vector<uint32_t> input_values;   // per stage: how many values its array input had
  std::vector<std::vector<PortBytes>> ports;  // [stage][port]; stored ports only
};

// `input` holds plan.values values in native order and must outlive the result.
// Errors: needs_exact where the bound, or the size, asks for the lossless pipeline; no_memory.
Result<EncodeResult> run_encode(const Plan& plan, const void* input, uint32_t threads);

}  // namespace fzm
