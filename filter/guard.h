// No exception may enter HDF5, which is C.
#pragma once
#include <exception>
#include <new>

#include "filter/messages.h"

namespace fzm::filter {

// The result of `f`, or `failure` and a line on stderr if it throws.
template <class F, class R>
R guarded(F&& f, R failure) noexcept {
  const char* why = "unknown exception";
  try {
    return f();
  } catch (const std::bad_alloc&) {
    why = "out of memory";
  } catch (const std::exception&) {
    why = "exception in the plugin";
  } catch (...) {
  }
  try {
    report(Level::error, why);
  } catch (...) {
    // No memory for the sentence either.
  }
  return failure;
}

}  // namespace fzm::filter
