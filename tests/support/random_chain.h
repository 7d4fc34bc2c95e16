// Pipelines of stages that were never meant for each other.
#pragma once
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/shape.h"

namespace fzm::test {

// A chain of stages drawn at random, as pipeline file; lossless unless it begins with a quantizer.
inline std::string random_chain(std::mt19937& random, bool lossy) {
  const auto pick = [&](std::initializer_list<const char*> list) { return std::string(*(list.begin() + static_cast<size_t>(random()) % list.size())); };
  std::vector<std::string> stages;
  if (random() % 3 == 0) stages.push_back("type = \"Mask\"\n");
  if (lossy) stages.push_back("type = \"Quantizer\"\nerror_bound_mode = \"abs\"\nerror_bound = 0.01\n" +
                              pick({"linear_mode = true\n", "inplace_outliers = true\nquant_radius = 4194304\n", "zigzag_codes = true\n", "zigzag_codes = false\n"}));
  const uint32_t middle = static_cast<uint32_t>(random() % 3);
  for (uint32_t i = 0; i < middle; ++i)
    stages.push_back(pick({"type = \"Lorenzo\"\nblock_size = 32\n", "type = \"Lorenzo\"\nblock_size = 128\norder = 2\n", "type = \"Lorenzo\"\n",
                           "type = \"Lorenzo\"\nblock_size = 64\ncentering = true\n", "type = \"TiledLorenzo\"\n", "type = \"AdaptiveLorenzo\"\n",
                           "type = \"AdaptiveLorenzo\"\nblocks_per_tile = 3\n", "type = \"Difference\"\nmode = \"negabinary\"\nchunk_size = 4096\n",
                           "type = \"Difference\"\nmode = \"plain\"\n", "type = \"Difference\"\nmode = \"zigzag\"\nchunk_size = 16384\n", "type = \"Zigzag\"\n",
                           "type = \"Negabinary\"\n", "type = \"Bitshuffle\"\n", "type = \"Bitshuffle\"\nblock_size = 8192\n"}));
  stages.push_back(pick({"type = \"RZE\"\n", "type = \"RRE\"\nword_size = 2\nchunk_size = 4096\n", "type = \"RAZE\"\nword_size = 4\n",
                         "type = \"RARE\"\nword_size = 8\nchunk_size = 8192\n", "type = \"AdaptiveBitpack\"\n",
                         "type = \"AdaptiveBitpack\"\nblock_size = 64\noutlier_selection = true\n", "type = \"AdaptiveBitpack\"\nblock_size = 96\n"}));
  if (random() % 4 == 0) stages.push_back(pick({"type = \"RZE\"\n", "type = \"RRE\"\nword_size = 4\n", "type = \"RARE\"\n"}));
  std::string text;
  for (size_t i = 0; i < stages.size(); ++i) {
    text += "[[stage]]\nname = \"s" + std::to_string(i) + "\"\n" + stages[i];
    text += i == 0 ? "inputs = [{from = \"__external__\"}]\n" : "inputs = [{from = \"s" + std::to_string(i - 1) + "\"}]\n";
  }
  return text;
}

// A chain and an array for it; `shapes` and `fields` are drawn from.
struct ChainCase {
  std::string text;
  DType type;
  Shape shape;
  std::string field;
};
inline ChainCase random_chain_case(std::mt19937& random, bool lossy, const std::vector<Shape>& shapes, const std::vector<std::string>& fields) {
  ChainCase c;
  c.text = random_chain(random, lossy);
  const bool is_real = lossy && random() % 2;
  c.type = is_real ? (random() % 2 ? DType::f32 : DType::f64) : static_cast<DType>(random() % (static_cast<uint32_t>(DType::f64) + 1));
  c.shape = shapes[random() % shapes.size()];
  c.field = fields[random() % fields.size()];
  return c;
}

}  // namespace fzm::test
