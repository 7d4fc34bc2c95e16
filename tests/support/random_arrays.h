// Arrays and shapes drawn at random, for tests of single codecs.
#pragma once
#include <cstring>
#include <iterator>
#include <vector>

#include "core/base/dtype.h"
#include "kernels/base/bits.h"
#include "tests/support/random_params.h"

namespace fzm::test {

inline constexpr uint32_t kDataKinds = 6;

// Data of all kinds: 0 smooth, 1 small numbers, 2 bits, 3 mostly zeros, 4 one value, 5 extremes.
template <class T>
std::vector<T> data_of_kind(uint32_t kind, uint32_t n, Random& random) {
  using U = generic::Unsigned<T>;
  std::vector<T> v(n);
  const U extremes[] = {0, static_cast<U>(~U(0)), static_cast<U>(U(1) << (8 * sizeof(T) - 1)),
                        static_cast<U>(static_cast<U>(~U(0)) >> 1), generic::bit_cast<U>(static_cast<T>(1))};
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t bits = uint64_t{random()} << 32 | random();
    T x{};
    switch (kind) {
      case 0: x = static_cast<T>(static_cast<int32_t>(i % 200 < 100 ? i % 200 : 200 - i % 200) + static_cast<int32_t>(bits % 3)); break;
      case 1: x = static_cast<T>(static_cast<int32_t>(bits % 15) - 7); break;
      case 2: x = generic::bit_cast<T>(static_cast<U>(bits)); break;
      case 3: x = bits % 16 ? T(0) : static_cast<T>(bits >> 8 & 127); break;
      case 4: x = static_cast<T>(5); break;
      default: x = generic::bit_cast<T>(extremes[bits % std::size(extremes)]); break;
    }
    if (generic::kIsFloat<T> && kind < 2) x = static_cast<T>(static_cast<double>(x) * 0.37 + static_cast<double>(bits % 1024) * 1e-4);
    v[i] = x;
  }
  return v;
}

inline Extent random_extent(uint32_t values, Random& random) {
  Extent e;
  e.values = e.nx = values;
  const uint32_t rank = 1 + static_cast<uint32_t>(random() % 3);
  for (uint32_t f = 2 + static_cast<uint32_t>(random() % 9); rank > 1 && f < 60; ++f)
    if (values % f == 0) {
      e.rank = 2;
      e.nx = values / f;
      e.ny = f;
      break;
    }
  for (uint32_t f = 2; rank > 2 && e.rank == 2 && f < 12; ++f)
    if (e.nx % f == 0) {
      e.rank = 3;
      e.nx /= f;
      e.nz = f;
      break;
    }
  return e;
}

template <class T>
std::vector<uint8_t> bytes_of_kind(uint32_t kind, uint32_t n, Random& random) {
  const std::vector<T> v = data_of_kind<T>(kind, n, random);
  std::vector<uint8_t> bytes(n * sizeof(T));
  if (n) std::memcpy(bytes.data(), v.data(), bytes.size());
  return bytes;
}
inline std::vector<uint8_t> bytes_of_kind(DType type, uint32_t kind, uint32_t n, Random& random) {
  switch (type) {
    case DType::u8: return bytes_of_kind<uint8_t>(kind, n, random);
    case DType::u16: return bytes_of_kind<uint16_t>(kind, n, random);
    case DType::u32: return bytes_of_kind<uint32_t>(kind, n, random);
    case DType::u64: return bytes_of_kind<uint64_t>(kind, n, random);
    case DType::i8: return bytes_of_kind<int8_t>(kind, n, random);
    case DType::i16: return bytes_of_kind<int16_t>(kind, n, random);
    case DType::i32: return bytes_of_kind<int32_t>(kind, n, random);
    case DType::i64: return bytes_of_kind<int64_t>(kind, n, random);
    case DType::f32: return bytes_of_kind<float>(kind, n, random);
    default: return bytes_of_kind<double>(kind, n, random);
  }
}

}  // namespace fzm::test
