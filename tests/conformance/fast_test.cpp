// Every hand-fused group against the generic walk over its stages: the same bytes, the same values,
// nothing written outside its buffers. Runs with the best instruction set of the machine.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "tests/support/edge_fields.h"
#include "tests/support/fused_pipelines.h"
#include "tests/support/group_run.h"

namespace fzm::test {
namespace {

// Encodes and decodes both ways, all at once and cut in two.
void compare(GroupRun& run, const void* x) {
  const Bytes in = copy_of(x, run.in_values());
  const uint32_t n = run.values(), block = run.group().block_values;
  Streams whole, reference;
  ASSERT_TRUE(run.encode(false, in.data.get(), 0, n, reference));
  ASSERT_TRUE(run.encode(true, in.data.get(), 0, n, whole));
  expect_equal(whole, reference);
  Bytes a(in.size), b(in.size);
  EXPECT_EQ(run.decode(false, reference, 0, n, a.data.get()), 0u);
  EXPECT_EQ(run.decode(true, reference, 0, n, b.data.get()), 0u);
  EXPECT_TRUE(equal(a, b)) << "decoded values";
  if (n <= block) return;
  const uint32_t cut = n / 2 / block * block;
  for (const auto& [first, count] : {std::pair{0u, cut}, std::pair{cut, n - cut}}) {
    Streams p, q;
    ASSERT_TRUE(run.encode(false, in.data.get(), first, count, p));
    ASSERT_TRUE(run.encode(true, in.data.get(), first, count, q));
    expect_equal(p, q);
    run.decode(true, p, first, count, b.data.get());
  }
  EXPECT_TRUE(equal(a, b)) << "decoded in two ranges";
}

void append(Bytes& piece, uint32_t word) {
  Bytes longer(piece.size + 4);
  std::memcpy(longer.data.get(), piece.data.get(), piece.size);
  std::memcpy(longer.data.get() + piece.size, &word, 4);
  piece = std::move(longer);
}

Shape line(size_t n) { return Shape{n}; }

// Ends a test where this machine has no fused version of the group to compare.
#define NEEDS_FUSED(run, name) \
  if (!(run).group().fast.encode) GTEST_SKIP() << "no fused version of " << (name) << " on this machine: nothing to compare"

TEST(FastGroups, give_the_bytes_and_values_of_the_generic_walk) {
  for (const Pipeline& p : float_pipelines())
    for (const double bound : {1e-2, 1e-3, 1e-6})
      for (const EdgeField& f : edge_fields(static_cast<float>(bound))) {
        SCOPED_TRACE(p.name + ", bound " + std::to_string(bound) + ", " + f.name);
        GroupRun run(p, line(f.x.size()), DType::f32, bound);
        NEEDS_FUSED(run, p.name);
        compare(run, f.x.data());
        if (HasFailure()) return;
      }
}

TEST(FastGroups, give_the_same_on_tiles) {
  std::mt19937 rng(3);
  for (const bool first_apart : {false, true})
    for (const Shape& shape : {Shape{64}, Shape{1000}, Shape{8, 8}, Shape{16, 16}, Shape{17, 23},
                               Shape{40, 64}, Shape{100, 203}, Shape{4, 4, 4}, Shape{8, 8, 32},
                               Shape{5, 6, 7}, Shape{20, 21, 22}, Shape{3, 2, 1000}})
      for (const uint32_t bits : {0u, 1u, 4u, 9u, 16u, 22u, 24u, 31u, 32u}) {
        const Pipeline p = tiles(first_apart);
        SCOPED_TRACE(p.name + ", rank " + std::to_string(shape.size()) + ", last " +
                     std::to_string(shape[shape.size() - 1]) + ", bits " + std::to_string(bits));
        GroupRun run(p, shape, DType::i32, 0);
        NEEDS_FUSED(run, p.name);
        std::vector<int32_t> x(run.in_values());
        const int32_t offset = bits < 30 && rng() % 2 ? static_cast<int32_t>(rng() % 5000000) : 0;
        for (size_t i = 0; i < x.size(); ++i) {
          const uint32_t noise = bits == 0 ? 0 : static_cast<uint32_t>(rng()) >> (32 - bits);
          x[i] = static_cast<int32_t>(noise + static_cast<uint32_t>(offset) +
                                      (rng() % 999 ? 0u : 1u << 20));
        }
        compare(run, x.data());
        if (HasFailure()) return;
      }
}

// Room for exactly what there is suffices; one byte less does not, and nothing is written beyond.
TEST(FastGroups, keep_to_the_room_of_their_pieces) {
  for (const Pipeline& p : float_pipelines())
    for (const EdgeField& f : edge_fields(1e-3f)) {
      if (f.x.size() < 4000) continue;
      SCOPED_TRACE(p.name + ", " + f.name);
      GroupRun run(p, line(f.x.size()), DType::f32, 1e-3);
      NEEDS_FUSED(run, p.name);
      Streams s, t;
      ASSERT_TRUE(run.encode(true, f.x.data(), 0, run.values(), s));
      const auto exact = [&](size_t i, uint32_t k, uint64_t) { return s.pieces[i][k].size; };
      EXPECT_TRUE(run.encode(true, f.x.data(), 0, run.values(), t, exact));
      expect_equal(s, t);
      for (size_t i = 0; i < s.pieces.size(); ++i)
        for (uint32_t k = 0; k < kMaxPieces; ++k) {
          if (s.pieces[i][k].size == 0) continue;
          EXPECT_FALSE(
              run.encode(true, f.x.data(), 0, run.values(), t, [&](size_t j, uint32_t l, uint64_t) {
                return s.pieces[j][l].size - (i == j && k == l);
              }));
        }
      if (HasFailure()) return;
    }
}

// An entry of the list that belongs to no value: of this range, or of any.
TEST(FastGroups, and_the_walk_refuse_unused_entries_of_a_list) {
  for (const Pipeline& p : float_pipelines())
    for (const EdgeField& f : edge_fields(1e-3f)) {
      if (f.x.size() < 4000) continue;
      SCOPED_TRACE(p.name + ", " + f.name);
      GroupRun run(p, line(f.x.size()), DType::f32, 1e-3);
      NEEDS_FUSED(run, p.name);
      if (!run.group_has_list()) continue;
      Streams s;
      ASSERT_TRUE(run.encode(true, f.x.data(), 0, run.values(), s));
      append(s.pieces[0][0], 0);
      append(s.pieces[0][1], run.values());
      Bytes out(4 * f.x.size());
      const uint32_t bad_index = 1u << static_cast<uint32_t>(Fault::bad_index);
      EXPECT_EQ(run.decode(false, s, 0, run.values(), out.data.get()), bad_index);
      EXPECT_EQ(run.decode(true, s, 0, run.values(), out.data.get()), bad_index);
      if (HasFailure()) return;
    }
}

// What the records allow is read, nothing else; the fault and the values are the walk's. (Only the
// order of a list's indices may be refused here and not there: the runner looks at it before.)
TEST(FastGroups, survive_damaged_records_and_pieces) {
  std::mt19937 rng(11);
  std::vector<Pipeline> all = float_pipelines();
  for (const Pipeline& p : all)
    for (const EdgeField& f : edge_fields(1e-3f)) {
      if (f.x.size() < 8000 || f.x.size() > 9500) continue;
      SCOPED_TRACE(p.name + ", " + f.name);
      GroupRun run(p, line(f.x.size()), DType::f32, 1e-3);
      NEEDS_FUSED(run, p.name);
      Streams s;
      ASSERT_TRUE(run.encode(true, f.x.data(), 0, run.values(), s));
      bool lists_are_sound = true;
      for (size_t i = 0; i < s.records.size(); ++i) {
        for (uint32_t hits = rng() % 4; hits > 0 && s.records[i].size; --hits)
          s.records[i].data[rng() % s.records[i].size] =
              static_cast<uint8_t>(rng() % 2 ? rng() : rng() % 40);
        for (uint32_t k = 0; k < kMaxPieces; ++k) {
          Bytes& piece = s.pieces[i][k];
          for (uint32_t hits = rng() % 4; hits > 0 && piece.size; --hits) {
            piece.data[rng() % piece.size] = static_cast<uint8_t>(rng());
            lists_are_sound &= k == 0;
          }
        }
      }
      run.fit_pieces(s, run.values());
      Bytes a(4 * f.x.size()), b(4 * f.x.size());
      const uint32_t wrong_a = run.decode(false, s, 0, run.values(), a.data.get());
      const uint32_t wrong_b = run.decode(true, s, 0, run.values(), b.data.get());
      EXPECT_TRUE(wrong_a == 0 || wrong_b != 0);
      EXPECT_TRUE(wrong_b == 0 || wrong_a != 0 || !lists_are_sound);
      EXPECT_TRUE(wrong_b != 0 || equal(a, b));
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace fzm::test
