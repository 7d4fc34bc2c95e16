// RZE, RRE, RAZE and RARE as their definition reads, bit by bit. The codecs are compared with it; it shares no code
// with them.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace fzm::testing {

struct LcRule {
  bool from_previous, packs_rest;
};

class LcModel {
 public:
  LcModel(LcRule rule, uint32_t chunk, uint32_t word) : rule_(rule), chunk_(chunk), word_(word), width_(8 * word) {}

  // Nothing where the chunk is to be stored raw: coded, it would take chunk_size bytes or more.
  std::optional<std::vector<uint8_t>> encode(const std::vector<uint8_t>& in) const {
    const size_t n = in.size() / word_, extra = in.size() % word_;
    std::vector<uint64_t> v(n);
    for (size_t i = 0; i < n; ++i) std::memcpy(&v[i], &in[i * word_], word_);
    const auto before = [&](size_t i) { return rule_.from_previous && i > 0 ? v[i - 1] : 0; };
    std::vector<uint8_t> out;
    uint32_t keep = 0;
    bool all_dropped = true;
    for (size_t i = 0; i < n; ++i) all_dropped = all_dropped && v[i] == before(i);
    if (rule_.packs_rest && !all_dropped) {
      uint64_t best = 0;
      bool any = false;
      for (uint32_t k = 0; k < width_; ++k) {
        uint64_t fits = 0;
        for (size_t i = 0; i < n; ++i) fits += ((v[i] ^ before(i)) >> k) == 0;
        if ((width_ - k) * fits > best) best = (width_ - k) * fits, keep = k, any = true;
      }
      if (!any) return {};  // the verbatim form, which is never shorter than raw for a chunk of chunk_size bytes
    }
    if (!all_dropped) {
      std::vector<bool> full(chunk_ / word_);
      for (size_t i = 0; i < n; ++i) full[i] = ((v[i] ^ before(i)) >> keep) != 0;
      for (size_t i = 0; i < n; ++i)
        if (full[i]) out.insert(out.end(), in.begin() + static_cast<long>(i * word_), in.begin() + static_cast<long>((i + 1) * word_));
      if (rule_.packs_rest) {
        std::vector<bool> low;
        for (size_t i = 0; i < n; ++i)
          for (uint32_t b = 0; b < keep && !full[i]; ++b) low.push_back(v[i] >> b & 1);
        append_bits(out, low);
      }
      std::vector<uint8_t> level;
      append_bits(level, full);
      while (level.size() >= 8) {
        std::vector<bool> changed;
        uint8_t last = 0;
        for (const uint8_t b : level) {
          changed.push_back(b != last);
          if (b != last) out.push_back(b);
          last = b;
        }
        level.clear();
        append_bits(level, changed);
      }
      out.insert(out.end(), level.begin(), level.end());
    }
    out.insert(out.end(), in.end() - static_cast<long>(extra), in.end());
    if (rule_.packs_rest) out.push_back(static_cast<uint8_t>(all_dropped ? width_ + 1 : keep));
    out.push_back(static_cast<uint8_t>(in.size()));
    out.push_back(static_cast<uint8_t>(in.size() >> 8));
    if (out.size() >= chunk_) return {};
    return out;
  }

 private:
  static void append_bits(std::vector<uint8_t>& out, const std::vector<bool>& bits) {
    for (size_t i = 0; i < bits.size(); ++i) {
      if (i % 8 == 0) out.push_back(0);
      out.back() = static_cast<uint8_t>(out.back() | bits[i] << (i % 8));
    }
  }
  LcRule rule_;
  uint32_t chunk_, word_, width_;
};

}  // namespace fzm::testing
