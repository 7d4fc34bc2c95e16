// A codec's DeviceCode, from functions that do the work on some device.
#pragma once
#include "kernels/device/device_code.h"

namespace fzm {

// L has C, a Context of codec K, and a function for every member of DeviceCode that K has.
template <class K, class L>
DeviceCode code_of() {
  using C = typename L::C;
  DeviceCode d;
  d.shape = L::shape;
  d.encode = L::encode;
  d.decode = L::decode;
  if constexpr (requires(const C& c, const uint8_t* r) { K::piece_bytes(0u, r, 0u, c); }) d.measure = L::measure;
  if constexpr (requires { K::kList; }) d.find_lists = L::find_lists;
  if constexpr (requires { typename K::Partial; }) d.observe = L::observe;
  if constexpr (requires(const C& c) { K::decode_passes(c); }) d.decode_pass = L::decode_pass;
  return d;
}

}  // namespace fzm
