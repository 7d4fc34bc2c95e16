// Little-endian bytes, written and read with care: numbers of fixed width, varints, doubles.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace fzm {

using ConstBytes = std::span<const uint8_t>;

class ByteWriter {
 public:
  template <class U>
  void number(U v) {
    for (size_t i = 0; i < sizeof(U); ++i) bytes_.push_back(static_cast<uint8_t>(static_cast<uint64_t>(v) >> (8 * i)));
  }
  void real(double v) { number(std::bit_cast<uint64_t>(v)); }
  // 7 bits a byte, lowest first, bit 7 = more follow; at most 10 bytes.
  void varint(uint64_t v) {
    for (; v >= 0x80; v >>= 7) bytes_.push_back(static_cast<uint8_t>(v | 0x80));
    bytes_.push_back(static_cast<uint8_t>(v));
  }
  void raw(ConstBytes b) { bytes_.insert(bytes_.end(), b.begin(), b.end()); }
  size_t size() const { return bytes_.size(); }
  std::vector<uint8_t>& bytes() { return bytes_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// Reads past the end give zeros and make failed() true: check once, after a whole record.
class ByteReader {
 public:
  explicit ByteReader(ConstBytes bytes) : bytes_(bytes) {}
  template <class U>
  U number() {
    uint64_t v = 0;
    const ConstBytes b = take(sizeof(U));
    for (size_t i = 0; i < b.size(); ++i) v |= static_cast<uint64_t>(b[i]) << (8 * i);
    return static_cast<U>(v);
  }
  double real() { return std::bit_cast<double>(number<uint64_t>()); }
  // Over-long forms (a last byte of zero) are refused, so that equal content has equal bytes.
  uint64_t varint() {
    uint64_t v = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      const uint8_t b = number<uint8_t>();
      if (shift == 63 && b > 1) break;
      if (b == 0 && shift > 0) break;
      v |= static_cast<uint64_t>(b & 0x7F) << shift;
      if (b < 0x80) return v;
    }
    failed_ = true;
    return 0;
  }
  // An empty span when there are fewer left.
  ConstBytes take(size_t n) {
    if (n > bytes_.size() - at_) {
      failed_ = true;
      at_ = bytes_.size();
      return {};
    }
    const ConstBytes b = bytes_.subspan(at_, n);
    at_ += n;
    return b;
  }
  bool failed() const { return failed_; }
  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }

 private:
  ConstBytes bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace fzm
