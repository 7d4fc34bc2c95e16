// The targets on everything kept in tests/fuzz/corpus, and on many changes to valid input.
// FZM_FUZZ_ROUNDS asks for more than the usual few seconds of them, FZM_FUZZ_SEED for others. With
// FZM_FUZZ_KEEP the last input is left in fuzz_last.bin, in the working directory: one that stopped
// the program goes to the corpus together with the fix.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/targets.h"
#include "tests/support/golden_frames.h"

namespace fzm::fuzz {
namespace {

using Target = void (*)(const uint8_t*, size_t);

uint64_t setting(const char* name, uint64_t fallback) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : fallback;
}

// A write for each input: only while looking for one that stops the program.
void run(Target target, Bytes input) {
  input.shrink_to_fit();
  if (std::getenv("FZM_FUZZ_KEEP"))
    std::ofstream("fuzz_last.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()),
               static_cast<std::streamsize>(input.size()));
  target(input.data(), input.size());
}

void run_corpus(Target target, const char* folder) {
  for (const auto& file : std::filesystem::directory_iterator(std::string(FZM_SOURCE_DIR) +
                                                              "/tests/fuzz/corpus/" + folder)) {
    const Bytes input = testing::read_bytes(file.path());
    target(input.data(), input.size());
  }
}

TEST(Fuzz, kept_frames_are_decoded_or_refused) { run_corpus(frame, "frame"); }
TEST(Fuzz, kept_words_are_read_or_refused) { run_corpus(words, "words"); }
TEST(Fuzz, kept_pipeline_files_are_read_or_refused) { run_corpus(toml, "toml"); }

// Arrays long enough for whole chunks of 16 KiB, and so for the hand-tuned decoders, by every
// preset.
std::vector<Bytes> longer_frames() {
  std::vector<float> field(18 * 25 * 40);
  for (size_t i = 0; i < field.size(); ++i)
    field[i] = i % 997 == 5  ? 1e7f
               : i % 211 < 3 ? __builtin_nanf("")
                             : static_cast<float>(i % 40 * (i % 40) + i / 50) * 0.125f;
  std::vector<Bytes> frames;
  for (const PresetInfo& preset : presets())
    for (const ArrayInfo& array : {ArrayInfo{.type = DType::f32, .shape = {18, 25, 40}},
                                   ArrayInfo{.type = DType::f64, .shape = {9000}},
                                   ArrayInfo{.type = DType::i16, .shape = {36000}}}) {
      const Result<EncodedFrame> made =
          encode(Request::from_preset(preset.name).value(), array, field.data());
      frames.emplace_back(made.value().size());
      made.value().copy_to(frames.back().data());
    }
  return frames;
}

TEST(Fuzz, changed_frames_are_decoded_or_refused) {
  std::vector<Bytes> seeds = longer_frames();
  for (const testing::GoldenFrame& g : testing::golden_frames())
    seeds.push_back(testing::read_bytes(g.path()));
  ASSERT_FALSE(seeds.empty());
  for (const Bytes& seed : seeds) frame(seed.data(), seed.size());
  Mutator m(setting("FZM_FUZZ_SEED", 1));
  for (uint64_t i = setting("FZM_FUZZ_ROUNDS", 3000); i > 0; --i) {
    Bytes changed = m.frame(seeds[m.below(seeds.size())], seeds[m.below(seeds.size())]);
    if (m.below(4) == 0 && testing::header_length(changed) >= 16 &&
        testing::header_length(changed) <= changed.size())
      changed = m.frame(changed, seeds[m.below(seeds.size())]);
    run(frame, std::move(changed));
  }
}

Bytes as_bytes(const std::vector<uint32_t>& list) {
  Bytes b(list.size() * 4);
  if (!b.empty()) std::memcpy(b.data(), list.data(), b.size());
  return b;
}

TEST(Fuzz, changed_words_are_read_or_refused) {
  std::vector<Bytes> seeds;
  for (const testing::GoldenFrame& g : testing::golden_frames()) {
    const Result<Request> request = g.asked();
    ASSERT_TRUE(request.ok()) << request.status().message();
    for (const auto& list : {write_words(*request), write_stored_words(*request, g.array())})
      if (list.ok()) seeds.push_back(as_bytes(*list));
  }
  Mutator m(setting("FZM_FUZZ_SEED", 2));
  for (uint64_t i = setting("FZM_FUZZ_ROUNDS", 3000); i > 0; --i) {
    Bytes changed = seeds[m.below(seeds.size())];
    m.change(changed, 0, changed.size());
    if (m.below(4) == 0) m.resize(changed, 0);
    changed.resize((changed.size() + 3) / 4 * 4);
    run(words, std::move(changed));
  }
}

TEST(Fuzz, changed_pipeline_files_are_read_or_refused) {
  static const std::string pieces[] = {"[[stage]]\n",
                                       "name = \"s0\"\n",
                                       "inputs = [",
                                       "{from = \"",
                                       "__external__",
                                       "\"}",
                                       "]\n",
                                       "= -1\n",
                                       "= 1e400\n",
                                       "= nan\n",
                                       "type = \"RZE4\"\n",
                                       "[pipeline]\n",
                                       "dims = [0, 1]\n",
                                       "99999999999999999999",
                                       "0x",
                                       "'''",
                                       "\xff\xfe",
                                       "fill_bits = \"0xfff8000000000000\"\n"};
  std::vector<Bytes> seeds;
  for (const testing::GoldenFrame& g : testing::golden_frames()) {
    const std::string text = g.asked().value().to_toml();
    seeds.emplace_back(text.begin(), text.end());
  }
  Mutator m(setting("FZM_FUZZ_SEED", 3));
  for (uint64_t i = setting("FZM_FUZZ_ROUNDS", 3000); i > 0; --i) {
    Bytes changed = seeds[m.below(seeds.size())];
    for (uint64_t times = m.below(3); times > 0; --times) {
      const std::string& piece = pieces[m.below(std::size(pieces))];
      const auto at = changed.begin() + static_cast<std::ptrdiff_t>(m.below(changed.size() + 1));
      changed.insert(at, piece.begin(), piece.end());
    }
    if (m.below(2)) m.change(changed, 0, changed.size());
    if (m.below(4) == 0) m.resize(changed, 0);
    run(toml, std::move(changed));
  }
}

}  // namespace
}  // namespace fzm::fuzz
