// Lossless integer prediction that chooses, tile by tile, the cheapest of four: first or second differences, with or
// without the tile's mean subtracted. The design of FSZ (SC'26); the cost is that of AdaptiveBitpack with blocks of 32.
#pragma once
#include "kernels/base/element.h"
#include "kernels/base/mean.h"
#include "kernels/base/map.h"

namespace fzm {

struct AdaptiveLorenzoParams {
  DType data_type = kAutoType;
  uint32_t coder_block_size = 32;  // the only value there is
  uint32_t blocks_per_tile = 8;
  bool enable_order2 = true;
  bool enable_centering = true;
  bool outlier_cost = false;  // the coder behind stores a block's first value apart where that is shorter
};

}  // namespace fzm

FZM_CODECS_BEGIN

template <class T>
struct AdaptiveLorenzo {
  using Params = AdaptiveLorenzoParams;
  using Facts = NoFacts;
  using In = T;
  using Out = T;
  using C = Context<Params, Facts>;
  using U = Unsigned<T>;
  static constexpr uint32_t kCoderBlock = 32;
  static constexpr uint32_t kBatch = 4096;  // values worked on at a time: two arrays of them fit 48 KiB up to int32
  static constexpr uint32_t kBytes = sizeof(T);
  // A tile's mode, as stored.
  static constexpr uint32_t kOrder2 = 1, kCentered = 2;

  static bool accepts(const Params& p) { return may_be<T>(p.data_type); }
  FZM_HD static uint32_t tile_values(const C& c) { return kCoderBlock * c.params.blocks_per_tile; }
  FZM_HD static uint32_t tiles(uint32_t count, const C& c) { return ceil_div(count, tile_values(c)); }
  FZM_HD static uint32_t granularity(const C& c) { return 4 * tile_values(c); }  // the tiles of a byte of modes
  FZM_HD static uint32_t record_bytes(uint32_t count, const C& c) { return ceil_div(tiles(count, c), 4); }
  FZM_HD static uint32_t max_piece_bytes(uint32_t k, uint32_t count, const C& c) {
    return k == 0 && c.params.enable_centering ? tiles(count, c) * kBytes : 0;
  }
  FZM_HD static uint32_t piece_bytes(uint32_t k, const uint8_t* records, uint32_t count, const C& c) {
    if (k != 0) return 0;
    const uint32_t n = tiles(count, c);
    uint32_t centered = 0;
    for (uint32_t b = 0; b < n / 4; ++b) centered += count_ones(records[b] & 0xAAu);
    if (n % 4 != 0) centered += count_ones(records[n / 4] & 0xAAu & ((1u << (2 * (n % 4))) - 1));
    return centered * kBytes;
  }
  FZM_HD static uint32_t scratch_bytes(uint32_t, const C&) { return sizeof(Work); }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    Work* const w = reinterpret_cast<Work*>(io.scratch);
    uint32_t means = 0;
    const uint32_t step = batch_values(c);
    for (uint32_t at = 0; at < io.count; at += step) {
      const Batch b = batch(io, c, at, static_cast<const T*>(io.in), static_cast<T*>(io.out));
      differences(g, b, w);
      gather_blocks(g, b, w, c.params.outlier_cost);
      if (c.params.enable_centering) find_means(g, b, w);
      choose(g, b, w, c.params);
      write_residuals(g, b, w);
      write_modes(g, b, w, io.records + at / (4 * b.tile));
      uint8_t* const stored = io.piece[0] + uint64_t{means} * kBytes;
      means += g.compact(
          b.tiles, [=](uint32_t t) { return (w->mode[t] & kCentered) != 0; },
          [=](uint32_t t, uint32_t rank) { store_le<U>(stored + uint64_t{rank} * kBytes, static_cast<U>(w->mean[t])); });
    }
    return {{means * kBytes}};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    Work* const w = reinterpret_cast<Work*>(io.scratch);
    const uint32_t step = batch_values(c), stored = io.piece_bytes[0] / kBytes;
    const uint32_t last = tiles(io.count, c) % 4;
    g.fault_if(io.piece_bytes[0] != piece_bytes(0, io.records, io.count, c), Fault::bad_payload);
    g.fault_if(last != 0 && io.records[tiles(io.count, c) / 4] >> (2 * last) != 0, Fault::bad_record);
    uint32_t means = 0;
    for (uint32_t at = 0; at < io.count; at += step) {
      const Batch b = batch(io, c, at, static_cast<const T*>(io.in), static_cast<T*>(io.out));
      const uint8_t* const modes = io.records + at / (4 * b.tile);
      const uint8_t* const pool = io.piece[0];
      U* const out = static_cast<U*>(io.out) + at;
      g.copy(reinterpret_cast<uint8_t*>(out), reinterpret_cast<const uint8_t*>(b.in), b.values * kBytes);
      g.each(b.tiles, [=](uint32_t t) { w->mode[t] = (modes[t / 4] >> (2 * (t % 4))) & 3u; });
      for (uint32_t t = 0; t < b.tiles; ++t) {
        if ((w->mode[t] & kOrder2) == 0) continue;
        const uint32_t live = least(b.tile, b.values - t * b.tile);
        g.prefix_sums(out + t * b.tile, live, live);
      }
      // What the last sum starts from is added to the whole tile.
      const uint32_t before = means;
      means += g.template offsets<uint32_t>(
          b.tiles, [=](uint32_t t) { return w->mode[t] >> 1; }, [=](uint32_t t, uint32_t slot) { w->slot[t] = slot; });
      g.each_item(b.tiles, [=](uint32_t t) {
        const uint32_t slot = before + w->slot[t];
        if ((w->mode[t] & kCentered) == 0 || slot >= stored) return;
        out[t * b.tile] = static_cast<U>(out[t * b.tile] + load_le<U>(pool + uint64_t{slot} * kBytes));
      });
      g.prefix_sums(out, b.values, b.tile);
    }
  }

 private:
  static constexpr uint32_t kBlocks = kBatch / kCoderBlock;
  struct Work {
    U first[kBatch], second[kBatch];  // differences; 0 where they start and where there is no value
    U first_bits[kBlocks], second_bits[kBlocks];  // OR of their magnitudes, a coder block each
    T mean[kBlocks];
    uint32_t slot[kBlocks];
    uint32_t mode[kBlocks];
  };
  // A few tiles, their number a multiple of 4 but for the last.
  struct Batch {
    const T* in;
    T* out;
    uint32_t values, tile, tiles, blocks_per_tile;
  };
  FZM_HD static uint32_t batch_values(const C& c) { return greatest<uint32_t>(1, kBatch / granularity(c)) * granularity(c); }
  FZM_HD static Batch batch(const BlockIo& io, const C& c, uint32_t at, const T* in, T* out) {
    const uint32_t n = least(batch_values(c), io.count - at);
    return {in + at, out + at, n, tile_values(c), tiles(n, c), c.params.blocks_per_tile};
  }

  template <class G>
  FZM_HD static void differences(G g, const Batch& b, Work* w) {
    const U* const q = reinterpret_cast<const U*>(b.in);
    const uint32_t n = b.values, tile = b.tile, whole = b.tiles * tile;
    U* const first = w->first;
    U* const second = w->second;
    g.each(n - 1, [=](uint32_t i) { (first + 1)[i] = static_cast<U>((q + 1)[i] - q[i]); });
    g.each(n > 2 ? n - 2 : 0, [=](uint32_t i) { (second + 2)[i] = static_cast<U>((first + 2)[i] - (first + 1)[i]); });
    g.each(whole - n, [=](uint32_t i) { (first + n)[i] = (second + n)[i] = 0; });
    g.each(b.tiles, [=](uint32_t t) {
      const uint32_t i = t * tile;
      first[i] = second[i] = second[i + 1] = 0;
    });
  }

  // The bits that the differences of each coder block take together. Where a first value may be stored apart, without it.
  template <class G>
  FZM_HD static void gather_blocks(G g, const Batch& b, Work* w, bool apart) {
    const uint32_t blocks = b.tiles * b.blocks_per_tile;
    gather(g, w->first, w->first_bits, blocks, apart);
    gather(g, w->second, w->second_bits, blocks, apart);
  }
  template <class G>
  FZM_HD static void gather(G g, const U* differences, U* bits, uint32_t blocks, bool apart) {
    const U keep_first = apart ? U(0) : static_cast<U>(~U(0));
    g.each_item(blocks, [=](uint32_t k) {
      const U* const d = differences + k * kCoderBlock;
      U all = 0;
      for (uint32_t i = 0; i < kCoderBlock; ++i)
        all = static_cast<U>(all | (magnitude(static_cast<Signed<T>>(d[i])) & (i == 0 ? keep_first : static_cast<U>(~U(0)))));
      bits[k] = all;
    });
  }

  template <class G>
  FZM_HD static void find_means(G g, const Batch& b, Work* w) {
    const T* const q = b.in;
    g.template fold_segments<uint64_t>(
        b.values, b.tile, 0, [=](uint32_t i) { return widened(q[i]); }, [](uint64_t x, uint64_t y) { return x + y; },
        [=](uint32_t t, uint64_t sum) { w->mean[t] = rounded_mean<T>(sum, least(b.tile, b.values - t * b.tile)); });
  }

  // What AdaptiveBitpack writes for a block of 32 whose values but the first have these bits.
  FZM_HD static uint32_t coded_bytes(U rest, U first, bool may_be_apart) {
    const uint32_t bits = bit_length(static_cast<U>(rest | first));
    const uint32_t together = bits != 0 ? 4 * (bits + 1) : 0;
    if (!may_be_apart) return together;
    return least(together, ceil_div(bit_length(first), 8) + 4 * (bit_length(rest) + 1));
  }
  // The first one or two residuals of a tile.
  struct Start { U first, second; };
  FZM_HD static Start start_of(const Batch& b, const Work* w, uint32_t t, U mean) {
    const uint32_t i = t * b.tile;
    const U r0 = static_cast<U>(static_cast<U>(b.in[i]) - mean);
    return {r0, b.values - i > 1 ? static_cast<U>(w->first[i + 1] - r0) : U(0)};
  }
  FZM_HD static U size(U residual) { return magnitude(static_cast<Signed<T>>(residual)); }

  // Costs of all blocks of a tile but its first, which alone depends on the mean.
  FZM_HD static uint32_t later_bytes(const U* differences, const U* bits, const Batch& b, uint32_t t, bool apart) {
    uint32_t bytes = 0;
    for (uint32_t j = 1; j < b.blocks_per_tile; ++j) {
      const uint32_t k = t * b.blocks_per_tile + j;
      bytes += coded_bytes(bits[k], apart ? size(differences[k * kCoderBlock]) : U(0), apart);
    }
    return bytes;
  }
  template <class G>
  FZM_HD static void choose(G g, const Batch& b, Work* w, const Params& p) {
    const bool apart = p.outlier_cost;
    const uint32_t modes = p.enable_centering ? 4 : 2, step = p.enable_order2 ? 1 : 2;
    g.each_item(b.tiles, [=](uint32_t t) {
      const uint32_t k = t * b.blocks_per_tile;
      uint32_t later[2] = {later_bytes(w->first, w->first_bits, b, t, apart), 0};
      if (step == 1) later[1] = later_bytes(w->second, w->second_bits, b, t, apart);
      uint32_t best = 0, least_bytes = ~0u;
      for (uint32_t m = 0; m < modes; m += step) {
        const bool centered = (m & kCentered) != 0;
        const Start s = start_of(b, w, t, centered ? static_cast<U>(w->mean[t]) : U(0));
        const U rest = (m & kOrder2) != 0 ? static_cast<U>(w->second_bits[k] | size(s.second)) : w->first_bits[k];
        const uint32_t bytes = later[m & kOrder2] + coded_bytes(rest, size(s.first), apart) + (centered ? kBytes : 0);
        if (bytes < least_bytes) {  // strictly, so that the earlier one wins a tie
          least_bytes = bytes;
          best = m;
        }
      }
      w->mode[t] = best;
    });
  }

  template <class G>
  FZM_HD static void write_residuals(G g, const Batch& b, Work* w) {
    U* const out = reinterpret_cast<U*>(b.out);
    const uint32_t whole = b.values / kCoderBlock;
    const auto residuals = [=](uint32_t k) {
      return ((w->mode[k / b.blocks_per_tile] & kOrder2) != 0 ? w->second : w->first) + k * kCoderBlock;
    };
    g.each_item(whole, [=](uint32_t k) {
      const U* const from = residuals(k);
      U* const to = out + k * kCoderBlock;
      FZM_IVDEP
      for (uint32_t i = 0; i < kCoderBlock; ++i) to[i] = from[i];
    });
    if (b.values % kCoderBlock != 0) {
      const U* const from = residuals(whole);
      U* const to = out + whole * kCoderBlock;
      g.each(b.values % kCoderBlock, [=](uint32_t i) { to[i] = from[i]; });
    }
    g.each_item(b.tiles, [=](uint32_t t) {
      const uint32_t i = t * b.tile;
      const Start s = start_of(b, w, t, (w->mode[t] & kCentered) != 0 ? static_cast<U>(w->mean[t]) : U(0));
      out[i] = s.first;
      if ((w->mode[t] & kOrder2) != 0 && i + 1 < b.values) out[i + 1] = s.second;
    });
  }

  template <class G>
  FZM_HD static void write_modes(G g, const Batch& b, Work* w, uint8_t* records) {
    g.each_item(ceil_div(b.tiles, 4), [=](uint32_t k) {
      uint32_t byte = 0;
      for (uint32_t j = 0; j < 4; ++j)
        if (4 * k + j < b.tiles) byte |= w->mode[4 * k + j] << (2 * j);
      records[k] = static_cast<uint8_t>(byte);
    });
  }
};

using AdaptiveLorenzoVariants =
    CodecList<AdaptiveLorenzo<int8_t>, AdaptiveLorenzo<int16_t>, AdaptiveLorenzo<int32_t>, AdaptiveLorenzo<int64_t>>;

FZM_CODECS_END
