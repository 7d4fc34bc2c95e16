#include "filter/messages.h"

#include <cstdio>

#include "filter/h5z_fzm_plugin.h"

namespace fzm::filter {

namespace {

// Plain memory: a destructor at thread exit would outlive the plugin's unloading.
thread_local char last_error[512] = "";

}  // namespace

void keep_error(const std::string& sentence) noexcept {
  std::snprintf(last_error, sizeof last_error, "%s", sentence.c_str());
}

void report(Level level, const std::string& sentence) noexcept {
  if (level == Level::error) keep_error(sentence);
  notice(level, sentence);
}

}  // namespace fzm::filter

extern "C" const char* H5Z_FZM_last_error(void) {
  return fzm::filter::last_error;
}
