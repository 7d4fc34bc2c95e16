// A stage, described once. From here follow TOML, cd_values, the frame's records, validation, help and docs.
#pragma once
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/base/shape.h"
#include "core/stage/block_code.h"
#include "core/stage/param.h"

namespace fzm {

// map: a value in, a value out · tile: a block in, as many values out · pack: a block in, bytes out ·
// whole: needs the whole array, or several passes
enum class Role : uint8_t { map, tile, pack, whole };

// array: the typed array (blocks side by side) · records: the fixed bytes of all blocks · piece0, piece1: the pieces of
// all blocks, end to end · stream: an optional header, records, piece 0, zero padding (a pack's output)
enum class PortKind : uint8_t { array, records, piece0, piece1, stream };

struct Port {
  std::string_view name;
  PortKind kind;
  DType type = DType::unknown;  // unknown: the variant's (array, and pieces of values); else fixed, as u8 or u32
  std::string_view help = {};
};

// The header and padding of a stream, where the wire format has them.
struct StreamFrame {
  uint32_t header_bytes = 0;
  uint32_t alignment = 1;  // the stream is filled up with zeros to a multiple of this
  // `values` are those of the stage's array input.
  void (*write_header)(uint8_t* header, const void* context, DType in, uint32_t values) = nullptr;
  Status (*check_header)(const uint8_t* header, const void* context, DType in, uint32_t values) = nullptr;
};

// What resolving a stage may look at.
struct StageInput {
  DType type = DType::unknown;
  Extent extent;
};

struct Stage {
  std::string_view name;    // as in TOML: "Quantizer"
  uint16_t id;              // on the wire for ever
  Role role;
  std::string_view folder;  // kernels/<folder>
  std::string_view summary;
  std::span<const Param> params;
  std::span<const Param> facts;
  std::span<const Port> outputs;  // the first is the default one
  StreamFrame stream;

  size_t params_bytes, facts_bytes, context_bytes;
  void (*init_params)(void*);
  void (*init_facts)(void*);
  void (*make_context)(const void* params, const void* facts, const Extent& extent, void* context);
  // The codec's variants for this machine's best instruction set; base is the generic build.
  std::span<const BlockCode> (*codes)();

  // Optional, null where there is nothing to do.
  // Fills in automatic parameters (types, tile edges) and checks combinations. Messages name the key.
  Status (*resolve)(void* params, const StageInput& input) = nullptr;
  // False where these parameters need no look at the data; conclude then gets a null partial. Null: always look.
  bool (*needs_observe)(const void* params) = nullptr;
  // Facts from what was observed. Code::needs_exact: the bound asked for can only be kept without loss (the encoder then
  // takes the lossless pipeline).
  Status (*conclude)(const void* params, const void* partial, const StageInput& input, void* facts) = nullptr;
  // True where the stage leaves the array as it is and its other ports empty.
  bool (*is_identity)(const void* facts) = nullptr;
  // Facts out of a frame, before any block is decoded.
  Status (*check_facts)(const void* params, const void* facts, const StageInput& input) = nullptr;
  bool is_lossy = false;  // true for stages whose inverse may differ from their input
  // True for stages whose array output is their input, but for values that they keep themselves, bit for bit: a bound
  // kept on the one is kept on the other.
  bool passes_values = false;
};


// A descriptor with everything that follows from the types filled in; ports, rows and hooks are the caller's.
template <class P, class F>
constexpr Stage describe(std::string_view name, uint16_t id, Role role, std::string_view folder, std::string_view summary,
                         std::span<const BlockCode> (*codes)()) {
  static_assert(std::is_trivially_copyable_v<P> && std::is_trivially_copyable_v<F>);
  Stage s{};
  s.name = name;
  s.id = id;
  s.role = role;
  s.folder = folder;
  s.summary = summary;
  s.params_bytes = sizeof(P);
  s.facts_bytes = sizeof(F);
  s.context_bytes = sizeof(Context<P, F>);
  s.init_params = [](void* p) { new (p) P(); };
  s.init_facts = [](void* p) { new (p) F(); };
  s.make_context = [](const void* params, const void* facts, const Extent& extent, void* context) {
    new (context) Context<P, F>{*static_cast<const P*>(params), *static_cast<const F*>(facts), extent};
  };
  s.codes = codes;
  return s;
}

}  // namespace fzm
