#include "kernels/host/targets.h"

#include <cstdlib>
#include <string_view>

namespace fzm {
namespace {

Target best_of_cpu() {
#if defined(__x86_64__)
#if FZM_HAS_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi"))
    return Target::avx512;
#endif
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt"))
    return Target::avx2;
#endif
  return Target::generic;
}

Target asked_for(Target best) {
  const char* const text = std::getenv("FZM_TARGET");
  if (text == nullptr) return best;
  const std::string_view name = text;
  const Target wish = name == "generic" ? Target::generic : name == "avx2" ? Target::avx2 : Target::avx512;
  return wish < best ? wish : best;
}

}  // namespace

Target host_target() {
  static const Target target = asked_for(best_of_cpu());
  return target;
}

}  // namespace fzm
