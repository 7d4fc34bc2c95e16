// What a CUDA block does for one block of an array: finds its share of every port and calls the codec. The kernels in
// kernels/cuda/block_kernels.cuh are loops around it; it stands apart so that it runs in the block on the CPU, too.
#pragma once
#include "kernels/base/block_job.h"
#include "kernels/base/cta_group.h"

#if defined(__CUDACC__) || defined(FZM_CTA_ON_CPU)

FZM_CODECS_BEGIN

template <class K>
inline constexpr bool kIsWide = false;
template <class K>
  requires requires { K::kWide; }
inline constexpr bool kIsWide<K> = K::kWide;

template <class T>
FZM_D const void* values_from(const void* array, uint32_t first) {
  return array ? static_cast<const T*>(array) + first : nullptr;
}
template <class T>
FZM_D void* values_from(void* array, uint32_t first) {
  return array ? static_cast<T*>(array) + first : nullptr;
}

// The share of block b but for its arrays and pieces.
template <class K, class C>
FZM_D BlockIo block_io(const BlockJob& job, uint32_t b, uint8_t* scratch, const C& c) {
  BlockIo io;
  io.first = b * job.block_values;
  io.count = least(job.block_values, job.values - io.first);
  io.scratch = scratch;
  io.records = job.records;
  if constexpr (requires { K::record_bytes(0u, c); })
    if (io.first != 0) io.records += K::record_bytes(io.first, c);
  return io;
}

template <class K, class C>
FZM_D void encode_block(CtaGroup g, const BlockJob& job, uint32_t b, uint8_t* scratch, const C& c) {
  BlockIo io = block_io<K>(job, b, scratch, c);
  io.in = kIsWide<K> ? job.in : values_from<typename K::In>(job.in, io.first);
  io.out = values_from<typename K::Out>(job.out, io.first);
  for (uint32_t k = 0; k < kMaxPieces; ++k)
    io.piece[k] = job.piece[k] ? job.piece[k] + b * job.slot_bytes[k] : nullptr;
  const Pieces written = K::encode(g, io, c);
  g.once([=, &job] {
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      if (!job.size[k]) continue;
      job.size[k][b] = written.bytes[k];
      if (b + 1 == job.blocks) job.size[k][job.blocks] = 0;
    }
  });
}

// Whether piece k of block b lies in its section, and the last one ends it; then its share is set.
FZM_D bool take_piece(const BlockJob& job, uint32_t b, uint32_t k, BlockIo& io) {
  if (!job.at[k]) return true;
  const uint64_t begin = job.at[k][b], end = job.at[k][b + 1];
  if (begin > end || end > job.section_bytes[k]) return false;
  if (b + 1 == job.blocks && end != job.section_bytes[k]) return false;
  io.piece[k] = job.piece[k] + begin;
  io.piece_bytes[k] = static_cast<uint32_t>(end - begin);
  return true;
}

template <class K, class C>
FZM_D void decode_block(CtaGroup g, const BlockJob& job, uint32_t b, uint8_t* scratch, const C& c) {
  BlockIo io = block_io<K>(job, b, scratch, c);
  io.in = values_from<typename K::Out>(job.in, io.first);
  io.out = kIsWide<K> ? job.out : values_from<typename K::In>(job.out, io.first);
  bool fits = true;
  for (uint32_t k = 0; k < kMaxPieces; ++k) fits = take_piece(job, b, k, io) && fits;
  if (fits) K::decode(g, io, c);
  else g.fault(Fault::bad_record);
  g.sync();  // before the scratch goes to the next block
}

template <class K, class C>
FZM_D void decode_pass_block(CtaGroup g, uint32_t pass, const BlockJob& job, uint32_t b, const C& c) {
  BlockIo io;
  io.count = job.values;
  io.in = job.in;
  io.out = job.out;
  io.records = job.records;
  for (uint32_t k = 0; k < kMaxPieces; ++k) {
    io.piece[k] = job.piece[k];
    io.piece_bytes[k] = static_cast<uint32_t>(job.section_bytes[k]);
  }
  K::decode_pass(g, pass, b, io, c);
  g.sync();
}

// Adds what is seen of block b.
template <class K, class C>
FZM_D void observe_block(CtaGroup g, const BlockJob& job, uint32_t b, uint8_t* scratch, const C& c, typename K::Partial& into) {
  BlockIo io = block_io<K>(job, b, scratch, c);
  io.in = values_from<typename K::In>(job.in, io.first);
  K::merge(into, K::observe(g, io, c));
  g.sync();
}

// Size of every piece of block b from its records; one worker's work.
template <class K, class C>
FZM_D void measure_block(const BlockJob& job, uint32_t b, const C& c) {
  const BlockIo io = block_io<K>(job, b, nullptr, c);
  for (uint32_t k = 0; k < kMaxPieces; ++k) {
    if (!job.size[k]) continue;
    job.size[k][b] = K::piece_bytes(k, io.records, io.count, c);
    if (b + 1 == job.blocks) job.size[k][job.blocks] = 0;
  }
}

// Where the entries of block b begin in an index-ordered list (b = blocks: where they end). One worker's work.
template <class K>
FZM_D void find_list(const BlockJob& job, uint32_t b) {
  const uint32_t entries = static_cast<uint32_t>(job.section_bytes[1] / 4);
  const uint64_t first = static_cast<uint64_t>(b) * job.block_values;
  uint32_t low = 0, high = b == job.blocks ? 0 : entries;
  if (b == job.blocks) low = entries;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (load_le<uint32_t>(job.piece[1] + uint64_t{middle} * 4) < first) low = middle + 1;
    else high = middle;
  }
  job.at[0][b] = uint64_t{low} * K::kEntryBytes;
  job.at[1][b] = uint64_t{low} * 4;
}
// True where entry i of the list is in range and above the one before.
FZM_D bool is_in_order(const BlockJob& job, uint32_t i) {
  const uint32_t index = load_le<uint32_t>(job.piece[1] + uint64_t{i} * 4);
  return index < job.values && (i == 0 || load_le<uint32_t>(job.piece[1] + uint64_t{i} * 4 - 4) < index);
}

FZM_CODECS_END

#endif
