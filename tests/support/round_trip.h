// What every lossless stage on numbers must do, whatever its parameters: the same bytes however the array is cut and in
// whatever order the work is done, and the same array back.
#pragma once
#include <gtest/gtest.h>

#include <random>

#include "core/stage/registry.h"
#include "kernels/base/scrambled_group.h"
#include "kernels/host/traits.h"
#include "tests/support/one_stage.h"

namespace fzm::testing {

inline constexpr uint32_t kSizes[] = {0, 1, 2, 7, 8, 31, 32, 33, 255, 256, 257, 1000, 4096, 4097, 16384};

inline Extent line(size_t n) { return {static_cast<uint32_t>(n), 1, static_cast<uint32_t>(n), 1, 1}; }
inline Extent plane(uint32_t ny, uint32_t nx) { return {ny * nx, 2, nx, ny, 1}; }
inline Extent volume(uint32_t nz, uint32_t ny, uint32_t nx) { return {nz * ny * nx, 3, nx, ny, nz}; }

// Whole numbers of several characters, as bits of any type of `bytes` bytes.
inline constexpr int kKinds = 6;
inline Bytes numbers(uint32_t bytes, size_t n, int kind) {
  std::mt19937_64 random(n * 16 + static_cast<size_t>(kind) * 4 + bytes);
  const uint64_t offset = random(), lowest = uint64_t{1} << (8 * bytes - 1);
  Bytes all(n * bytes);
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = 0;
    switch (kind) {
      case 0: v = i * i / 64 + random() % 5; break;                             // smooth
      case 1: v = random(); break;                                              // anything
      case 2: v = offset + random() % 3; break;                                 // far from zero
      case 3: v = random() % 40 == 0 ? random() : 0; break;                     // mostly zero
      case 4: v = random() % 2 ? lowest : lowest - 1; break;                    // the ends of the range
      default: v = uint64_t{0} - (i / 300) * 1000 + (i % 300) * (i / 300); break;  // a slope a stretch
    }
    std::memcpy(all.data() + i * bytes, &v, bytes);  // the low bytes: tests run where these come first
  }
  return all;
}

// The variants of a stage over the group that works in a hostile order.
template <class K>
BlockCode scrambled_code() {
  using C = Context<typename K::Params, typename K::Facts>;
  BlockCode b = generic::block_code<K>();
  b.encode = [](const BlockIo& io, const void* c, uint32_t* fault) {
    return K::encode(generic::ScrambledGroup{fault}, io, *static_cast<const C*>(c));
  };
  b.decode = [](const BlockIo& io, const void* c, uint32_t* fault) {
    K::decode(generic::ScrambledGroup{fault}, io, *static_cast<const C*>(c));
  };
  if constexpr (requires(const C& c) { K::decode_passes(c); })
    b.decode_pass = [](uint32_t pass, uint32_t block, const BlockIo& io, const void* c, uint32_t* fault) {
      K::decode_pass(generic::ScrambledGroup{fault}, pass, block, io, *static_cast<const C*>(c));
    };
  return b;
}
template <class List>
struct ScrambledCodes;
template <class... K>
struct ScrambledCodes<CodecList<K...>> {
  static inline const std::vector<BlockCode> all = {scrambled_code<K>()...};
};

// `stage` is resolved. Returns what encoding gave.
template <class Variants>
Coded expect_round_trip(const Stage& description, OneStage& stage, const Bytes& in) {
  const Coded coded = stage.encode(in, 4096);
  EXPECT_TRUE(stage.encode(in, 37) == coded) << "cut small";
  EXPECT_TRUE(stage.encode(in, 1u << 30) == coded) << "uncut";
  uint32_t fault = 0;
  for (const uint32_t cut : {37u, 5000u, 1u << 30}) {
    EXPECT_TRUE(stage.decode(coded, cut, &fault) == in) << "decoded in cuts of " << cut;
    EXPECT_EQ(fault, 0u);
  }
  const BlockCode& usual = stage.code();
  stage.use(ScrambledCodes<Variants>::all[static_cast<size_t>(&usual - description.codes().data())]);
  EXPECT_TRUE(stage.encode(in, 4096) == coded) << "in a hostile order";
  EXPECT_TRUE(stage.decode(coded, 4096, &fault) == in) << "in a hostile order";
  EXPECT_EQ(fault, 0u);
  stage.use(usual);
  return coded;
}

}  // namespace fzm::testing
