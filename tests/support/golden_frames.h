// The kept frames of tests/golden: what each was made from, and its bytes.
#pragma once
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/fzm.h"

namespace fzm::testing {

inline const std::string kGoldenFolder = std::string(FZM_SOURCE_DIR) + "/tests/golden/";

// A line of frames.txt.
struct GoldenFrame {
  std::string name, type, shape, fill, input, request, decoded;
  ArrayInfo array() const;
  Result<Request> asked() const;
  std::string path() const { return kGoldenFolder + "frames/" + name + ".fzm"; }
};

inline std::vector<uint8_t> read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string trimmed(const std::string& text) {
  const size_t from = text.find_first_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
}
inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(trimmed(part));
  return parts;
}

// "float32", "float32be", "opaque12"
inline ArrayInfo GoldenFrame::array() const {
  ArrayInfo a;
  std::string name_of_type = type;
  if (type.ends_with("be")) a.big_endian = true, name_of_type.resize(type.size() - 2);
  if (type.starts_with("opaque"))
    a.item_bytes = static_cast<uint32_t>(std::stoul(type.substr(6)));
  else
    a.type = dtype_named(name_of_type);
  for (const std::string& n : split(shape, 'x')) a.shape.push_back(std::stoull(n));
  a.has_fill = !fill.empty();
  if (a.has_fill) a.fill_bits = std::stoull(fill, nullptr, 16);
  return a;
}

// A line of options, or a chain "Difference(mode = "zigzag") > RRE(word_size = 4)": what is in
// parentheses is TOML, with semicolons for new lines; stages are named s0, s1, ...
inline Result<Request> GoldenFrame::asked() const {
  if (request.find("preset=") == 0) return Request::from_options(request);
  std::string toml;
  size_t at = 0;
  for (const std::string& stage : split(request, '>')) {
    const size_t open = std::min(stage.find('('), stage.size());
    toml += "[[stage]]\nname = \"s" + std::to_string(at) + "\"\ntype = \"" + stage.substr(0, open) +
            "\"\n";
    const std::string rows =
        open < stage.size() ? stage.substr(open + 1, stage.size() - open - 2) : "";
    if (at > 0 && rows.find("inputs") == std::string::npos)
      toml += "inputs = [{from = \"s" + std::to_string(at - 1) + "\"}]\n";
    for (const std::string& row : split(rows, ';')) toml += row + "\n";
    ++at;
  }
  return Request::from_toml(toml, "frames.txt, " + name);
}

inline std::vector<GoldenFrame> golden_frames(const std::string& folder = kGoldenFolder) {
  std::vector<GoldenFrame> frames;
  std::ifstream in(folder + "frames.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> f = split(line, '|');
    f.resize(7);
    frames.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
  }
  return frames;
}

}  // namespace fzm::testing
