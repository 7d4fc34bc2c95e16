// Everything that is done to one array by one codec: by a group of one thread, and by an emulated CUDA block the way the
// kernels do it.
#pragma once
#include "tests/support/groups.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/block_work.h"
#include "kernels/base/map.h"
#include "tests/support/codec_ports.h"

namespace fzm::test {

// Memory that begins `skew` bytes behind a boundary of 64 and ends where it ends, full of garbage.
class Room {
 public:
  explicit Room(size_t bytes, size_t skew = 0) : skew_(skew), memory_(bytes + skew + 63, 0xC3) {}
  uint8_t* data() {
    const auto at = reinterpret_cast<uintptr_t>(memory_.data());
    return memory_.data() + (64 - at % 64) % 64 + skew_;
  }

 private:
  size_t skew_;
  Bytes memory_;
};

// Everything that is done to one array by one codec.
template <class K>
struct CodecCase {
  using C = Context<typename K::Params, typename K::Facts>;
  using In = typename K::In;
  using Out = typename K::Out;

  C c;
  const In* in;
  uint32_t inputs, block;
  bool has_array, has_piece[kMaxPieces];

  static constexpr bool kWide = generic::kIsWide<K>;
  uint32_t values() const {
    if constexpr (requires { K::out_values(c); }) return K::out_values(c);
    else return inputs;
  }
  uint32_t blocks() const { return generic::ceil_div(values(), block); }
  uint32_t count(uint32_t b) const { return generic::least(block, values() - b * block); }
  uint32_t record_bytes(uint32_t n) const {
    if constexpr (requires { K::record_bytes(n, c); }) return K::record_bytes(n, c);
    else return 0;
  }
  uint32_t max_piece_bytes(uint32_t k, uint32_t n) const {
    if constexpr (requires { K::max_piece_bytes(k, n, c); }) return has_piece[k] ? K::max_piece_bytes(k, n, c) : 0;
    else return 0;
  }
  uint32_t scratch_bytes() const {
    if constexpr (requires { K::scratch_bytes(block, c); }) return K::scratch_bytes(block, c);
    else return 0;
  }
  static constexpr bool kIsList = requires { K::kList; };
  static constexpr bool kMeasures = requires(const C& x, const uint8_t* r) { K::piece_bytes(0u, r, 0u, x); };
  size_t array_bytes() const { return has_array ? values() * sizeof(Out) : 0; }

  // --- by a group of one thread ---------------------------------------------------------------------
  template <class G>
  Ports encode(G g) const {
    Ports p;
    p.array.resize(array_bytes());
    Room array(array_bytes()), records(record_bytes(values()), 1);
    for (uint32_t b = 0; b < blocks(); ++b) {
      Room scratch(scratch_bytes());
      Room piece[kMaxPieces] = {Room(max_piece_bytes(0, count(b)) + 64, 3), Room(max_piece_bytes(1, count(b)) + 64, 5)};
      BlockIo io;
      io.first = b * block;
      io.count = count(b);
      io.in = kWide ? in : in + io.first;
      io.out = has_array ? array.data() + io.first * sizeof(Out) : nullptr;
      io.records = records.data() + (b ? record_bytes(io.first) : 0);
      io.scratch = scratch.data();
      for (uint32_t k = 0; k < kMaxPieces; ++k) io.piece[k] = piece[k].data();
      const Pieces written = K::encode(g, io, c);
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        EXPECT_LE(written.bytes[k], max_piece_bytes(k, io.count));
        p.piece[k].insert(p.piece[k].end(), io.piece[k], io.piece[k] + written.bytes[k]);
      }
    }
    p.array.assign(array.data(), array.data() + array_bytes());
    p.records.assign(records.data(), records.data() + record_bytes(values()));
    return p;
  }

  // Where each block's pieces begin, by the records or the list's indices.
  std::vector<uint64_t> positions(const Ports& p, uint32_t k) const {
    std::vector<uint64_t> at{0};
    for (uint32_t b = 0; b < blocks(); ++b) {
      uint64_t end = at.back();
      if constexpr (kIsList) {
        const uint32_t entry = k == 0 ? K::kEntryBytes : 4;
        while (end / entry * 4 < p.piece[1].size() &&
               generic::load_le<uint32_t>(p.piece[1].data() + end / entry * 4) < uint64_t{b} * block + count(b))
          end += entry;
      } else if constexpr (kMeasures) {
        if (has_piece[k]) end += K::piece_bytes(k, p.records.data() + (b ? record_bytes(b * block) : 0), count(b), c);
      }
      at.push_back(end);
    }
    return at;
  }

  template <class G>
  Rebuilt decode(const Ports& p) const {
    Rebuilt r;
    Room out(inputs * sizeof(In)), array(array_bytes());
    if (array_bytes()) std::memcpy(array.data(), p.array.data(), array_bytes());
    std::memset(out.data(), 0, inputs * sizeof(In));
    const std::vector<uint64_t> at[kMaxPieces] = {positions(p, 0), positions(p, 1)};
    G g;
    g.fault_word = &r.fault;
    if constexpr (requires { K::decode_passes(c); }) {
      for (uint32_t pass = 0; pass < K::decode_passes(c); ++pass)
        for (uint32_t b = K::decode_blocks(pass, c); b-- > 0;) {
          BlockIo io;
          io.count = inputs;
          io.in = array.data();
          io.out = out.data();
          K::decode_pass(g, pass, b, io, c);
        }
    } else {
      for (uint32_t b = 0; b < blocks(); ++b) {
        Room scratch(scratch_bytes());
        BlockIo io;
        io.first = b * block;
        io.count = count(b);
        io.in = has_array ? array.data() + io.first * sizeof(Out) : nullptr;
        io.out = out.data() + (kWide ? 0 : io.first * sizeof(In));
        io.scratch = scratch.data();
        Bytes records = p.records, piece[kMaxPieces];
        io.records = records.data() + (b ? record_bytes(io.first) : 0);
        for (uint32_t k = 0; k < kMaxPieces; ++k) {
          piece[k].assign(1, 0xEE);  // an odd address
          piece[k].insert(piece[k].end(), p.piece[k].begin() + static_cast<ptrdiff_t>(at[k][b]),
                          p.piece[k].begin() + static_cast<ptrdiff_t>(at[k][b + 1]));
          piece[k].shrink_to_fit();
          io.piece[k] = piece[k].data() + 1;
          io.piece_bytes[k] = static_cast<uint32_t>(piece[k].size() - 1);
        }
        K::decode(g, io, c);
      }
    }
    r.array.assign(out.data(), out.data() + inputs * sizeof(In));
    return r;
  }

  // --- by an emulated CUDA block, the way the kernels do it ---------------------------------------------
  BlockJob job() const {
    BlockJob j;
    j.values = values();
    j.block_values = block;
    j.blocks = blocks();
    return j;
  }
  Ports encode_in_block(Shape shape) const {
    Ports p;
    Room array(array_bytes()), records(record_bytes(values()), 1), scratch(scratch_bytes());
    BlockJob j = job();
    j.in = in;
    j.out = has_array ? array.data() : nullptr;
    j.records = records.data();
    std::vector<Room> slots;
    std::vector<uint32_t> size[kMaxPieces];
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      j.slot_bytes[k] = (max_piece_bytes(k, block) + 64 + 15) / 16 * 16;
      slots.emplace_back(j.slot_bytes[k] * j.blocks);
      size[k].assign(j.blocks + 1, 77);
      j.size[k] = size[k].data();
    }
    for (uint32_t k = 0; k < kMaxPieces; ++k) j.piece[k] = slots[k].data();
    for (uint32_t b = 0; b < j.blocks; ++b)
      in_block(shape, nullptr, [&](generic::CtaGroup g) {
        generic::encode_block<K>(g, j, b, scratch.data(), c);
        return 0;
      });
    for (uint32_t k = 0; k < kMaxPieces; ++k)
      for (uint32_t b = 0; b < j.blocks; ++b)
        p.piece[k].insert(p.piece[k].end(), j.piece[k] + b * j.slot_bytes[k], j.piece[k] + b * j.slot_bytes[k] + size[k][b]);
    p.array.assign(array.data(), array.data() + array_bytes());
    p.records.assign(records.data(), records.data() + record_bytes(values()));
    return p;
  }
  Rebuilt decode_in_block(Shape shape, const Ports& p) const {
    Rebuilt r;
    Room out(inputs * sizeof(In)), array(array_bytes()), records(p.records.size(), 1), scratch(scratch_bytes());
    std::memset(out.data(), 0, inputs * sizeof(In));
    if (array_bytes()) std::memcpy(array.data(), p.array.data(), array_bytes());
    if (!p.records.empty()) std::memcpy(records.data(), p.records.data(), p.records.size());
    BlockJob j = job();
    j.in = has_array ? array.data() : nullptr;
    j.out = out.data();
    j.records = records.data();
    j.fault = &r.fault;
    Bytes piece[kMaxPieces];
    std::vector<uint64_t> at[kMaxPieces];
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      piece[k].assign(1, 0xEE);
      piece[k].insert(piece[k].end(), p.piece[k].begin(), p.piece[k].end());
      piece[k].shrink_to_fit();
      j.piece[k] = piece[k].data() + 1;
      j.section_bytes[k] = p.piece[k].size();
    }
    measure(j, at);
    const auto each = [&](uint32_t n, auto f) {
      for (uint32_t b = 0; b < n; ++b)
        in_block(shape, &r.fault, [&](generic::CtaGroup g) {
          f(g, b);
          return 0;
        });
    };
    if constexpr (requires { K::decode_passes(c); }) {
      j.values = inputs;
      for (uint32_t pass = 0; pass < K::decode_passes(c); ++pass)
        each(K::decode_blocks(pass, c), [&](generic::CtaGroup g, uint32_t b) { generic::decode_pass_block<K>(g, pass, j, b, c); });
    } else {
      each(j.blocks, [&](generic::CtaGroup g, uint32_t b) { generic::decode_block<K>(g, j, b, scratch.data(), c); });
    }
    r.array.assign(out.data(), out.data() + inputs * sizeof(In));
    return r;
  }
  void measure(BlockJob& j, std::vector<uint64_t> (&at)[kMaxPieces]) const {
    if constexpr (kIsList) {
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        at[k].assign(j.blocks + 1, 0);
        j.at[k] = at[k].data();
      }
      for (uint32_t b = 0; b <= j.blocks; ++b) generic::find_list<K>(j, b);
    } else if constexpr (kMeasures) {
      std::vector<uint32_t> size[kMaxPieces];
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        size[k].assign(j.blocks + 1, 0);
        j.size[k] = has_piece[k] ? size[k].data() : nullptr;
      }
      for (uint32_t b = 0; b < j.blocks; ++b) generic::measure_block<K>(j, b, c);
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        at[k].assign(1, 0);
        for (uint32_t b = 0; b < j.blocks; ++b) at[k].push_back(at[k].back() + size[k][b]);
        j.at[k] = has_piece[k] ? at[k].data() : nullptr;
        j.size[k] = nullptr;
      }
    }
  }
};

}  // namespace fzm::test
