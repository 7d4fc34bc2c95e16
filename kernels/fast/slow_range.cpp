#include "kernels/fast/slow_range.h"

#include <algorithm>
#include <cstring>

#include "core/stage/registry.h"

namespace fzm::fast {
namespace {

constexpr uint32_t kAlign = 64;
uint32_t aligned(uint32_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

const BlockCode& code_of(const StageKey& key, const void* context) {
  const std::span<const BlockCode> codes = find_stage(key.id)->codes();
  for (const BlockCode& code : codes)  // parameters are a context's first member
    if ((key.in == DType::unknown || code.in == key.in) &&
        (code.accepts == nullptr || code.accepts(context)))
      return code;
  return codes.front();  // not reached: the group was matched with these types
}

uint32_t room(const BlockCode& code, uint32_t k, uint32_t count, const void* context) {
  return code.max_piece_bytes ? code.max_piece_bytes(k, count, context) : 0;
}

uint8_t* records_at(const GroupIo::Stage& stage, const BlockCode& code, uint32_t at) {
  return stage.records && code.record_bytes ? stage.records + code.record_bytes(at, stage.context)
                                            : stage.records;
}

// Hands out parts of the scratch.
struct Arena {
  uint8_t* next;
  uint8_t* take(uint32_t bytes) {
    uint8_t* const p = next;
    next += aligned(bytes);
    return p;
  }
};

uint32_t array_bytes(uint32_t values) { return values * 8; }

}  // namespace

uint32_t slow_scratch_bytes(const Chain& chain, const void* const* contexts) {
  uint32_t bytes = 2 * aligned(array_bytes(chain.unit)), work = 0;
  for (uint32_t s = 0; s < chain.count; ++s) {
    const BlockCode& code = code_of(chain.stages[s], contexts[s]);
    if (code.scratch_bytes) work = std::max(work, code.scratch_bytes(chain.unit, contexts[s]));
    for (uint32_t k = 0; k < kMaxPieces; ++k)
      bytes += aligned(room(code, k, chain.unit, contexts[s]) + kAlign);
  }
  return bytes + aligned(work);
}

bool slow_encode(GroupIo& io, const Chain& chain, uint32_t at, uint32_t count, uint8_t* scratch) {
  Arena arena{scratch};
  uint8_t* const array[2] = {arena.take(array_bytes(chain.unit)),
                             arena.take(array_bytes(chain.unit))};
  uint8_t* piece[kMaxGroupStages][kMaxPieces];
  Pieces written[kMaxGroupStages];
  const BlockCode* code[kMaxGroupStages];
  for (uint32_t s = 0; s < chain.count; ++s) {
    code[s] = &code_of(chain.stages[s], io.stage[s].context);
    for (uint32_t k = 0; k < kMaxPieces; ++k)
      piece[s][k] = arena.take(room(*code[s], k, chain.unit, io.stage[s].context) + kAlign);
  }
  const void* in = io.in;
  for (uint32_t s = 0; s < chain.count; ++s) {
    const GroupIo::Stage& stage = io.stage[s];
    BlockIo b;
    b.first = io.first + at;
    b.count = count;
    b.in = s == 0 && !code[s]->is_wide
               ? static_cast<const uint8_t*>(in) + uint64_t{at} * dtype_bytes(code[s]->in)
               : in;
    b.out = s + 1 < chain.count ? array[s % 2] : nullptr;
    b.records = records_at(stage, *code[s], at);
    for (uint32_t k = 0; k < kMaxPieces; ++k) b.piece[k] = piece[s][k];
    b.scratch = arena.next;
    written[s] = code[s]->encode(b, stage.context, &io.fault);
    in = b.out;
  }
  for (uint32_t s = 0; s < chain.count; ++s)
    for (uint32_t k = 0; k < kMaxPieces; ++k)
      if (written[s].bytes[k] > io.stage[s].piece_room[k] - io.stage[s].piece_bytes[k])
        return false;
  for (uint32_t s = 0; s < chain.count; ++s)
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      if (written[s].bytes[k] == 0) continue;
      std::memcpy(io.stage[s].piece[k] + io.stage[s].piece_bytes[k], piece[s][k],
                  written[s].bytes[k]);
      io.stage[s].piece_bytes[k] += written[s].bytes[k];
    }
  return true;
}

namespace {

// Entries of the list that lie before value `end` of the array.
uint32_t entries_before(const GroupIo::Stage& stage, uint64_t cursor, uint64_t end) {
  uint32_t n = 0;
  while (cursor + 4 * (uint64_t{n} + 1) <= stage.piece_room[1]) {
    uint32_t index;
    std::memcpy(&index, stage.piece[1] + cursor + 4 * uint64_t{n}, 4);
    if (index >= end) break;
    ++n;
  }
  return n;
}

}  // namespace

void slow_decode(GroupIo& io, const Chain& chain, uint32_t at, uint32_t count, ReadCursor& cursor,
                 uint8_t* scratch) {
  Arena arena{scratch};
  uint8_t* const array[2] = {arena.take(array_bytes(chain.unit)),
                             arena.take(array_bytes(chain.unit))};
  const void* in = nullptr;
  for (uint32_t s = chain.count; s-- > 0;) {
    const GroupIo::Stage& stage = io.stage[s];
    const BlockCode& code = code_of(chain.stages[s], stage.context);
    BlockIo b;
    b.first = io.first + at;
    b.count = count;
    b.in = in;
    b.out = array[s % 2];
    if (s == 0)
      b.out = code.is_wide ? io.out
                           : static_cast<uint8_t*>(io.out) + uint64_t{at} * dtype_bytes(code.in);
    b.records = records_at(stage, code, at);
    const uint32_t entries =
        code.is_list ? entries_before(stage, cursor.piece[s][1], uint64_t{io.first} + at + count)
                     : 0;
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      const uint64_t left = stage.piece_room[k] - cursor.piece[s][k];
      uint64_t bytes = code.is_list       ? uint64_t{entries} * (k == 0 ? code.entry_bytes : 4)
                       : code.piece_bytes ? code.piece_bytes(k, b.records, count, stage.context)
                                          : 0;
      bytes = std::min(bytes, left);  // the sum was checked; this is for lists
      b.piece[k] = stage.piece[k] + cursor.piece[s][k];
      b.piece_bytes[k] = static_cast<uint32_t>(bytes);
      cursor.piece[s][k] += bytes;
    }
    b.scratch = arena.next;
    code.decode(b, stage.context, &io.fault);
    in = b.out;
  }
}

}  // namespace fzm::fast
