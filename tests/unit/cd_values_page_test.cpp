// What docs/cd_values.md and docs/pipelines.md show is tried as it stands there.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <sstream>

#include "core/spec/spec_record.h"
#include "core/spec/words.h"

namespace fzm {
namespace {

using WordList = std::vector<uint32_t>;
using Lines = std::map<std::string, std::string>;  // first word of a line -> the rest

std::string page(const std::string& name) {
  std::ifstream file(FZM_SOURCE_DIR "/docs/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The contents of fenced blocks of one language.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> found;
  const std::string fence = "```" + language + "\n";
  for (size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
    const size_t start = at + fence.size();
    found.push_back(text.substr(start, text.find("```", start) - start));
  }
  return found;
}

Lines lines_of(const std::string& block) {
  Lines lines;
  std::istringstream in(block);
  for (std::string line; std::getline(in, line);) {
    const size_t space = line.find(' ');
    lines[line.substr(0, space)] = line.substr(line.find_first_not_of(' ', space));
  }
  return lines;
}

WordList numbers(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream in(text);
  WordList words;
  for (uint32_t w = 0; in >> w;) words.push_back(w);
  return words;
}

// "1,1,0.001d": a number with d is a double, low word first.
WordList nccopy_numbers(const std::string& text) {
  WordList words;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    if (item.back() != 'd') {
      words.push_back(static_cast<uint32_t>(std::stoul(item)));
      continue;
    }
    const auto bits = std::bit_cast<uint64_t>(std::stod(item));
    words.push_back(static_cast<uint32_t>(bits));
    words.push_back(static_cast<uint32_t>(bits >> 32));
  }
  return words;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const size_t start = text.find(before);
  if (start == std::string::npos) return "'" + before + "' is missing";
  return text.substr(start + before.size(),
                     text.find(after, start + before.size()) - start - before.size());
}

std::string joined(const WordList& words, const std::string& separator) {
  std::string text;
  for (const uint32_t w : words) text += (text.empty() ? "" : separator) + std::to_string(w);
  return text;
}

std::vector<uint8_t> record(const Request& request) {
  ByteWriter out;
  write_spec(out, request.spec());
  return out.bytes();
}

TEST(CdValuesPage, each_example_has_its_words) {
  const std::vector<std::string> examples = blocks(page("cd_values.md"), "cd_values");
  EXPECT_GE(examples.size(), 6u);
  for (const std::string& block : examples) {
    const Lines lines = lines_of(block);
    const Result<Request> request = Request::from_options(lines.at("options"));
    ASSERT_TRUE(request.ok()) << request.status().message();
    const WordList words = write_words(*request).value();
    EXPECT_EQ(lines.at("words"), joined(words, " ")) << block;
    EXPECT_EQ(record(read_words(words)->request), record(*request)) << block;
  }
}

TEST(CdValuesPage, each_example_is_spelled_right_for_each_tool) {
  for (const std::string& block : blocks(page("cd_values.md"), "cd_values")) {
    Lines lines = lines_of(block);
    const WordList words = numbers(lines["words"]);
    EXPECT_EQ(between(lines["h5repack"], "h5repack -f UD=62042,0,", " in.h5 out.h5"),
              std::to_string(words.size()) + "," + joined(words, ","))
        << block;
    EXPECT_EQ(nccopy_numbers(between(lines["nccopy"], "nccopy -F \"*,62042,", "\"")), words)
        << block;
    EXPECT_EQ(numbers(between(lines["h5py"], "compression=62042, compression_opts=(", ")")), words)
        << block;
  }
}

TEST(CdValuesPage, the_stored_example_has_its_words) {
  const std::vector<std::string> examples = blocks(page("cd_values.md"), "stored");
  ASSERT_EQ(examples.size(), 1u);
  Lines lines = lines_of(examples[0]);
  ASSERT_EQ(lines["array"], "float32 12x90x180");
  const Request request = Request::from_options(lines["options"]).value();
  EXPECT_EQ(
      joined(write_stored_words(request, {.type = DType::f32, .shape = {12, 90, 180}}).value(),
             " "),
      lines["words"]);
}

TEST(CdValuesPage, the_numbers_of_the_presets_are_right) {
  const std::string text = page("cd_values.md");
  std::string list;
  for (const PresetInfo& p : presets())
    list += (list.empty() ? "" : ", ") + std::to_string(p.number) + " " + std::string(p.name);
  EXPECT_NE(text.find("preset: " + list + " |"), std::string::npos) << list;
}

TEST(PipelinesPage, the_example_loads) {
  const std::vector<std::string> examples = blocks(page("pipelines.md"), "toml");
  ASSERT_FALSE(examples.empty());
  for (const std::string& block : examples) {
    const Result<Request> r = Request::from_toml(block, "docs/pipelines.md");
    EXPECT_TRUE(r.ok()) << r.status().message();
  }
}

}  // namespace
}  // namespace fzm
