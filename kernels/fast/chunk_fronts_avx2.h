// What goes into a chunk: the numbers before the differences, and how differences are spelled.
#pragma once
#if defined(__AVX2__)
#include "kernels/fast/chunk_avx2.h"
#include "kernels/fast/escapes_avx2.h"
#include "kernels/fast/slow_range.h"

namespace fzm::fast {
namespace {

// How a difference is spelled.
struct Negabinary {
  static V forward(V d) {
    const V m = all(static_cast<int32_t>(0xAAAAAAAA));
    return _mm256_xor_si256(_mm256_add_epi32(d, m), m);
  }
  static V inverse(V u) {
    const V m = all(static_cast<int32_t>(0xAAAAAAAA));
    return _mm256_sub_epi32(_mm256_xor_si256(u, m), m);
  }
};
struct Zigzag {
  static V forward(V d) {
    return _mm256_xor_si256(_mm256_add_epi32(d, d), _mm256_srai_epi32(d, 31));
  }
  static V inverse(V u) {
    return _mm256_xor_si256(_mm256_srli_epi32(u, 1),
                            _mm256_sub_epi32(zero(), _mm256_and_si256(u, all(1))));
  }
};
struct Plain {
  static V forward(V d) { return d; }
  static V inverse(V u) { return u; }
};

// --- fronts: the numbers whose differences are taken ---

struct Quantized {
  static constexpr uint32_t kStage = 1;  // of the Difference
  using Q = FZM_TARGET::UniformQuantizer<float, uint32_t, FZM_TARGET::Spelling::inplace>;

  explicit Quantized(GroupIo& io)
      : io_(io),
        grid_(Q::grid_of(context(io))),
        list_(escapes_of(io.stage[0])),
        radius_(static_cast<uint32_t>(context(io).params.quant_radius)) {}
  static const Q::C& context(const GroupIo& io) {
    return *static_cast<const Q::C*>(io.stage[0].context);
  }

  void begin(uint32_t at) {
    at_ = at;
    fits_ = true;
    list_ = escapes_of(io_.stage[0]);
  }
  bool finish() {
    if (fits_) keep_escapes(io_.stage[0], list_);
    return fits_;
  }
  // Values i .. i+7 of the chunk. `home` is the front that this one is a copy of (whose numbers
  // then stay in registers).
  V code(uint32_t i, Quantized& home) const {
    const float* const x = static_cast<const float*>(io_.in) + at_ + i;
    const __m256 f = _mm256_loadu_ps(x);
    const V q = _mm256_cvtps_epi32(_mm256_mul_ps(f, _mm256_set1_ps(grid_.inverse)));
    const __m256 error = magnitudes(
        _mm256_sub_ps(f, _mm256_mul_ps(_mm256_cvtepi32_ps(q), _mm256_set1_ps(grid_.step))));
    const __m256 hit =
        _mm256_and_ps(_mm256_cmp_ps(error, _mm256_set1_ps(grid_.bound), _CMP_LE_OQ),
                      _mm256_cmp_ps(magnitudes(f), _mm256_set1_ps(grid_.quick), _CMP_LT_OQ));
    const V z = Zigzag::forward(q);
    const uint32_t missed = static_cast<uint32_t>(_mm256_movemask_ps(hit)) ^ 255;
    return __builtin_expect(missed != 0, 0) ? home.exact(x, i, z, missed) : z;
  }

  void put_values(uint32_t at, uint32_t i, V code) const {
    const V half = _mm256_srli_epi32(code, 1),
            raw = _mm256_cmpgt_epi32(half, all(static_cast<int32_t>(radius_) - 1));
    const __m256 value =
        _mm256_mul_ps(_mm256_cvtepi32_ps(Zigzag::inverse(code)), _mm256_set1_ps(grid_.step));
    _mm256_storeu_ps(static_cast<float*>(io_.out) + at + i,
                     _mm256_blendv_ps(value, _mm256_castsi256_ps(code), _mm256_castsi256_ps(raw)));
  }
  void end_chunk(uint32_t at, ReadCursor& cursor) {
    put_escapes(io_, at, kChunkValues, cursor.piece[0]);
  }
  void end_range(ReadCursor& cursor) { check_escapes(io_, cursor.piece[0]); }

 private:
  __attribute__((noinline)) V exact(const float* x, uint32_t i, V z, uint32_t missed) {
    alignas(32) uint32_t code[8];
    store(code, z);
    for (; missed != 0; missed &= missed - 1) {
      const uint32_t k = static_cast<uint32_t>(__builtin_ctz(missed));
      const FZM_TARGET::Quantized r = FZM_TARGET::quantize(x[k], grid_);
      const uint32_t raw = get<uint32_t>(x + k);
      if (r.kept)
        code[k] = FZM_TARGET::zigzag(static_cast<int32_t>(r.q));
      else if (raw >= 2 * radius_)
        code[k] = raw;
      else {
        code[k] = 0;
        if (list_.entries == list_.room) {
          fits_ = false;
          break;
        }
        put(list_.values + 4 * list_.entries, x[k]);
        put(list_.indices + 4 * list_.entries, io_.first + at_ + i + k);
        ++list_.entries;
      }
    }
    return load(code);
  }

  GroupIo& io_;
  Grid grid_;
  EscapeSink list_;
  uint32_t radius_, at_ = 0;
  bool fits_ = true;
};

struct Whole {
  static constexpr uint32_t kStage = 0;
  explicit Whole(GroupIo& io)
      : in_(static_cast<const uint32_t*>(io.in)), out_(static_cast<uint32_t*>(io.out)) {}
  void begin(uint32_t at) { at_ = at; }
  bool finish() { return true; }
  V code(uint32_t i, Whole&) const { return load(in_ + at_ + i); }
  void put_values(uint32_t at, uint32_t i, V code) const { store(out_ + at + i, code); }
  void end_chunk(uint32_t, ReadCursor&) {}
  void end_range(ReadCursor&) {}

 private:
  const uint32_t* in_;
  uint32_t* out_;
  uint32_t at_ = 0;
};

}  // namespace
}  // namespace fzm::fast
#endif
