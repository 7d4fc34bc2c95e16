// One stage's codecs, every variant: the three groups write the same bytes, rebuild the same values, and find the same
// faults, whatever the data, the parameters, the size, and the cut into blocks. Included once per stage, with the stage's
// header, through codec_groups.cpp.in.
#pragma once
#include "tests/conformance/codec_case.h"

#include <string>

#include "core/stage/registry.h"
#include "tests/support/random_arrays.h"
#include "tests/support/random_params.h"

namespace fzm::test {

inline constexpr int kHostileRounds = 3;

template <class K>
class VariantTest {
 public:
  VariantTest(const Stage& stage, uint32_t variant) : stage_(stage), variant_(variant), random_(variant * 7919 + 1) {}

  void run() {
    for (uint32_t round = 0; round < 4 && !::testing::Test::HasFailure(); ++round)
      for (const uint32_t size : {0u, 1u, 2u, 3u}) run_case(round, size);
    EXPECT_GT(cases_, 0u) << stage_.name << ": no parameters reach variant " << variant_;
  }

 private:
  using In = typename K::In;
  using C = Context<typename K::Params, typename K::Facts>;

  void run_case(uint32_t round, uint32_t size) {
    const uint32_t kind = (2 * round + size) % 6;
    C c;
    uint32_t n = 0;
    if (!draw(size, kind, c, n)) return;
    const std::vector<In> data = data_of_kind<In>(kind, n, random_);
    if (!conclude(data, c)) return;
    ++cases_;
    const uint32_t g = generic::greatest(K::granularity(c), 1u);
    const CodecCase<K> whole = case_of(c, data, g);
    // At most a handful of blocks, and all in one.
    const uint32_t few = generic::greatest(generic::ceil_div(generic::ceil_div(whole.values(), 5), g), 1u) * g;
    const uint32_t one = generic::greatest(generic::ceil_div(whole.values(), g), 1u) * g;
    Ports first;
    for (const uint32_t block : {few, one}) {
      const CodecCase<K> one_case = case_of(c, data, block);
      SCOPED_TRACE(std::string(stage_.name) + ", variant " + std::to_string(variant_) + ", " + std::to_string(n) + " values of kind " +
                   std::to_string(kind) + " in blocks of " + std::to_string(block) + ", round " + std::to_string(round));
      compare(one_case, round, first, block == few);
    }
  }

  // Parameters for this variant, and a size that suits their granularity.
  bool draw(uint32_t size, uint32_t kind, C& c, uint32_t& n) {
    n = 2000;
    const StageInput any{kDType<In>, random_extent(n, random_)};
    const std::optional<Object> probe = random_params(stage_, any, variant_, random_);
    if (!probe) return false;
    std::memcpy(&c.params, probe->data(), sizeof(c.params));
    c.extent = any.extent;
    const uint32_t g = generic::least(generic::greatest(K::granularity(c), 1u), 20000u);
    n = size == 0 ? kind % 2 : size == 1 ? 33 : size == 2 ? 2 * g + g / 2 + 1 : generic::kIsWide<K> ? 36000 : g < 600 ? 3000 : g;
    const StageInput input{kDType<In>, random_extent(n, random_)};
    std::memcpy(&c.params, probe->data(), sizeof(c.params));
    if (stage_.resolve && !stage_.resolve(&c.params, input).ok()) return false;
    const BlockCode& code = stage_.codes()[variant_];
    if (code.accepts && !code.accepts(&c.params)) return false;
    c.extent = input.extent;
    return true;
  }

  bool has(PortKind kind) const {
    for (const Port& p : stage_.outputs)
      if (p.kind == kind) return true;
    return false;
  }
  CodecCase<K> case_of(const C& c, const std::vector<In>& data, uint32_t block) const {
    return {c, data.data(), static_cast<uint32_t>(data.size()), block, has(PortKind::array),
            {has(PortKind::piece0) || has(PortKind::stream), has(PortKind::piece1)}};
  }

  bool conclude(const std::vector<In>& data, C& c) {
    const StageInput input{kDType<In>, c.extent};
    if constexpr (requires { typename K::Partial; }) {
      using P = typename K::Partial;
      const auto see = [&](auto g) {
        BlockIo io;
        io.count = static_cast<uint32_t>(data.size());
        io.in = data.data();
        P sum{};
        K::merge(sum, K::observe(g, io, c));
        return sum;
      };
      const P want = see(generic::SerialGroup{});
      const P scrambled = see(generic::ScrambledGroup{});
      bool agree = false;
      const P in_cta = in_block({96, 3}, nullptr, see, &agree);
      EXPECT_TRUE(agree);
      EXPECT_TRUE(same_value(want, scrambled)) << "observed by ScrambledGroup";
      EXPECT_TRUE(same_value(want, in_cta)) << "observed by CtaGroup";
      const bool looks = !stage_.needs_observe || stage_.needs_observe(&c.params);
      if (stage_.conclude && !stage_.conclude(&c.params, looks ? &want : nullptr, input, &c.facts).ok()) return false;
    } else if (stage_.conclude && !stage_.conclude(&c.params, nullptr, input, &c.facts).ok()) {
      return false;
    }
    return true;
  }

  void compare(const CodecCase<K>& one, uint32_t round, Ports& first, bool is_first) {
    const Ports want = one.encode(generic::SerialGroup{});
    if (is_first) first = want;
    EXPECT_TRUE(want == first) << "the bytes depend on the cut into blocks";
    EXPECT_TRUE(one.encode(generic::ScrambledGroup{}) == want) << "encoded by ScrambledGroup";
    const Shape shape{round % 2 ? 64u : 160u, round};
    EXPECT_TRUE(one.encode_in_block(shape) == want) << "encoded by CtaGroup";
    compare_decoding(one, shape, want);
    for (int i = 0; i < kHostileRounds; ++i) {
      Ports hostile = want;
      if (make_hostile(one, hostile)) compare_decoding(one, shape, hostile);
    }
  }

  void compare_decoding(const CodecCase<K>& one, Shape shape, const Ports& ports) {
    const Rebuilt want = one.template decode<generic::SerialGroup>(ports);
    const Rebuilt scrambled = one.template decode<generic::ScrambledGroup>(ports);
    const Rebuilt in_cta = one.decode_in_block(shape, ports);
    EXPECT_EQ(scrambled.fault, want.fault) << "decoded by ScrambledGroup";
    EXPECT_EQ(in_cta.fault, want.fault) << "decoded by CtaGroup";
    if (want.fault) return;  // what a block holds is then unspecified
    EXPECT_TRUE(scrambled.array == want.array) << "decoded by ScrambledGroup";
    EXPECT_TRUE(in_cta.array == want.array) << "decoded by CtaGroup";
  }

  // Changes some bytes, and pieces so that their sizes are what the records say, as the runner checks before it decodes.
  bool make_hostile(const CodecCase<K>& one, Ports& p) {
    Bytes* const all[] = {&p.array, &p.records, &p.piece[0], &p.piece[1]};
    Bytes& victim = *all[random_() % 4];
    if (victim.empty() || (CodecCase<K>::kIsList && &victim == &p.piece[1])) return false;
    for (int i = 0; i < 4; ++i) victim[random_() % victim.size()] = static_cast<uint8_t>(random_() % 3 ? random_() : 0xFF);
    if constexpr (CodecCase<K>::kMeasures) {
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        const uint64_t bytes = one.positions(p, k).back();
        if (bytes > 1u << 20) return false;
        while (p.piece[k].size() < bytes) p.piece[k].push_back(static_cast<uint8_t>(random_()));
        p.piece[k].resize(bytes);
      }
    }
    return true;
  }

  const Stage& stage_;
  const uint32_t variant_;
  Random random_;
  uint32_t cases_ = 0;
};

template <class... K>
void test_variants(const char* folder, CodecList<K...>) {
  const Stage* stage = nullptr;
  for (const Stage* s : stages())
    if (s->folder == folder) stage = s;
  ASSERT_NE(stage, nullptr) << "no stage in kernels/" << folder;
  ASSERT_EQ(stage->codes().size(), sizeof...(K));
  uint32_t variant = 0;
  (VariantTest<K>(*stage, variant++).run(), ...);
}

}  // namespace fzm::test
