// The description that LC's chunk coders share: parameters, the port, the header of the container.
#pragma once
#include "core/stage/stage.h"

namespace fzm {

// A pack of bytes in chunks (chunked.h).
Stage describe_chunked(std::string_view name, uint16_t id, std::string_view folder, std::string_view summary,
                       std::span<const BlockCode> (*codes)());

}  // namespace fzm
