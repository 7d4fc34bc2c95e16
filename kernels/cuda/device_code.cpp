#include "kernels/device/device_code.h"

#define FZM_STAGE(folder, type) \
  namespace fzm::device { std::span<const DeviceCode> folder##_codes(); }
#include "kernels/stages.def"
#undef FZM_STAGE

namespace fzm {

std::span<const DeviceCode> device_codes(std::string_view folder) {
#define FZM_STAGE(name, type) \
  if (folder == #name) return device::name##_codes();
#include "kernels/stages.def"
#undef FZM_STAGE
  return {};
}

}  // namespace fzm
