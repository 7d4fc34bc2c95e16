// A Spec as bytes: the same record in cd_values and in frames.
#pragma once
#include "core/base/bytes.h"
#include "core/spec/spec.h"

namespace fzm {

// varint: number of stages, doubled, plus 1 if the edges are given; then a stage: varint id, parameter rows (write_rows), and if
// edges are given: varint number of inputs, each varint (from + 1), varint port. Without edges every stage reads port 0 of the one
// before it.
void write_spec(ByteWriter& out, const Spec& spec);
Result<Spec> read_spec(ByteReader& in);

}  // namespace fzm
