// The two checksums of a frame.
#pragma once
#include <cstdint>

#include "core/base/bytes.h"

namespace fzm {

// Low half of XXH64, seed 0. For headers.
uint32_t checksum(ConstBytes bytes);

// For payloads, in a form that many workers can compute: XXH64 (seed 0) of every 4096-byte piece, the digests
// as little-endian u64 one after another, and so on until one digest is left; its low half. No bytes: checksum({}).
// Needs no memory: it cannot fail.
uint32_t tree_checksum(ConstBytes bytes);

}  // namespace fzm
