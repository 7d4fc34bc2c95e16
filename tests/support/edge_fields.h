// Floats that walk along the edges of a quantizer with this bound and of the coders behind it:
// ties, limits of number formats, every rate, values that escape.
#pragma once
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace fzm::test {

struct EdgeField {
  std::string name;
  std::vector<float> x;
};
inline std::vector<float> field_of(size_t n, const std::function<float(size_t)>& f) {
  std::vector<float> x(n);
  for (size_t i = 0; i < n; ++i) x[i] = f(i);
  return x;
}

inline std::vector<EdgeField> edge_fields(float bound) {
  std::mt19937 rng(7);
  std::normal_distribution<float> gauss;
  const float step = 2 * bound;
  std::vector<EdgeField> all;
  const auto wave = [](size_t i) {
    return std::sin(0.01f * static_cast<float>(i)) + 0.1f * std::sin(0.37f * static_cast<float>(i));
  };
  for (const size_t n :
       {0,   1,   2,   7,    8,    31,   32,   33,   63,   64,   65,   255,  256,  257,
        511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8200, 20000})
    all.push_back({"waves, n = " + std::to_string(n), field_of(n, wave)});
  const size_t n = 9000;
  all.push_back({"zeros", field_of(n, [](size_t) { return 0.0f; })});
  all.push_back({"negative zeros", field_of(n, [](size_t) { return -0.0f; })});
  all.push_back({"constant", field_of(n, [](size_t) { return 3.25f; })});
  all.push_back(
      {"ties", field_of(n, [=](size_t i) { return (static_cast<float>(i % 37) + 0.5f) * step; })});
  all.push_back({"ramp", field_of(n, [=](size_t i) { return static_cast<float>(i) * step * 3; })});
  all.push_back({"parabola", field_of(n, [=](size_t i) {
                   return static_cast<float>(i % 700) * static_cast<float>(i % 700) * step;
                 })});
  all.push_back(
      {"offset", field_of(n, [=](size_t i) { return 1000 * step * 100 + wave(i) * step * 5; })});
  all.push_back(
      {"large offset", field_of(n, [=](size_t i) { return 1.5e6f * step + wave(i) * step * 50; })});
  for (int rate = 1; rate <= 32; ++rate)
    all.push_back({"noise of rate " + std::to_string(rate), field_of(n, [&](size_t) {
                     return gauss(rng) * step * std::exp2(static_cast<float>(rate) - 2);
                   })});
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  for (const size_t every : {3, 100, 5000}) {
    all.push_back({"NaN, one in " + std::to_string(every),
                   field_of(n, [&](size_t i) { return rng() % every ? wave(i) : nan; })});
    all.push_back({"infinities, one in " + std::to_string(every), field_of(n, [&](size_t i) {
                     return rng() % every ? wave(i) : rng() % 2 ? inf : -inf;
                   })});
    all.push_back({"huge, one in " + std::to_string(every),
                   field_of(n, [&](size_t i) { return rng() % every ? wave(i) : 1e30f; })});
  }
  all.push_back({"random bits", field_of(n, [&](size_t) {
                   return std::bit_cast<float>(static_cast<uint32_t>(rng()));
                 })});
  all.push_back({"denormals", field_of(n, [&](size_t) {
                   return std::bit_cast<float>(static_cast<uint32_t>(rng()) & 0x800FFFFFu);
                 })});
  for (const float edge : {4096.0f, 8192.0f, 1048576.0f, 2097152.0f, 4194304.0f, 8388608.0f,
                           16777216.0f, 2147483648.0f})
    for (const float width : {3.0f, 3000.0f})
      all.push_back({"codes near " + std::to_string(edge) + " by " + std::to_string(width),
                     field_of(n, [&](size_t) {
                       return (edge + gauss(rng) * width) * step * (rng() % 64 ? 1.0f : -1.0f);
                     })});
  for (const float jump : {2048.0f, 4096.0f, 32768.0f, 65536.0f, 1048576.0f})
    all.push_back({"jumps of " + std::to_string(jump), field_of(n, [&](size_t i) {
                     return (static_cast<float>(i / 50 % 2) * jump + gauss(rng)) * step;
                   })});
  for (const float slope : {4000.0f, 8000.0f, 30000.0f, 60000.0f,
                            700000.0f})  // from where a tile's first value is still small
    all.push_back({"ramps of slope " + std::to_string(slope), field_of(n, [&](size_t i) {
                     return (1e6f + slope * static_cast<float>(i % 256) + gauss(rng) * 50) * step;
                   })});
  all.push_back({"walk", [&] {
                   float at = 0;
                   return field_of(n, [&](size_t) { return at += gauss(rng) * step * 2000; });
                 }()});
  all.push_back({"mostly zero",
                 field_of(n, [&](size_t) { return rng() % 50 ? 0.0f : gauss(rng) * step * 40; })});
  for (int k = 0; k < 30; ++k) {
    const size_t size = rng() % 12000;
    const float wide = std::exp2(static_cast<float>(rng() % 26)),
                odd = static_cast<float>(rng() % 400 + 1);
    all.push_back({"mix " + std::to_string(k), field_of(size, [&](size_t i) {
                     const auto r = rng() % static_cast<uint32_t>(odd * 20);
                     if (r == 0) return nan;
                     if (r == 1) return std::bit_cast<float>(static_cast<uint32_t>(rng()));
                     return (i / 300 % 3 ? wave(i) * 30 : gauss(rng)) * step *
                            (i / 1000 % 2 ? wide : 4.0f);
                   })});
  }
  return all;
}

}  // namespace fzm::test
