#include "tests/device/section.h"

namespace fzm::test {

std::vector<Section> pipeline_sections() { return {}; }

}  // namespace fzm::test
