// The array block of the stored cd_values.
#pragma once
#include "core/base/bytes.h"
#include "core/spec/array_info.h"

namespace fzm {

// Byte 0: bits 0-3 type (15: opaque items), 4 big-endian, 5 fill value, 6-7 rank - 1; opaque:
// varint item bytes; then the extents as varints, and the fill value, as many bytes as an item.
// Above `max_rank`, at most 4, unit axes are left out and the slowest folded into one.
Status write_array(ByteWriter& out, const ArrayInfo& array, size_t max_rank);
Result<ArrayInfo> read_array(ByteReader& in);

}  // namespace fzm
