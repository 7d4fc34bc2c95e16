// The one group of a pipeline, run on memory that is exactly as long as it has to be: by its
// hand-fused version or by the generic walk.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/sizes.h"
#include "core/run/walk.h"
#include "tests/support/fused_pipelines.h"

namespace fzm::test {

inline constexpr uint8_t kGuard = 0xA5;
inline constexpr uint64_t kOverwrite = 64;  // encode may overwrite so much behind a piece's room

struct Bytes {
  std::unique_ptr<uint8_t[]> data;  // exactly as long as needed: a sanitizer sees what lies beyond
  uint64_t size = 0;
  explicit Bytes(uint64_t n = 0) : data(new uint8_t[n]), size(n) {
    std::memset(data.get(), kGuard, n);
  }
};

struct Streams {
  std::vector<Bytes> records;
  std::vector<std::array<Bytes, kMaxPieces>> pieces;
};

class GroupRun {
 public:
  GroupRun(const Pipeline& pipeline, const Shape& shape, DType type, double bound) {
    ArrayInfo array;
    array.type = type;
    array.shape = shape;
    auto plan = make_plan(pipeline.spec, array);
    EXPECT_TRUE(plan.ok()) << pipeline.name << ": " << plan.status().message();
    plan_ = *plan;
    EXPECT_EQ(plan_->groups.size(), 1u) << pipeline.name;
    walk_ = std::make_unique<WalkPlan>(*plan_, group());
    for (const uint32_t i : group().stages) {
      const PlannedStage& s = plan_->stages[i];
      Object facts = default_facts(*s.stage);
      if (s.stage->name == "Quantizer")
        static_cast<QuantizerFacts*>(facts.data())->abs_bound = bound;
      contexts_.push_back(make_context(s, facts, s.extent.values));
    }
  }
  const Group& group() const { return plan_->groups[0]; }
  uint32_t values() const { return group().values; }
  bool group_has_list() const { return walk_->stages[0]->code().is_list; }
  bool is_wide() const { return walk_->stages[0]->code().is_wide; }
  uint32_t in_values() const { return walk_->stages[0]->extent.values; }

  bool encode(bool fast, const void* in, uint32_t first, uint32_t count, Streams& to,
              const std::function<uint64_t(size_t, uint32_t, uint64_t)>& room) {
    GroupIo io;
    io.first = first;
    io.count = count;
    io.in = is_wide() ? in : static_cast<const uint8_t*>(in) + 4 * uint64_t{first};
    std::vector<std::array<Bytes, kMaxPieces>> pieces(walk_->stages.size());
    to.records.clear();
    to.pieces.clear();
    for (size_t s = 0; s < walk_->stages.size(); ++s) {
      const void* const c = contexts_[s].data();
      to.records.emplace_back(records_bytes(*walk_->stages[s], c, count));
      io.stage[s].context = c;
      io.stage[s].records = to.records[s].data.get();
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        io.stage[s].piece_room[k] =
            room(s, k, max_piece_bytes(*walk_->stages[s], c, k, count, group().block_values));
        pieces[s][k] = Bytes(io.stage[s].piece_room[k] + 2 * kOverwrite);
        io.stage[s].piece[k] = pieces[s][k].data.get();
      }
    }
    const bool fits = with_scratch(
        fast, io, [&] { return fast ? group().fast.encode(io) : walk_encode(*walk_, io); });
    for (size_t s = 0; s < walk_->stages.size(); ++s) {
      to.pieces.emplace_back();
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        EXPECT_LE(io.stage[s].piece_bytes[k], io.stage[s].piece_room[k]);
        const uint8_t* const guard =
            pieces[s][k].data.get() + io.stage[s].piece_room[k] + kOverwrite;
        for (uint64_t i = 0; i < kOverwrite; ++i)
          EXPECT_EQ(guard[i], kGuard) << "stage " << s << ", piece " << k;
        to.pieces[s][k] = Bytes(io.stage[s].piece_bytes[k]);
        std::memcpy(to.pieces[s][k].data.get(), pieces[s][k].data.get(),
                    io.stage[s].piece_bytes[k]);
      }
    }
    return fits;
  }
  bool encode(bool fast, const void* in, uint32_t first, uint32_t count, Streams& to) {
    return encode(fast, in, first, count, to, [](size_t, uint32_t, uint64_t most) { return most; });
  }

  uint32_t decode(bool fast, const Streams& from, uint32_t first, uint32_t count, void* out) {
    GroupIo io;
    io.first = first;
    io.count = count;
    io.out = is_wide() ? out : static_cast<uint8_t*>(out) + 4 * uint64_t{first};
    for (size_t s = 0; s < walk_->stages.size(); ++s) {
      io.stage[s].context = contexts_[s].data();
      io.stage[s].records = from.records[s].data.get();
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        io.stage[s].piece[k] = from.pieces[s][k].data.get();
        io.stage[s].piece_room[k] = from.pieces[s][k].size;
      }
    }
    with_scratch(fast, io, [&] {
      fast ? group().fast.decode(io) : walk_decode(*walk_, io);
      return true;
    });
    return io.fault;
  }

  // What the records say the pieces must hold, as the runner checks it before decoding.
  void fit_pieces(Streams& s, uint32_t count) const {
    for (size_t i = 0; i < walk_->stages.size(); ++i) {
      const BlockCode& code = walk_->stages[i]->code();
      if (!code.piece_bytes) continue;
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        const uint64_t bytes =
            s.pieces[i][k].size == 0 && k > 0
                ? 0
                : code.piece_bytes(k, s.records[i].data.get(), count, contexts_[i].data());
        Bytes fitted(bytes);
        std::memcpy(fitted.data.get(), s.pieces[i][k].data.get(),
                    std::min(bytes, s.pieces[i][k].size));
        s.pieces[i][k] = std::move(fitted);
      }
    }
  }

 private:
  template <class F>
  bool with_scratch(bool fast, GroupIo& io, F f) {
    const size_t bytes = fast ? group().fast.scratch_bytes : walk_->scratch_bytes;
    const size_t whole = (bytes + 63) / 64 * 64;
    uint8_t* const scratch = static_cast<uint8_t*>(std::aligned_alloc(64, whole + 64));
    std::memset(scratch, kGuard, whole + 64);
    io.scratch = scratch;
    const bool result = f();
    for (size_t i = bytes; i < whole + 64; ++i) EXPECT_EQ(scratch[i], kGuard) << "scratch";
    std::free(scratch);
    return result;
  }

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<WalkPlan> walk_;
  std::vector<Object> contexts_;
};

inline bool equal(const Bytes& a, const Bytes& b) {
  return a.size == b.size && std::memcmp(a.data.get(), b.data.get(), a.size) == 0;
}
inline void expect_equal(const Streams& a, const Streams& b) {
  ASSERT_EQ(a.records.size(), b.records.size());
  for (size_t s = 0; s < a.records.size(); ++s) {
    EXPECT_TRUE(equal(a.records[s], b.records[s])) << "records of stage " << s;
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      EXPECT_EQ(a.pieces[s][k].size, b.pieces[s][k].size) << "stage " << s << ", piece " << k;
      EXPECT_TRUE(equal(a.pieces[s][k], b.pieces[s][k])) << "stage " << s << ", piece " << k;
    }
  }
}

// An array of exactly n values of 4 bytes.
inline Bytes copy_of(const void* x, uint64_t values) {
  Bytes b(4 * values);
  if (values) std::memcpy(b.data.get(), x, 4 * values);
  return b;
}

}  // namespace fzm::test
