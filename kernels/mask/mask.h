// Takes NaN, infinities, fill and missing values out of an array, so that the stages after it see a smooth one, and stores where they
// were and their exact bits.
#pragma once
#include "kernels/base/map.h"
#include "kernels/mask/position_set.h"
#include "kernels/mask/specials.h"

FZM_CODECS_BEGIN

template <class T>
struct Mask {
  using Params = MaskParams;
  using Facts = MaskFacts;
  using C = Context<Params, Facts>;
  using In = T;
  using Out = T;
  using U = Unsigned<T>;
  using Partial = MaskPartial;

  FZM_HD static uint32_t granularity(const C&) { return kMaskBlock; }
  // The size of each tile's piece.
  FZM_HD static uint32_t record_bytes(uint32_t count, const C&) { return 4 * ceil_div(count, kMaskBlock); }
  FZM_HD static uint32_t max_piece_bytes(uint32_t k, uint32_t count, const C&) {
    return k == 0 ? 2 * ceil_div(count, kMaskBlock) + ceil_div(count, 8) + count * static_cast<uint32_t>(sizeof(T)) : 0;
  }
  FZM_HD static uint32_t piece_bytes(uint32_t k, const uint8_t* records, uint32_t count, const C&) {
    uint64_t sum = 0;
    for (uint32_t i = 0; k == 0 && i < ceil_div(count, kMaskBlock); ++i) sum += load_le<uint32_t>(records + 4 * i);
    return static_cast<uint32_t>(least<uint64_t>(sum, ~uint32_t{0}));
  }
  FZM_HD static uint32_t scratch_bytes(uint32_t count, const C&) { return Scratch::bytes(least(count, kMaskBlock)); }

  template <class G>
  FZM_HD static Partial observe(G g, const BlockIo& io, const C& c) {
    return search_block(g, static_cast<const T*>(io.in), io.first, io.count, SpecialSearch<T>::of(c.params));
  }
  FZM_HD static void merge(Partial& into, const Partial& from) { merge_search(into, from); }

  template <class G>
  FZM_HD static Pieces encode(G g, const BlockIo& io, const C& c) {
    uint32_t at = 0;
    for (uint32_t first = 0, t = 0; first < io.count; first += kMaskBlock, ++t) {
      const uint32_t bytes = encode_tile(g, static_cast<const T*>(io.in) + first, least(kMaskBlock, io.count - first), c,
                                         Scratch(io.scratch, least(kMaskBlock, io.count)), static_cast<T*>(io.out) + first,
                                         io.piece[0] + at);
      uint8_t* const record = io.records + 4 * t;
      g.each(1, [=](uint32_t) { store_le<uint32_t>(record, bytes); });
      at += bytes;
    }
    return {{at, 0}};
  }

  template <class G>
  FZM_HD static void decode(G g, const BlockIo& io, const C& c) {
    uint32_t at = 0;
    for (uint32_t first = 0, t = 0; first < io.count; first += kMaskBlock, ++t) {
      const uint32_t asked = load_le<uint32_t>(io.records + 4 * t);
      const uint32_t bytes = least(asked, io.piece_bytes[0] - at);
      g.fault_if(bytes != asked, Fault::bad_record);
      const uint32_t n = least(kMaskBlock, io.count - first);
      T* const out = static_cast<T*>(io.out) + first;
      g.copy(reinterpret_cast<uint8_t*>(out), reinterpret_cast<const uint8_t*>(static_cast<const T*>(io.in) + first),
             n * static_cast<uint32_t>(sizeof(T)));
      if (bytes != 0)
        decode_tile(g, io.piece[0] + at, bytes, n, c, Scratch(io.scratch, least(kMaskBlock, io.count)), out);
      at += bytes;
    }
  }

 private:
  // Bit arrays, lists of positions and what position_set.h needs, for tiles of up to n values.
  struct Scratch {
    uint8_t *bits, *other, *third;
    uint16_t* list;
    SetScratch set;
    FZM_HD static uint32_t rounded(uint32_t bytes) { return ceil_div(bytes, 64) * 64; }
    FZM_HD static uint32_t bytes(uint32_t n) {
      return 4 * rounded(8 * bit_words(n)) + rounded(4 * bit_words(n)) + rounded(n) + 2 * rounded(2 * n + 16);
    }
    FZM_HD Scratch(uint8_t* at, uint32_t n) {
      const auto take = [&at](uint32_t size) {
        uint8_t* const p = at;
        at += rounded(size);
        return p;
      };
      bits = take(8 * bit_words(n));
      other = take(8 * bit_words(n));
      third = take(8 * bit_words(n));
      set.bits = take(8 * bit_words(n));
      set.ranks = reinterpret_cast<uint32_t*>(take(4 * bit_words(n)));
      set.flags = take(n);
      list = reinterpret_cast<uint16_t*>(take(2 * n + 16));
      set.positions = reinterpret_cast<uint16_t*>(take(2 * n + 16));
    }
  };

  // How far apart neighbours along an axis are; n where the tile has none.
  FZM_HD static uint32_t lag_of(uint32_t axis, uint32_t n, const Extent& e) {
    const uint64_t lag = axis == 0 ? 1 : axis >= e.rank ? n : axis == 1 ? e.nx : uint64_t{e.nx} * e.ny;
    return lag == 0 || lag >= n ? n : static_cast<uint32_t>(lag);
  }

  // Differences of `bits` along the axes named in `axes`, in `to`; `spare` is overwritten.
  template <class G>
  FZM_HD static void differences(G g, const uint8_t* bits, uint32_t n, uint32_t axes, const Extent& e, uint8_t* to, uint8_t* spare) {
    g.copy(to, bits, 8 * bit_words(n));
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const uint32_t lag = lag_of(axis, n, e);
      if (!(axes >> axis & 1) || lag >= n) continue;
      g.copy(spare, to, 8 * bit_words(n));
      xor_shifted(g, spare, n, lag, to);
    }
  }
  // The axes with fewest differences; the lowest number where equal.
  template <class G>
  FZM_HD static uint32_t best_axes(G g, const uint8_t* bits, uint32_t n, const Extent& e, uint8_t* work, uint8_t* spare) {
    uint32_t best = 0, fewest = ~uint32_t{0};
    for (uint32_t axes = 0; axes < (1u << e.rank) && axes < 8; ++axes) {
      differences(g, bits, n, axes, e, work, spare);
      const uint32_t ones = count_bits(g, work, n);
      if (ones < fewest) {
        fewest = ones;
        best = axes;
      }
    }
    return best;
  }

  // Piece: u8 axes | all_raw << 3, set of positions, then patterns: of every special value (all_raw), or the set of those that differ
  // from the one before, and these.
  static constexpr uint32_t kAllRaw = 8;

  template <class G>
  FZM_HD static uint32_t encode_tile(G g, const T* in, uint32_t n, const C& c, const Scratch& s, T* out, uint8_t* piece) {
    const SpecialTest<T> is_special = SpecialTest<T>::of(c.params, c.facts);
    g.copy(reinterpret_cast<uint8_t*>(out), reinterpret_cast<const uint8_t*>(in), n * static_cast<uint32_t>(sizeof(T)));
    if (!g.any(n, [=](uint32_t i) { return is_special(in[i]); })) return 0;
    set_bits(g, n, [=](uint32_t i) { return is_special(in[i]); }, s.bits);

    const uint32_t axes = best_axes(g, s.bits, n, c.extent, s.other, s.third);
    differences(g, s.bits, n, axes, c.extent, s.other, s.third);
    const uint32_t members = count_bits(g, s.other, n);
    const SetForm form = set_form(members, n);
    write_set(g, s.other, n, members, form, s.set, piece + 1);
    uint32_t at = 1 + form.bytes;

    uint16_t* const list = s.list;
    const uint32_t count = list_bits(g, s.bits, n, false, s.set.ranks,
                                     [=](uint32_t p, uint32_t rank) { list[rank] = static_cast<uint16_t>(p); });
    fill_in(g, in, n, count, c, s, out);

    const U before = is_special.before;
    set_bits(
        g, count,
        [=](uint32_t r) {
          const U previous = bit_cast<U>(in[list[r == 0 ? 0 : r - 1]]);
          return bit_cast<U>(in[list[r]]) != (r == 0 ? before : previous);
        },
        s.other);
    const uint32_t changes = count_bits(g, s.other, count);
    const SetForm change_form = set_form(changes, count);
    const bool all_raw = change_form.bytes + uint64_t{changes} * sizeof(T) >= uint64_t{count} * sizeof(T);
    g.each(1, [=](uint32_t) { piece[0] = static_cast<uint8_t>(axes | (all_raw ? kAllRaw : 0)); });
    if (all_raw) {
      uint8_t* const patterns = piece + at;
      g.each(count, [=](uint32_t r) { store_le<U>(patterns + r * sizeof(T), bit_cast<U>(in[list[r]])); });
      return at + count * static_cast<uint32_t>(sizeof(T));
    }
    write_set(g, s.other, count, changes, change_form, s.set, piece + at);
    at += change_form.bytes;
    uint8_t* const patterns = piece + at;
    list_bits(g, s.other, count, false, s.set.ranks,
              [=](uint32_t r, uint32_t rank) { store_le<U>(patterns + rank * sizeof(T), bit_cast<U>(in[list[r]])); });
    return at + changes * static_cast<uint32_t>(sizeof(T));
  }

  // A special value becomes the last ordinary one before it, leading ones the first, all of them the filler where there is none.
  // `s.list` holds the specials; the ordinary ones before the r-th of them, at p, are p - r.
  template <class G>
  FZM_HD static void fill_in(G g, const T* in, uint32_t n, uint32_t count, const C& c, const Scratch& s, T* out) {
    const uint16_t* const specials = s.list;
    uint16_t* const ordinary = s.set.positions;
    const U filler = static_cast<U>(c.facts.filler);
    if (count == n) return g.each(n, [=](uint32_t i) { out[i] = bit_cast<T>(filler); });
    list_bits(g, s.bits, n, true, s.set.ranks, [=](uint32_t p, uint32_t rank) { ordinary[rank] = static_cast<uint16_t>(p); });
    g.each_item(count, [=](uint32_t r) {
      const uint32_t p = specials[r];
      out[p] = in[ordinary[p > r ? p - r - 1 : 0]];
    });
  }

  template <class G>
  FZM_HD static void decode_tile(G g, const uint8_t* piece, uint32_t bytes, uint32_t n, const C& c, const Scratch& s, T* out) {
    const uint32_t head = piece[0];
    g.fault_if(head > 15, Fault::bad_payload);
    uint32_t at = 1 + read_set(g, piece + 1, bytes - 1, n, s.set, s.bits);
    uint8_t* bits = s.bits;
    uint8_t* spare = s.other;
    // Sums along an axis: 1 / (1 + S) = (1 + S)(1 + S^2)(1 + S^4)... where S moves bits by one lag.
    for (uint32_t axis = 0; axis < 3; ++axis) {
      if (!(head >> axis & 1)) continue;
      for (uint32_t lag = lag_of(axis, n, c.extent); lag < n; lag *= 2) {
        xor_shifted(g, bits, n, lag, spare);
        uint8_t* const sums = spare;
        spare = bits;
        bits = sums;
      }
    }
    uint16_t* const list = s.list;
    const uint32_t count =
        list_bits(g, bits, n, false, s.set.ranks, [=](uint32_t p, uint32_t rank) { list[rank] = static_cast<uint16_t>(p); });
    g.fault_if(count == 0, Fault::bad_payload);
    if (count == 0) return;

    if (head & kAllRaw) {
      const uint8_t* const patterns = piece + at;
      const uint32_t there = static_cast<uint32_t>(least<uint64_t>(count, (bytes - at) / sizeof(T)));
      g.fault_if(bytes - at != uint64_t{count} * sizeof(T), Fault::bad_payload);
      return g.each_item(there, [=](uint32_t r) { out[list[r]] = bit_cast<T>(load_le<U>(patterns + r * sizeof(T))); });
    }
    uint8_t* const changed = s.third;
    at += read_set(g, piece + at, bytes - at, count, s.set, changed);
    const uint8_t* const patterns = piece + at;
    const uint32_t there = (bytes - at) / static_cast<uint32_t>(sizeof(T));
    const uint32_t changes = count_bits(g, changed, count);
    g.fault_if(bytes - at != uint64_t{changes} * sizeof(T), Fault::bad_payload);
    const U before = SpecialTest<T>::of(c.params, c.facts).before;
    if (changes == 0) return g.each_item(count, [=](uint32_t r) { out[list[r]] = bit_cast<T>(before); });
    g.template offsets<uint32_t>(
        count, [=](uint32_t r) { return bit_at(changed, r) ? 1u : 0u; },
        [=](uint32_t r, uint32_t earlier) {
          const uint32_t k = earlier + (bit_at(changed, r) ? 1u : 0u);
          if (k <= there) out[list[r]] = bit_cast<T>(k == 0 ? before : load_le<U>(patterns + (k - 1) * sizeof(T)));
        });
  }
};

using MaskVariants = CodecList<Mask<uint8_t>, Mask<uint16_t>, Mask<uint32_t>, Mask<uint64_t>, Mask<int8_t>, Mask<int16_t>,
                               Mask<int32_t>, Mask<int64_t>, Mask<float>, Mask<double>>;

FZM_CODECS_END
