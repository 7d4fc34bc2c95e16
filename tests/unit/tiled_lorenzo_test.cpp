#include "kernels/tiled_lorenzo/tiled_lorenzo.h"

#include "tests/support/round_trip.h"

namespace fzm {
namespace {

using namespace testing;

const Stage& tiled_lorenzo() { return *find_stage("TiledLorenzo"); }

struct Tile { uint32_t x, y, z; };

// The definition, value by value.
template <class T>
std::vector<T> expected(const std::vector<T>& v, const Extent& e, Tile t) {
  using U = std::make_unsigned_t<T>;
  std::vector<T> out;
  const auto at = [&](uint32_t x, uint32_t y, uint32_t z) { return static_cast<U>(v[(size_t{z} * e.ny + y) * e.nx + x]); };
  for (uint32_t z0 = 0; z0 < e.nz; z0 += t.z)
    for (uint32_t y0 = 0; y0 < e.ny; y0 += t.y)
      for (uint32_t x0 = 0; x0 < e.nx; x0 += t.x)
        for (uint32_t z = z0; z < z0 + t.z; ++z)
          for (uint32_t y = y0; y < y0 + t.y; ++y)
            for (uint32_t x = x0; x < x0 + t.x; ++x) {
              U d = 0;
              if (x < e.nx && y < e.ny && z < e.nz) {
                d = at(x, y, z);
                if (x > x0) d = static_cast<U>(d - at(x - 1, y, z));
                else if (y > y0) d = static_cast<U>(d - at(x, y - 1, z));
                else if (z > z0) d = static_cast<U>(d - at(x, y, z - 1));
              }
              out.push_back(static_cast<T>(d));
            }
  return out;
}

template <class T>
void expect_tiles(const Extent& e, Tile asked, Tile got, int kind) {
  OneStage stage(tiled_lorenzo(), kDType<T>, e);
  stage.set("tile_x", std::to_string(asked.x)).set("tile_y", std::to_string(asked.y)).set("tile_z", std::to_string(asked.z));
  ASSERT_TRUE(stage.resolve().ok());
  const Bytes in = numbers(sizeof(T), e.values, kind);
  const Coded coded = expect_round_trip<generic::TiledLorenzoVariants>(tiled_lorenzo(), stage, in);
  EXPECT_TRUE(coded.array == bytes_of(expected(values_of<T>(in), e, got))) << e.nx << 'x' << e.ny << 'x' << e.nz;
}
template <class T>
void expect_automatic_tiles(int kind) {
  for (const uint32_t n : kSizes) expect_tiles<T>(line(n), {0, 0, 0}, {64, 1, 1}, kind);
  for (const Extent& e : {plane(8, 8), plane(2, 3), plane(7, 33), plane(33, 64), plane(64, 100)})
    expect_tiles<T>(e, {0, 0, 0}, {8, 8, 1}, kind);
  for (const Extent& e : {volume(4, 4, 4), volume(2, 3, 2), volume(5, 6, 7), volume(17, 9, 31), volume(8, 16, 40)})
    expect_tiles<T>(e, {0, 0, 0}, {4, 4, 4}, kind);
}

TEST(TiledLorenzo, tiles_by_rank_come_back) {
  for (int kind = 0; kind < kKinds; ++kind) {
    expect_automatic_tiles<int8_t>(kind);
    expect_automatic_tiles<int16_t>(kind);
    expect_automatic_tiles<int32_t>(kind);
    expect_automatic_tiles<int64_t>(kind);
  }
}
TEST(TiledLorenzo, tiles_of_any_shape_come_back) {
  expect_tiles<int32_t>(plane(50, 70), {16, 16, 1}, {16, 16, 1}, 0);
  expect_tiles<int32_t>(plane(50, 70), {3, 5, 0}, {3, 5, 1}, 1);
  expect_tiles<int32_t>(plane(50, 70), {1, 0, 0}, {1, 1, 1}, 1);
  expect_tiles<int32_t>(plane(50, 70), {0, 7, 0}, {1, 7, 1}, 1);
  expect_tiles<int32_t>(volume(11, 12, 13), {8, 8, 8}, {8, 8, 8}, 1);
  expect_tiles<int32_t>(volume(11, 12, 13), {8, 8, 1}, {8, 8, 1}, 1);
  expect_tiles<int32_t>(line(1000), {255, 0, 0}, {255, 1, 1}, 1);
  expect_tiles<int32_t>(line(100), {8, 8, 1}, {8, 8, 1}, 1);
}

TEST(TiledLorenzo, dims_of_its_own_replace_the_shape) {
  OneStage stage(tiled_lorenzo(), DType::i32, line(600));
  ASSERT_TRUE(stage.set("dim_x", "20").set("dim_y", "30").resolve().ok());
  const Bytes in = numbers(4, 600, 0);
  const Coded coded = expect_round_trip<generic::TiledLorenzoVariants>(tiled_lorenzo(), stage, in);
  EXPECT_TRUE(coded.array == bytes_of(expected(values_of<int32_t>(in), plane(30, 20), {8, 8, 1})));
}

TEST(TiledLorenzo, example_of_the_page) {
  OneStage stage(tiled_lorenzo(), DType::i16, plane(3, 3));
  ASSERT_TRUE(stage.set("tile_x", "2").set("tile_y", "2").resolve().ok());
  const Coded coded = stage.encode(bytes_of(std::vector<int16_t>{5, 6, 8, 7, 7, 9, 1, 2, 4}), 4096);
  EXPECT_EQ(values_of<int16_t>(coded.array), (std::vector<int16_t>{5, 1, 2, 0, 8, 0, 1, 0, 1, 1, 0, 0, 4, 0, 0, 0}));
}

TEST(TiledLorenzo, what_does_not_fit_is_refused_by_name) {
  OneStage dims(tiled_lorenzo(), DType::i32, line(600));
  EXPECT_EQ(dims.set("dim_x", "20").resolve().message(), "dim_x, dim_y, dim_z = 20 x 0 x 0: the input has 600 values");
  OneStage tile(tiled_lorenzo(), DType::i32, plane(600, 600));
  EXPECT_EQ(tile.set("tile_x", "255").set("tile_y", "5").resolve().message(),
            "tile_x, tile_y, tile_z = 255 x 5 x 1: a tile holds at most 1024 values");
  OneStage large(tiled_lorenzo(), DType::i8, line(4000000000u));
  EXPECT_EQ(large.set("tile_y", "2").resolve().message(),
            "tile_x, tile_y, tile_z = 1 x 2 x 1: filled up to whole tiles, the 4000000000 x 1 x 1 field has over 2^32 - 1 values");
}

}  // namespace
}  // namespace fzm
