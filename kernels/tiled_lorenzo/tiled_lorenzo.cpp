#include "kernels/tiled_lorenzo/tiled_lorenzo.h"

#include "core/stage/stage.h"
#include "kernels/host/integer_type.h"
#include "kernels/host/targets.h"

FZM_CODES(tiled_lorenzo)

namespace fzm {
namespace {

using P = TiledLorenzoParams;
constexpr uint32_t kMaxTile = 1024;

constexpr Param kRows[] = {
    param<&P::data_type>("data_type", "signed integer type; auto: the input's width"),
    param<&P::tile_x>("tile_x", between(0, 255), "a tile's values along x; all three 0: 64, 8 x 8 or 4 x 4 x 4 by rank"),
    param<&P::tile_y>("tile_y", between(0, 255), "along y; 0 beside another edge: 1"),
    param<&P::tile_z>("tile_z", between(0, 255), "along z; 0 beside another edge: 1"),
    param<&P::dim_x>("dim_x", between(0, UINT32_MAX), "the field's values along x; all three 0: the array's own"),
    param<&P::dim_y>("dim_y", between(0, UINT32_MAX), "along y; 0 beside another dimension: 1"),
    param<&P::dim_z>("dim_z", between(0, UINT32_MAX), "along z; 0 beside another dimension: 1"),
};

std::string by(uint64_t x, uint64_t y, uint64_t z) {
  return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
}

Status check_dimensions(const P& p, const StageInput& input) {
  const bool is_asked = p.dim_x != 0 || p.dim_y != 0 || p.dim_z != 0;
  if (!is_asked || generic::dims_fit(p, input.extent.values)) return {};
  return Status(Code::bad_request, "dim_x, dim_y, dim_z = " + by(p.dim_x, p.dim_y, p.dim_z) + ": the input has " +
                                       std::to_string(input.extent.values) + " values");
}

Status resolve(void* params, const StageInput& input) {
  P& p = *static_cast<P*>(params);
  FZM_TRY(choose_signed("data_type", p.data_type, input.type));
  FZM_TRY(check_dimensions(p, input));
  const generic::Tiling t = generic::tiling_of(p, input.extent);
  if (t.tile_values() > kMaxTile)
    return Status(Code::bad_request, "tile_x, tile_y, tile_z = " + by(t.x, t.y, t.z) + ": a tile holds at most " +
                                         std::to_string(kMaxTile) + " values");
  if (t.tiles() > UINT32_MAX / t.tile_values())
    return Status(Code::too_large, "tile_x, tile_y, tile_z = " + by(t.x, t.y, t.z) + ": filled up to whole tiles, the " +
                                       by(t.nx, t.ny, t.nz) + " field has over 2^32 - 1 values");
  p.tile_x = t.x;
  p.tile_y = t.y;
  p.tile_z = t.z;
  return {};
}

}  // namespace

const Stage& tiled_lorenzo_stage() {
  static constexpr Port outputs[] = {{"output", PortKind::array, DType::unknown, "tile after tile, filled up with zeros"}};
  static const Stage stage = [] {
    Stage s = describe<P, NoFacts>("TiledLorenzo", 25, Role::tile, "tiled_lorenzo",
                                   "integers minus a neighbour inside small tiles", tiled_lorenzo_codes);
    s.params = kRows;
    s.outputs = outputs;
    s.resolve = resolve;
    return s;
  }();
  return stage;
}

}  // namespace fzm
