// The device's twin of tests/conformance/codec_groups.h: each stage, each variant; parameters, data, sizes and cuts drawn at
// random; bytes, values, facts and faults as the host's.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "core/stage/registry.h"
#include "tests/device/ports.h"
#include "tests/device/section.h"
#include "tests/support/random_arrays.h"

namespace fzm::test {
namespace {

constexpr int kHostileRounds = 2;
constexpr uint64_t kLargestHostilePiece = 1 << 20;

// What a case is about, for its failure's sentence.
struct Drawn {
  uint32_t variant = 0, kind = 0, inputs = 0, block = 0;
  Object params, facts, context;
  Bytes in;
  std::string text() const {
    return "variant " + std::to_string(variant) + ", " + std::to_string(inputs) + " values of kind " + std::to_string(kind) +
           " in blocks of " + std::to_string(block);
  }
};

class CodecCase {
 public:
  CodecCase(const Stage& stage, uint64_t number, uint32_t seed, Device& device)
      : stage_(stage), number_(number), device_(device), random_(seed) {}

  CaseResult run() {
    if (!draw()) return {false, ""};
    if (const BlockCode& code = stage_.codes()[d_.variant]; code.observe) compare_observing();
    if (failure_.empty() && !conclude()) return {false, ""};
    if (failure_.empty()) compare();
    return {true, failure_.empty() ? "" : d_.text() + ": " + failure_};
  }

 private:
  CodecJob job() const {
    return {&stage_, &stage_.codes()[d_.variant], d_.variant, &d_.context, &d_.in, d_.inputs, d_.block};
  }
  StageInput input(const Extent& e) const { return {stage_.codes()[d_.variant].in, e}; }
  void make_context() {
    d_.context = Object(stage_.context_bytes, [](void*) {});
    stage_.make_context(d_.params.data(), d_.facts.data(), extent_, d_.context.data());
  }
  uint32_t granularity() const {
    return std::max(1u, stage_.codes()[d_.variant].granularity(d_.context.data()));
  }

  // Nothing, less than a block of coder, a little more than two, and enough for many CUDA blocks.
  uint32_t draw_values(uint32_t g) {
    switch (random_() % 6) {
      case 0: return static_cast<uint32_t>(random_() % 3);
      case 1: return 1 + static_cast<uint32_t>(random_() % 70);
      case 2: return std::min(2 * g + g / 2 + 1, 50000u);
      case 3: return std::min(g * (1 + static_cast<uint32_t>(random_() % 9)), 100000u);
      case 4: return 3000 + static_cast<uint32_t>(random_() % 5000);
      default: return 30000 + static_cast<uint32_t>(random_() % 200000);
    }
  }

  bool draw() {
    d_.variant = static_cast<uint32_t>(number_ % stage_.codes().size());
    d_.kind = static_cast<uint32_t>(random_() % kDataKinds);
    d_.inputs = 2000;
    extent_ = random_extent(d_.inputs, random_);
    std::optional<Object> params = random_params(stage_, input(extent_), d_.variant, random_);
    if (!params) return false;
    d_.params = *params;
    d_.facts = default_facts(stage_);
    make_context();
    d_.inputs = draw_values(granularity());
    extent_ = random_extent(d_.inputs, random_);
    if (stage_.resolve && !stage_.resolve(d_.params.data(), input(extent_)).ok()) return false;
    const BlockCode& code = stage_.codes()[d_.variant];
    if (code.accepts && !code.accepts(d_.params.data())) return false;
    make_context();
    d_.in = bytes_of_kind(code.in, d_.kind, d_.inputs, random_);
    d_.in.reserve(d_.in.size() + 1);  // a place, also for nothing
    draw_block();
    return true;
  }
  // From many small blocks to one that is everything.
  void draw_block() {
    const uint32_t g = granularity();
    const uint32_t values = std::max(job().values(), 1u), whole = (values + g - 1) / g;
    const uint32_t least = std::max(1u, (values / 4096) / g);  // not more than a few thousand blocks
    const uint32_t cuts[] = {least, whole, (whole + 4) / 5, std::max(least, std::max(1u, 4096 / g)), std::max(least, std::max(1u, 1024 / g))};
    d_.block = std::min(cuts[random_() % std::size(cuts)], whole) * g;
  }

  void fail(const std::string& what) {
    if (failure_.empty()) failure_ = what;
  }
  // Facts as they would be stored: equal where every row is.
  bool conclude_from(const void* partial, Object& facts, bool& is_there) const {
    facts = default_facts(stage_);
    is_there = !stage_.conclude || stage_.conclude(d_.params.data(), partial, input(extent_), facts.data()).ok();
    return is_there;
  }
  bool looks() const { return !stage_.needs_observe || stage_.needs_observe(d_.params.data()); }

  void compare_observing() {
    std::string error;
    const Object want = observe_on_host(job()), got = observe_on_device(job(), device_, error);
    if (!error.empty()) return fail("observing: " + error);
    if (!looks()) return;
    Object want_facts, got_facts;
    bool want_there = false, got_there = false;
    conclude_from(want.data(), want_facts, want_there);
    conclude_from(got.data(), got_facts, got_there);
    bool equal = want_there == got_there;
    for (const Param& row : stage_.facts) equal = equal && row.get(want_facts.data()) == row.get(got_facts.data());
    if (!equal) fail("what was observed differs");
    partial_ = want;
  }
  bool conclude() {
    const bool has_seen = stage_.codes()[d_.variant].observe != nullptr && looks();
    bool is_there = false;
    conclude_from(has_seen ? partial_.data() : nullptr, d_.facts, is_there);
    make_context();
    return is_there;
  }

  void compare() {
    std::string error;
    const Ports want = encode_on_host(job()), got = encode_on_device(job(), device_, error);
    if (!error.empty()) return fail("encoding: " + error);
    if (got.array != want.array) fail("the array differs");
    if (got.records != want.records) fail("the records differ");
    for (uint32_t k = 0; k < kMaxPieces; ++k)
      if (got.piece[k] != want.piece[k])
        fail("piece " + std::to_string(k) + " differs, " + std::to_string(got.piece[k].size()) + " bytes for " +
             std::to_string(want.piece[k].size()));
    compare_decoding(want, "decoding");
    for (int i = 0; i < kHostileRounds && failure_.empty(); ++i) {
      Ports hostile = want;
      if (make_hostile(hostile)) compare_decoding(hostile, "decoding damaged content");
    }
  }
  void compare_decoding(const Ports& ports, const char* what) {
    if (!failure_.empty()) return;
    std::string error;
    const Rebuilt want = decode_on_host(job(), ports), got = decode_on_device(job(), ports, device_, error);
    if (!error.empty()) return fail(std::string(what) + ": " + error);
    if (got.fault != want.fault)
      return fail(std::string(what) + ": faults " + std::to_string(got.fault) + " instead of " + std::to_string(want.fault));
    if (want.fault == 0 && got.array != want.array) fail(std::string(what) + ": the values differ");
  }

  // Changes some bytes, and pieces so that their sizes are what the records say, as the runner checks before it decodes.
  bool make_hostile(Ports& p) {
    Bytes* const all[] = {&p.array, &p.records, &p.piece[0], &p.piece[1]};
    Bytes& victim = *all[random_() % 4];
    const BlockCode& code = stage_.codes()[d_.variant];
    if (victim.empty() || (code.is_list && &victim == &p.piece[1])) return false;
    for (int i = 0; i < 4; ++i) victim[random_() % victim.size()] = static_cast<uint8_t>(random_() % 3 ? random_() : 0xFF);
    for (uint32_t k = 0; k < kMaxPieces && code.piece_bytes; ++k) {
      if (!job().has_piece(k)) continue;
      const uint64_t bytes = job().piece_bytes(p, k);
      if (bytes > kLargestHostilePiece) return false;
      while (p.piece[k].size() < bytes) p.piece[k].push_back(static_cast<uint8_t>(random_()));
      p.piece[k].resize(bytes);
    }
    return true;
  }

  const Stage& stage_;
  const uint64_t number_;
  Device& device_;
  Random random_;
  Drawn d_;
  Extent extent_;
  Object partial_;
  std::string failure_;
};

}  // namespace

std::vector<Section> codec_sections() {
  std::vector<Section> all;
  for (const Stage* stage : stages())
    all.push_back({"codec." + std::string(stage->folder),
                   [stage](uint64_t number, uint64_t seed, Device* device) {
                     return CodecCase(*stage, number, mix(seed, number), *device).run();
                   }});
  return all;
}

}  // namespace fzm::test
