// Every hand-fused group against the generic walk over its stages: the same bytes, the same values, nothing written
// outside its buffers. Runs with the best instruction set of the machine; prints what it had nothing to compare with.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>

#include "core/plan/plan.h"
#include "core/plan/sizes.h"
#include "core/run/walk.h"
#include "kernels/adaptive_bitpack/adaptive_bitpack.h"
#include "kernels/adaptive_lorenzo/adaptive_lorenzo.h"
#include "kernels/bitshuffle/bitshuffle.h"
#include "kernels/difference/difference.h"
#include "kernels/lc/chunked.h"
#include "kernels/lorenzo/lorenzo.h"
#include "kernels/quantizer/params.h"
#include "kernels/tiled_lorenzo/tiled_lorenzo.h"

namespace fzm {
namespace {

// --- pipelines ---------------------------------------------------------------------------------------------------------
struct Pipeline {
  std::string name;
  Spec spec;
};

template <class P>
Pipeline& add(Pipeline& to, std::string_view stage, std::function<void(P&)> set) {
  StageSpec s;
  s.stage = find_stage(stage);
  s.name = std::string(stage);
  s.params = default_params(*s.stage);
  set(*static_cast<P*>(s.params.data()));
  const int32_t before = static_cast<int32_t>(to.spec.stages.size()) - 1;
  s.inputs = {Edge{before < 0 ? kExternal : before, 0}};
  to.spec.stages.push_back(std::move(s));
  return to;
}

Pipeline linear(std::string name) {
  Pipeline p{std::move(name), {}};
  return add<QuantizerParams>(p, "Quantizer", [](QuantizerParams& q) { q.linear_mode = true; });
}
Pipeline with_bitpack(Pipeline p, uint32_t block, bool first_apart) {
  return add<AdaptiveBitpackParams>(p, "AdaptiveBitpack", [=](AdaptiveBitpackParams& b) {
    b.block_size = block;
    b.outlier_selection = first_apart;
  });
}
Pipeline fsz(bool order2, bool centering) {
  Pipeline p = linear("fsz" + std::string(order2 ? " order2" : "") + (centering ? " centering" : ""));
  add<AdaptiveLorenzoParams>(p, "AdaptiveLorenzo", [=](AdaptiveLorenzoParams& a) {
    a.enable_order2 = order2;
    a.enable_centering = centering;
  });
  return with_bitpack(p, 32, false);
}
Pipeline blocks(uint32_t block, bool first_apart) {
  Pipeline p = linear("blocks of " + std::to_string(block) + (first_apart ? ", first apart" : ""));
  add<LorenzoParams>(p, "Lorenzo", [=](LorenzoParams& l) { l.block_size = block; });
  return with_bitpack(p, block, first_apart);
}
Pipeline chunks(bool quantized, DifferenceMode mode, DType as) {
  Pipeline p{std::string(quantized ? "pfpl, mode " : "chunks, mode ") + std::to_string(static_cast<int>(mode)) + ", as " +
                 std::string(dtype_name(as)),
             {}};
  if (quantized)
    add<QuantizerParams>(p, "Quantizer", [](QuantizerParams& q) {
      q.inplace_outliers = true;
      q.quant_radius = 1 << 22;
    });
  add<DifferenceParams>(p, "Difference", [=](DifferenceParams& d) {
    d.chunk_size = 16384;
    d.mode = mode;
    d.input_type = as;
  });
  add<BitshuffleParams>(p, "Bitshuffle", [](BitshuffleParams& b) { b.element_width = 4; });
  return add<LcParams>(p, "RZE", [](LcParams&) {});
}
Pipeline tiles(bool first_apart) {
  Pipeline p{std::string("tiles") + (first_apart ? ", first apart" : ""), {}};
  add<TiledLorenzoParams>(p, "TiledLorenzo", [](TiledLorenzoParams&) {});
  return with_bitpack(p, 64, first_apart);
}

std::vector<Pipeline> float_pipelines() {
  std::vector<Pipeline> all;
  for (const bool order2 : {true, false})
    for (const bool centering : {true, false}) all.push_back(fsz(order2, centering));
  for (const uint32_t b : {32u, 64u, 128u})
    for (const bool first_apart : {false, true}) all.push_back(blocks(b, first_apart));
  all.push_back(with_bitpack(linear("fixed"), 64, false));
  all.push_back(chunks(true, DifferenceMode::negabinary, DType::i32));
  all.push_back(chunks(true, DifferenceMode::negabinary, DType::u32));
  all.push_back(chunks(true, DifferenceMode::zigzag, DType::i32));
  all.push_back(chunks(false, DifferenceMode::negabinary, DType::f32));
  all.push_back(chunks(false, DifferenceMode::zigzag, DType::f32));
  all.push_back(chunks(false, DifferenceMode::plain, DType::u32));
  return all;
}

// --- data ----------------------------------------------------------------------------------------------------------------
struct Field {
  std::string name;
  std::vector<float> x;
};
std::vector<float> made(size_t n, const std::function<float(size_t)>& f) {
  std::vector<float> x(n);
  for (size_t i = 0; i < n; ++i) x[i] = f(i);
  return x;
}

std::vector<Field> fields(float bound) {
  std::mt19937 rng(7);
  std::normal_distribution<float> gauss;
  const float step = 2 * bound;
  std::vector<Field> all;
  const auto wave = [](size_t i) { return std::sin(0.01f * static_cast<float>(i)) + 0.1f * std::sin(0.37f * static_cast<float>(i)); };
  for (const size_t n : {0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8200, 20000})
    all.push_back({"waves, n = " + std::to_string(n), made(n, wave)});
  const size_t n = 9000;
  all.push_back({"zeros", made(n, [](size_t) { return 0.0f; })});
  all.push_back({"negative zeros", made(n, [](size_t) { return -0.0f; })});
  all.push_back({"constant", made(n, [](size_t) { return 3.25f; })});
  all.push_back({"ties", made(n, [=](size_t i) { return (static_cast<float>(i % 37) + 0.5f) * step; })});
  all.push_back({"ramp", made(n, [=](size_t i) { return static_cast<float>(i) * step * 3; })});
  all.push_back({"parabola", made(n, [=](size_t i) { return static_cast<float>(i % 700) * static_cast<float>(i % 700) * step; })});
  all.push_back({"offset", made(n, [=](size_t i) { return 1000 * step * 100 + wave(i) * step * 5; })});
  all.push_back({"large offset", made(n, [=](size_t i) { return 1.5e6f * step + wave(i) * step * 50; })});
  for (int rate = 1; rate <= 32; ++rate)
    all.push_back({"noise of rate " + std::to_string(rate), made(n, [&](size_t) { return gauss(rng) * step * std::exp2(static_cast<float>(rate) - 2); })});
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const size_t every : {3, 100, 5000}) {
    all.push_back({"NaN, one in " + std::to_string(every), made(n, [&](size_t i) { return rng() % every ? wave(i) : nan; })});
    all.push_back({"infinities, one in " + std::to_string(every), made(n, [&](size_t i) { return rng() % every ? wave(i) : rng() % 2 ? inf : -inf; })});
    all.push_back({"huge, one in " + std::to_string(every), made(n, [&](size_t i) { return rng() % every ? wave(i) : 1e30f; })});
  }
  all.push_back({"random bits", made(n, [&](size_t) { return std::bit_cast<float>(static_cast<uint32_t>(rng())); })});
  all.push_back({"denormals", made(n, [&](size_t) { return std::bit_cast<float>(static_cast<uint32_t>(rng()) & 0x800FFFFFu); })});
  for (const float edge : {4096.0f, 8192.0f, 1048576.0f, 2097152.0f, 4194304.0f, 8388608.0f, 16777216.0f, 2147483648.0f})
    for (const float width : {3.0f, 3000.0f})
      all.push_back({"codes near " + std::to_string(edge) + " by " + std::to_string(width),
                     made(n, [&](size_t) { return (edge + gauss(rng) * width) * step * (rng() % 64 ? 1.0f : -1.0f); })});
  for (const float jump : {2048.0f, 4096.0f, 32768.0f, 65536.0f, 1048576.0f})
    all.push_back({"jumps of " + std::to_string(jump), made(n, [&](size_t i) { return (static_cast<float>(i / 50 % 2) * jump + gauss(rng)) * step; })});
  all.push_back({"walk", [&] {
                   float at = 0;
                   return made(n, [&](size_t) { return at += gauss(rng) * step * 2000; });
                 }()});
  all.push_back({"mostly zero", made(n, [&](size_t) { return rng() % 50 ? 0.0f : gauss(rng) * step * 40; })});
  for (int k = 0; k < 30; ++k) {
    const uint32_t size = rng() % 12000;
    const float wide = std::exp2(static_cast<float>(rng() % 26)), odd = static_cast<float>(rng() % 400 + 1);
    all.push_back({"mix " + std::to_string(k), made(size, [&](size_t i) {
                     const uint32_t r = rng() % static_cast<uint32_t>(odd * 20);
                     if (r == 0) return nan;
                     if (r == 1) return std::bit_cast<float>(static_cast<uint32_t>(rng()));
                     return (i / 300 % 3 ? wave(i) * 30 : gauss(rng)) * step * (i / 1000 % 2 ? wide : 4.0f);
                   })});
  }
  return all;
}

// --- running one group -----------------------------------------------------------------------------------------------
constexpr uint8_t kGuard = 0xA5;
constexpr uint64_t kOverwrite = 64;  // encode may overwrite so much behind a piece's room

struct Bytes {
  std::unique_ptr<uint8_t[]> data;  // exactly as long as needed: a sanitizer sees what lies beyond
  uint64_t size = 0;
  explicit Bytes(uint64_t n = 0) : data(new uint8_t[n]), size(n) { std::memset(data.get(), kGuard, n); }
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
    auto made_plan = make_plan(pipeline.spec, array);
    EXPECT_TRUE(made_plan.ok()) << pipeline.name << ": " << made_plan.status().message();
    plan_ = *made_plan;
    EXPECT_EQ(plan_->groups.size(), 1u) << pipeline.name;
    walk_ = std::make_unique<WalkPlan>(*plan_, group());
    for (const uint32_t i : group().stages) {
      const PlannedStage& s = plan_->stages[i];
      Object facts = default_facts(*s.stage);
      if (s.stage->name == "Quantizer") static_cast<QuantizerFacts*>(facts.data())->abs_bound = bound;
      contexts_.push_back(make_context(s, facts, s.extent.values));
    }
  }
  const Group& group() const { return plan_->groups[0]; }
  uint32_t values() const { return group().values; }
  bool is_wide() const { return walk_->stages[0]->code().is_wide; }
  uint32_t in_values() const { return walk_->stages[0]->extent.values; }

  bool encode(bool fast, const void* in, uint32_t first, uint32_t count, Streams& to, const std::function<uint64_t(size_t, uint32_t, uint64_t)>& room) {
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
        io.stage[s].piece_room[k] = room(s, k, max_piece_bytes(*walk_->stages[s], c, k, count, group().block_values));
        pieces[s][k] = Bytes(io.stage[s].piece_room[k] + 2 * kOverwrite);
        io.stage[s].piece[k] = pieces[s][k].data.get();
      }
    }
    const bool fits = with_scratch(io, [&] { return fast ? group().fast.encode(io) : walk_encode(*walk_, io); });
    for (size_t s = 0; s < walk_->stages.size(); ++s) {
      to.pieces.emplace_back();
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        EXPECT_LE(io.stage[s].piece_bytes[k], io.stage[s].piece_room[k]);
        const uint8_t* const guard = pieces[s][k].data.get() + io.stage[s].piece_room[k] + kOverwrite;
        for (uint64_t i = 0; i < kOverwrite; ++i) EXPECT_EQ(guard[i], kGuard) << "stage " << s << ", piece " << k;
        to.pieces[s][k] = Bytes(io.stage[s].piece_bytes[k]);
        std::memcpy(to.pieces[s][k].data.get(), pieces[s][k].data.get(), io.stage[s].piece_bytes[k]);
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
    with_scratch(io, [&] {
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
        const uint64_t bytes = s.pieces[i][k].size == 0 && k > 0 ? 0 : code.piece_bytes(k, s.records[i].data.get(), count, contexts_[i].data());
        Bytes fitted(bytes);
        std::memcpy(fitted.data.get(), s.pieces[i][k].data.get(), std::min(bytes, s.pieces[i][k].size));
        s.pieces[i][k] = std::move(fitted);
      }
    }
  }

 private:
  template <class F>
  bool with_scratch(GroupIo& io, F f) {
    const size_t bytes = std::max<uint64_t>(walk_->scratch_bytes, group().fast.scratch_bytes);
    uint8_t* const scratch = static_cast<uint8_t*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    std::memset(scratch, kGuard, bytes);
    io.scratch = scratch;
    const bool result = f();
    std::free(scratch);
    return result;
  }

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<WalkPlan> walk_;
  std::vector<Object> contexts_;
};

bool equal(const Bytes& a, const Bytes& b) { return a.size == b.size && std::memcmp(a.data.get(), b.data.get(), a.size) == 0; }
void expect_equal(const Streams& a, const Streams& b) {
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
Bytes copy_of(const void* x, uint64_t values) {
  Bytes b(4 * values);
  if (values) std::memcpy(b.data.get(), x, 4 * values);
  return b;
}

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

Shape line(size_t n) { return Shape{n}; }

bool is_there(const GroupRun& run, const std::string& name) {
  if (run.group().fast.encode) return true;
  std::cout << "no fused version of " << name << " on this machine: nothing to compare\n";
  return false;
}

// --- the tests -----------------------------------------------------------------------------------------------------------
TEST(FastGroups, give_the_bytes_and_values_of_the_generic_walk) {
  for (const Pipeline& p : float_pipelines())
    for (const double bound : {1e-2, 1e-3, 1e-6})
      for (const Field& f : fields(static_cast<float>(bound))) {
        SCOPED_TRACE(p.name + ", bound " + std::to_string(bound) + ", " + f.name);
        GroupRun run(p, line(f.x.size()), DType::f32, bound);
        if (!is_there(run, p.name)) return;
        compare(run, f.x.data());
        if (HasFailure()) return;
      }
}

TEST(FastGroups, give_the_same_on_tiles) {
  std::mt19937 rng(3);
  for (const bool first_apart : {false, true})
    for (const Shape& shape : {Shape{64}, Shape{1000}, Shape{8, 8}, Shape{16, 16}, Shape{17, 23}, Shape{40, 64}, Shape{100, 203}, Shape{4, 4, 4},
                               Shape{8, 8, 32}, Shape{5, 6, 7}, Shape{20, 21, 22}, Shape{3, 2, 1000}})
      for (const uint32_t bits : {0u, 1u, 4u, 9u, 16u, 22u, 24u, 31u, 32u}) {
        const Pipeline p = tiles(first_apart);
        SCOPED_TRACE(p.name + ", rank " + std::to_string(shape.size()) + ", last " + std::to_string(shape[shape.size() - 1]) + ", bits " + std::to_string(bits));
        GroupRun run(p, shape, DType::i32, 0);
        if (!is_there(run, p.name)) return;
        std::vector<int32_t> x(run.in_values());
        const int32_t offset = bits < 30 && rng() % 2 ? static_cast<int32_t>(rng() % 5000000) : 0;
        for (size_t i = 0; i < x.size(); ++i) {
          const uint32_t noise = bits == 0 ? 0 : static_cast<uint32_t>(rng()) >> (32 - bits);
          x[i] = static_cast<int32_t>(noise + static_cast<uint32_t>(offset) + (rng() % 999 ? 0u : 1u << 20));
        }
        compare(run, x.data());
        if (HasFailure()) return;
      }
}

// Room for exactly what there is suffices; one byte less does not, and nothing is written beyond.
TEST(FastGroups, keep_to_the_room_of_their_pieces) {
  for (const Pipeline& p : float_pipelines())
    for (const Field& f : fields(1e-3f)) {
      if (f.x.size() < 4000) continue;
      SCOPED_TRACE(p.name + ", " + f.name);
      GroupRun run(p, line(f.x.size()), DType::f32, 1e-3);
      if (!is_there(run, p.name)) return;
      Streams s, t;
      ASSERT_TRUE(run.encode(true, f.x.data(), 0, run.values(), s));
      const auto exact = [&](size_t i, uint32_t k, uint64_t) { return s.pieces[i][k].size; };
      EXPECT_TRUE(run.encode(true, f.x.data(), 0, run.values(), t, exact));
      expect_equal(s, t);
      for (size_t i = 0; i < s.pieces.size(); ++i)
        for (uint32_t k = 0; k < kMaxPieces; ++k) {
          if (s.pieces[i][k].size == 0) continue;
          EXPECT_FALSE(run.encode(true, f.x.data(), 0, run.values(), t, [&](size_t j, uint32_t l, uint64_t) { return s.pieces[j][l].size - (i == j && k == l); }));
        }
      if (HasFailure()) return;
    }
}

// What the records allow is read, nothing else; the values are the walk's unless a fault is reported.
TEST(FastGroups, survive_damaged_records_and_pieces) {
  std::mt19937 rng(11);
  std::vector<Pipeline> all = float_pipelines();
  for (const Pipeline& p : all)
    for (const Field& f : fields(1e-3f)) {
      if (f.x.size() < 8000 || f.x.size() > 9500) continue;
      SCOPED_TRACE(p.name + ", " + f.name);
      GroupRun run(p, line(f.x.size()), DType::f32, 1e-3);
      if (!is_there(run, p.name)) return;
      Streams s;
      ASSERT_TRUE(run.encode(true, f.x.data(), 0, run.values(), s));
      for (size_t i = 0; i < s.records.size(); ++i) {
        for (uint32_t hits = rng() % 4; hits > 0 && s.records[i].size; --hits) s.records[i].data[rng() % s.records[i].size] = static_cast<uint8_t>(rng() % 2 ? rng() : rng() % 40);
        for (auto& piece : s.pieces[i])
          for (uint32_t hits = rng() % 4; hits > 0 && piece.size; --hits) piece.data[rng() % piece.size] = static_cast<uint8_t>(rng());
      }
      run.fit_pieces(s, run.values());
      Bytes a(4 * f.x.size()), b(4 * f.x.size());
      const uint32_t wrong_a = run.decode(false, s, 0, run.values(), a.data.get()), wrong_b = run.decode(true, s, 0, run.values(), b.data.get());
      EXPECT_EQ(wrong_a == 0, wrong_b == 0);
      EXPECT_TRUE(wrong_a != 0 || equal(a, b));
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace fzm
