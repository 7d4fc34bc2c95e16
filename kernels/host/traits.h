// Turns a codec (a struct template over a Group) into a BlockCode for the host, member by member.
#pragma once
#include "core/stage/block_code.h"
#include "kernels/base/map.h"

FZM_CODECS_BEGIN

template <class K>
BlockCode block_code() {
  using C = Context<typename K::Params, typename K::Facts>;
  BlockCode b;
  b.in = kDType<typename K::In>;
  b.out = kDType<typename K::Out>;
  b.granularity = [](const void* c) { return K::granularity(*static_cast<const C*>(c)); };
  b.encode = [](const BlockIo& io, const void* c, uint32_t* fault) {
    return K::encode(SerialGroup{fault}, io, *static_cast<const C*>(c));
  };
  b.decode = [](const BlockIo& io, const void* c, uint32_t* fault) {
    K::decode(SerialGroup{fault}, io, *static_cast<const C*>(c));
  };
  if constexpr (requires { K::kWide; }) b.is_wide = K::kWide;
  if constexpr (requires { K::kList; }) {
    b.is_list = K::kList;
    b.entry_bytes = K::kEntryBytes;
  }
  if constexpr (requires(const typename K::Params& p) { K::accepts(p); })
    b.accepts = [](const void* p) { return K::accepts(*static_cast<const typename K::Params*>(p)); };
  if constexpr (requires(const C& c) { K::out_values(c); })
    b.out_values = [](const void* c) { return K::out_values(*static_cast<const C*>(c)); };
  if constexpr (requires(const C& c) { K::record_bytes(0u, c); })
    b.record_bytes = [](uint32_t n, const void* c) { return K::record_bytes(n, *static_cast<const C*>(c)); };
  if constexpr (requires(const C& c) { K::max_piece_bytes(0u, 0u, c); })
    b.max_piece_bytes = [](uint32_t k, uint32_t n, const void* c) {
      return K::max_piece_bytes(k, n, *static_cast<const C*>(c));
    };
  if constexpr (requires(const C& c, const uint8_t* r) { K::piece_bytes(0u, r, 0u, c); })
    b.piece_bytes = [](uint32_t k, const uint8_t* r, uint32_t n, const void* c) {
      return K::piece_bytes(k, r, n, *static_cast<const C*>(c));
    };
  if constexpr (requires(const C& c) { K::scratch_bytes(0u, c); })
    b.scratch_bytes = [](uint32_t n, const void* c) { return K::scratch_bytes(n, *static_cast<const C*>(c)); };
  if constexpr (requires { typename K::Partial; }) {
    using P = typename K::Partial;
    b.partial_bytes = sizeof(P);
    b.start_partial = [](void* p) { *static_cast<P*>(p) = P{}; };
    b.observe = [](const BlockIo& io, const void* c, void* p) {
      K::merge(*static_cast<P*>(p), K::observe(SerialGroup{}, io, *static_cast<const C*>(c)));
    };
    b.merge = [](void* into, const void* from) { K::merge(*static_cast<P*>(into), *static_cast<const P*>(from)); };
  }
  if constexpr (requires(const C& c) { K::decode_passes(c); }) {
    b.decode_passes = [](const void* c) { return K::decode_passes(*static_cast<const C*>(c)); };
    b.decode_blocks = [](uint32_t pass, const void* c) { return K::decode_blocks(pass, *static_cast<const C*>(c)); };
    b.decode_pass = [](uint32_t pass, uint32_t block, const BlockIo& io, const void* c, uint32_t* fault) {
      K::decode_pass(SerialGroup{fault}, pass, block, io, *static_cast<const C*>(c));
    };
  }
  return b;
}

template <class List>
struct BlockCodes;
template <class... K>
struct BlockCodes<CodecList<K...>> {
  static constexpr uint32_t kCount = sizeof...(K);
  BlockCode code[kCount] = {block_code<K>()...};
};

FZM_CODECS_END
