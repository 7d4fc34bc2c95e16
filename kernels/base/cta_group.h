// SerialGroup's verbs for a CUDA block of any multiple of 32 workers up to 1024. Every verb ends with a barrier and
// returns the same value to all workers. Compiles under nvcc and NVRTC, and on the CPU after tests/support/cta_on_cpu.h,
// which stands in for the block.
//
// Scans go twice over the values instead of once with a barrier a tile: each warp sums a run of neighbouring values, one
// barrier, each warp scans its run. So a scan costs two barriers whatever its length, and its `value` is called twice.
#pragma once
#include "kernels/base/serial_group.h"

#if defined(__CUDACC__) || defined(FZM_CTA_ON_CPU)

FZM_CODECS_BEGIN

struct CtaGroup {
  static constexpr uint32_t kLanes = 32;
  static constexpr uint32_t kMostWarps = 32;
  static constexpr uint32_t kMostReduceBytes = 64;
  static constexpr uint32_t kSharedBytes = kMostWarps * kMostReduceBytes;

  uint32_t* fault_word;  // in global memory, shared by all blocks of a run; or null
  void* shared;          // kSharedBytes of the block's own, aligned to 16

  template <class F>
  FZM_D void each(uint32_t n, F f) const {
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) f(i);
    __syncthreads();
  }
  template <class F>
  FZM_D void each_item(uint32_t n, F f) const { each(n, f); }

  template <class T, class V, class Op>
  FZM_D T reduce(uint32_t n, T start, V value, Op op) const {
    static_assert(sizeof(T) <= kMostReduceBytes, "larger results belong in scratch");
    T sum = start;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) sum = op(sum, value(i));
    sum = fold_lanes(sum, op);
    T* const of_warp = static_cast<T*>(shared);
    if (lane() == 0) of_warp[warp()] = sum;
    __syncthreads();
    T total = of_warp[0];
    for (uint32_t w = 1; w < warps(); ++w) total = op(total, of_warp[w]);
    __syncthreads();
    return total;
  }
  template <class P>
  FZM_D bool any(uint32_t n, P predicate) const {
    bool hit = false;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) hit |= static_cast<bool>(predicate(i));
    return __syncthreads_or(hit) != 0;
  }
  template <class T, class V, class E>
  FZM_D T offsets(uint32_t n, V value, E emit) const {
    const Run run = run_of_warp(n);
    T own = 0;
    for (uint32_t i = run.first + lane(); i < run.end; i += kLanes) own = static_cast<T>(own + value(i));
    const Sums<T> sums = sums_of_warps(own);
    T before = sums.before;
    for (uint32_t tile = run.first; tile < run.end; tile += kLanes) {
      const uint32_t i = tile + lane();
      const T v = i < run.end ? static_cast<T>(value(i)) : T(0);
      const T up_to_here = lane_sums(v, kLanes);
      if (i < run.end) emit(i, static_cast<T>(before + up_to_here - v));
      before = static_cast<T>(before + from_lane(up_to_here, kLanes - 1));
    }
    __syncthreads();
    return sums.total;
  }
  template <class U>
  FZM_APART FZM_D void prefix_sums(U* a, uint32_t n, uint32_t segment) const {
    // Runs of whole segments need nothing from each other.
    uint32_t length = greatest(ceil_div(n, warps()), 1u);
    const bool whole = segment <= length;
    if (whole) length = ceil_div(length, segment) * segment;
    const Run run = run_of_warp(n, length);
    U carry = whole ? U(0) : segment_before(a, n, segment, length);
    uint32_t at = (run.first + lane()) % segment;  // position in its segment
    for (uint32_t tile = run.first; tile < run.end; tile += kLanes) {
      const uint32_t i = tile + lane();
      U sum = lane_sums(i < run.end ? a[i] : U(0), at);
      if (at > lane()) sum = static_cast<U>(sum + carry);
      if (i < run.end) a[i] = sum;
      carry = from_lane(sum, kLanes - 1);
      at += kLanes % segment;
      if (at >= segment) at -= segment;
    }
    __syncthreads();
  }
  template <class K, class P>
  FZM_D uint32_t compact(uint32_t n, K keep, P put) const {
    return each_ranked(n, keep, [=](uint32_t i, bool kept, uint32_t rank) {
      if (kept) put(i, rank);
    });
  }
  template <class P>
  FZM_D void bitmap(uint32_t n, P predicate, uint8_t* out) const {
    for (uint32_t tile = warp() * kLanes; tile < n; tile += blockDim.x) {
      const uint32_t i = tile + lane();
      const uint32_t bits = __ballot_sync(kAll, i < n && predicate(i));
      if (lane() < 4 && tile + 8 * lane() < n) out[tile / 8 + lane()] = static_cast<uint8_t>(bits >> (8 * lane()));
    }
    __syncthreads();
  }
  FZM_APART FZM_D void copy(uint8_t* to, const uint8_t* from, uint32_t bytes) const {
    copy_by_words(to, from, bytes, threadIdx.x, blockDim.x);
    __syncthreads();
  }
  FZM_APART FZM_D void clear(uint8_t* to, uint32_t bytes) const {
    const uint32_t head = least(to_boundary(to, sizeof(Quad)), bytes), quads = (bytes - head) / static_cast<uint32_t>(sizeof(Quad));
    const uint32_t tail = head + quads * static_cast<uint32_t>(sizeof(Quad));
    for (uint32_t i = threadIdx.x; i < quads; i += blockDim.x) reinterpret_cast<Quad*>(to + head)[i] = Quad{};
    for (uint32_t i = threadIdx.x; i < head; i += blockDim.x) to[i] = 0;
    for (uint32_t i = tail + threadIdx.x; i < bytes; i += blockDim.x) to[i] = 0;
    __syncthreads();
  }

  // A warp takes 32 values at a time: a ballot is 4 bytes of a plane, and lane p keeps plane p's.
  template <class U, class J>
  FZM_D void planes(const U* v, uint32_t jobs, J job, uint8_t* out) const {
    each_tile(jobs, job, [=, this](const PlaneJob& o, uint32_t tile) {
      const uint32_t k = kLanes * tile + lane(), stride = ceil_div(o.values, 8);
      const U value = k < o.values ? v[o.first + k] : U(0);
      for (uint32_t low = 0; low < o.planes; low += kLanes) {
        const uint32_t bits = static_cast<uint32_t>(value >> low), n = least(o.planes - low, kLanes);
        uint32_t mine = 0;
        for (uint32_t p = 0; p < n; ++p) {
          const uint32_t plane = __ballot_sync(kAll, (bits >> p) & 1);
          if (lane() == p) mine = plane;
        }
        if (lane() >= n) continue;
        uint8_t* const to = out + o.at + (low + lane()) * stride + 4 * tile;
        const uint32_t live = least(stride - 4 * tile, 4u);
        for (uint32_t j = 0; j < live; ++j) to[j] = static_cast<uint8_t>(mine >> (8 * j));
      }
    });
    __syncthreads();
  }
  // Lane p fetches plane p's 4 bytes of 32 values; then each lane gathers its own bit of every plane.
  template <class U, class J>
  FZM_D void unplanes(const uint8_t* in, uint32_t jobs, J job, U* v) const {
    each_tile(jobs, job, [=, this](const PlaneJob& o, uint32_t tile) {
      const uint32_t k = kLanes * tile + lane(), stride = ceil_div(o.values, 8);
      U value = 0;
      for (uint32_t low = 0; low < o.planes; low += kLanes) {
        const uint32_t n = least(o.planes - low, kLanes);
        uint32_t plane = 0;
        if (lane() < n) {
          const uint8_t* const from = in + o.at + (low + lane()) * stride + 4 * tile;
          const uint32_t live = least(stride - 4 * tile, 4u);
          for (uint32_t j = 0; j < live; ++j) plane |= static_cast<uint32_t>(from[j]) << (8 * j);
        }
        for (uint32_t p = 0; p < n; ++p) {
          const uint32_t bit = (from_lane(plane, p) >> lane()) & 1;
          value = static_cast<U>(value | static_cast<U>(static_cast<U>(bit) << (low + p)));
        }
      }
      if (k < o.values) v[o.first + k] = value;
    });
    __syncthreads();
  }

  FZM_D void fault(Fault f) const {
    if (fault_word) atomicOr(fault_word, 1u << static_cast<uint32_t>(f));
  }
  FZM_D void fault_if(bool wrong, Fault f) const {
    if (wrong) fault(f);
  }
  FZM_D void sync() const { __syncthreads(); }
  template <class F>
  FZM_D void once(F f) const {
    if (threadIdx.x == 0) f();
    __syncthreads();
  }

  // A lane folds a short segment, a warp a long one.
  template <class T, class V, class Op, class E>
  FZM_D void fold_segments(uint32_t n, uint32_t segment, T start, V value, Op op, E emit) const {
    const uint32_t segments = ceil_div(n, segment);
    if (segment < kLanes) {
      for (uint32_t s = threadIdx.x; s < segments; s += blockDim.x) {
        const uint32_t first = s * segment, live = least(segment, n - first);
        T sum = start;
        for (uint32_t i = 0; i < live; ++i) sum = op(sum, value(first + i));
        emit(s, sum);
      }
    } else {
      for (uint32_t s = warp(); s < segments; s += warps()) {
        const uint32_t first = s * segment, live = least(segment, n - first);
        T sum = start;
        for (uint32_t i = lane(); i < live; i += kLanes) sum = op(sum, value(first + i));
        sum = fold_lanes(sum, op);
        if (lane() == 0) emit(s, sum);
      }
    }
    __syncthreads();
  }
  template <class U>
  FZM_APART FZM_D void keep(const uint8_t* in, uint32_t n, const uint8_t* bits, uint8_t* out) const {
    each_ranked(n, IsSet{bits}, [=](uint32_t i, bool kept, uint32_t rank) {
      if (kept) store_le<U>(value_at<U>(out, rank), load_le<U>(value_at<U>(in, i)));
    });
  }
  template <class U>
  FZM_APART FZM_D void spread(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) const {
    each_ranked(n, IsSet{bits}, [=](uint32_t i, bool kept, uint32_t rank) {
      store_le<U>(value_at<U>(out, i), kept ? load_le<U>(value_at<U>(in, rank)) : U(0));
    });
  }
  template <class U>
  FZM_APART FZM_D void repeat(const uint8_t* in, const uint8_t* bits, uint32_t n, uint8_t* out) const {
    each_ranked(n, IsSet{bits}, [=](uint32_t i, bool kept, uint32_t rank) {
      store_le<U>(value_at<U>(out, i), load_le<U>(value_at<U>(in - sizeof(U), kept ? rank + 1 : rank)));
    });
  }
  // Eight values are `width` bytes, one worker's.
  template <class U>
  FZM_APART FZM_D void pack_bits(const U* v, uint32_t n, uint32_t width, uint8_t* out) const {
    if (width != 0)
      for (uint32_t k = threadIdx.x; k < ceil_div(n, 8); k += blockDim.x)
        pack_run(v + 8 * k, least(8u, n - 8 * k), width, out + uint64_t{k} * width);
    __syncthreads();
  }
  template <class U>
  FZM_APART FZM_D void unpack_bits(const uint8_t* in, uint32_t n, uint32_t width, U* v) const {
    each(n, [=](uint32_t i) {
      const uint64_t bit = uint64_t{i} * width;
      const uint8_t* const from = in + bit / 8;
      const uint32_t skip = static_cast<uint32_t>(bit % 8), bytes = ceil_div(skip + width, 8);
      uint64_t word = 0;
      for (uint32_t k = 0; k < bytes && k < 8; ++k) word |= static_cast<uint64_t>(from[k]) << (8 * k);
      word >>= skip;
      if (bytes > 8) word |= static_cast<uint64_t>(from[8]) << (64 - skip);
      v[i] = static_cast<U>(width == 0 ? 0 : word & (~0ull >> (64 - width)));
    });
  }
  // A warp takes 32 values, a ballot is their word of a plane; lane p keeps the one that's p-th from the top.
  template <class U, bool LastFirst>
  FZM_APART FZM_D void shuffle_bits(const uint8_t* in, uint32_t values, uint8_t* out) const {
    constexpr uint32_t kWidth = 8 * sizeof(U);
    for (uint32_t group = warp(); group < values / kLanes; group += warps()) {
      const U value = load_le<U>(value_at<U>(in, kLanes * group + lane_of_value<LastFirst>()));
      for (uint32_t top = 0; top < kWidth; top += kLanes) {
        const uint32_t n = least(kWidth, kLanes);
        uint32_t mine = 0;
        for (uint32_t p = 0; p < n; ++p) {
          const uint32_t plane = __ballot_sync(kAll, static_cast<uint32_t>(value >> (kWidth - 1 - top - p)) & 1);
          if (lane() == p) mine = plane;
        }
        if (lane() < n) store_le(out + plane_word<U, LastFirst>(values, top + lane(), group), mine);
      }
    }
    __syncthreads();
  }
  template <class U, bool LastFirst>
  FZM_APART FZM_D void unshuffle_bits(const uint8_t* in, uint32_t values, uint8_t* out) const {
    constexpr uint32_t kWidth = 8 * sizeof(U);
    for (uint32_t group = warp(); group < values / kLanes; group += warps()) {
      U value = 0;
      for (uint32_t top = 0; top < kWidth; top += kLanes) {
        const uint32_t n = least(kWidth, kLanes);
        const uint32_t plane =
            lane() < n ? load_le<uint32_t>(in + plane_word<U, LastFirst>(values, top + lane(), group)) : 0;
        for (uint32_t p = 0; p < n; ++p) {
          const uint32_t bit = (from_lane(plane, p) >> lane()) & 1;
          value = static_cast<U>(value | static_cast<U>(static_cast<U>(bit) << (kWidth - 1 - top - p)));
        }
      }
      store_le<U>(value_at<U>(out, kLanes * group + lane_of_value<LastFirst>()), value);
    }
    __syncthreads();
  }

  // Worker `worker` of `workers` takes its share of a copy; no barrier. Words of 16 bytes where both ends agree on a
  // boundary, else of 4 put together from two of the source, never touching a byte outside.
  FZM_D static void copy_by_words(uint8_t* to, const uint8_t* from, uint32_t bytes, uint32_t worker, uint32_t workers) {
    uint32_t head = 0, tail = 0;  // what lies between goes by words
    if (to_boundary(to, sizeof(Quad)) == to_boundary(from, sizeof(Quad))) {
      head = least(to_boundary(to, sizeof(Quad)), bytes);
      const uint32_t quads = (bytes - head) / static_cast<uint32_t>(sizeof(Quad));
      tail = head + quads * static_cast<uint32_t>(sizeof(Quad));
      const Quad* const source = reinterpret_cast<const Quad*>(from + head);
      for (uint32_t i = worker; i < quads; i += workers) reinterpret_cast<Quad*>(to + head)[i] = source[i];
    } else {
      head = to_boundary(to, sizeof(Word));
      const uint32_t off = to_boundary(from + head, sizeof(Word)) ? 4 - to_boundary(from + head, sizeof(Word)) : 0;
      if (off > head) head += 4;  // the source word of the first one would begin before `from`
      head = least(head, bytes);
      const uint32_t left = bytes - head, words = off ? (left + off) / 4 - ((left + off) / 4 ? 1 : 0) : left / 4;
      tail = head + 4 * words;
      const Word* const source = reinterpret_cast<const Word*>(from + head - (words ? off : 0));
      for (uint32_t i = worker; i < words; i += workers) {
        const uint64_t two = off ? static_cast<uint64_t>(source[i + 1].bits) << 32 | source[i].bits : source[i].bits;
        reinterpret_cast<Word*>(to + head)[i].bits = static_cast<uint32_t>(two >> (8 * off));
      }
    }
    for (uint32_t i = worker; i < head; i += workers) to[i] = from[i];
    for (uint32_t i = tail + worker; i < bytes; i += workers) to[i] = from[i];
  }

 private:
  static constexpr uint32_t kAll = ~0u;
#if defined(__GNUC__)
  struct __attribute__((may_alias)) Word { uint32_t bits; };
  struct __attribute__((may_alias, aligned(16))) Quad { uint32_t bits[4]; };
#else
  struct Word { uint32_t bits; };
  struct alignas(16) Quad { uint32_t bits[4]; };
#endif
  struct IsSet {
    const uint8_t* bits;
    FZM_D bool operator()(uint32_t i) const { return (bits[i / 8] >> (i % 8) & 1) != 0; }
  };
  struct Run { uint32_t first, end; };
  template <class T>
  struct Sums { T before, total; };

  FZM_D static uint32_t lane() { return threadIdx.x % kLanes; }
  FZM_D static uint32_t warp() { return threadIdx.x / kLanes; }
  FZM_D static uint32_t warps() { return blockDim.x / kLanes; }

  template <class U, class Byte>
  FZM_D static Byte* value_at(Byte* array, uint32_t i) { return array + uint64_t{i} * sizeof(U); }
  template <bool LastFirst>
  FZM_D static uint32_t lane_of_value() { return LastFirst ? kLanes - 1 - lane() : lane(); }
  // Where the word of 32 values stands in a shuffled plane, the first plane being the highest.
  template <class U, bool LastFirst>
  FZM_D static uint64_t plane_word(uint32_t values, uint32_t plane, uint32_t group) {
    return uint64_t{plane} * (values / 8) + 4 * word_of_group<U, LastFirst>(group);
  }

  // Bytes from p up to the next multiple of `size`.
  FZM_D static uint32_t to_boundary(const uint8_t* p, uint32_t size) {
    return static_cast<uint32_t>(decltype(sizeof 0)(0) - reinterpret_cast<decltype(sizeof 0)>(p)) & (size - 1);
  }

  // Neighbouring values for each warp, so that a warp's loads stand side by side.
  FZM_D static Run run_of_warp(uint32_t n) { return run_of_warp(n, ceil_div(ceil_div(n, warps()), kLanes) * kLanes); }
  FZM_D static Run run_of_warp(uint32_t n, uint32_t length) {
    const uint64_t first = static_cast<uint64_t>(warp()) * length;
    return {static_cast<uint32_t>(least<uint64_t>(first, n)), static_cast<uint32_t>(least<uint64_t>(first + length, n))};
  }

  // Any trivially copyable T, word by word.
  template <class T, class Move>
  FZM_D static T moved(const T& v, Move move) {
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &v, sizeof(T));
    for (uint32_t& w : words) w = move(w);
    T result;
    __builtin_memcpy(&result, words, sizeof(T));
    return result;
  }
  template <class T>
  FZM_D static T from_lane(const T& v, uint32_t source) {
    return moved(v, [=](uint32_t w) { return __shfl_sync(kAll, w, source); });
  }
  template <class T, class Op>
  FZM_D static T fold_lanes(T v, Op op) {
    for (uint32_t d = kLanes / 2; d > 0; d /= 2) v = op(v, moved(v, [=](uint32_t w) { return __shfl_xor_sync(kAll, w, d); }));
    return v;
  }
  // Inclusive sums over the lanes, each over at most `reach` lanes before its own.
  template <class T>
  FZM_D static T lane_sums(T v, uint32_t reach) {
    for (uint32_t d = 1; d < kLanes; d *= 2) {
      const T up = moved(v, [=](uint32_t w) { return __shfl_up_sync(kAll, w, d); });
      if (lane() >= d && d <= reach) v = static_cast<T>(v + up);
    }
    return v;
  }
  // From every lane's own sum: the sum of the warps before this one, and of all.
  template <class T>
  FZM_D Sums<T> sums_of_warps(T own) const {
    own = fold_lanes(own, [](T a, T b) { return static_cast<T>(a + b); });
    T* const of_warp = static_cast<T*>(shared);
    if (lane() == 0) of_warp[warp()] = own;
    __syncthreads();
    Sums<T> sums{0, 0};
    for (uint32_t w = 0; w < warps(); ++w) {
      if (w == warp()) sums.before = sums.total;
      sums.total = static_cast<T>(sums.total + of_warp[w]);
    }
    return sums;
  }
  // f(i, keep(i), how many are kept before i) for every i; returns how many are kept.
  template <class K, class F>
  FZM_D uint32_t each_ranked(uint32_t n, K keep, F f) const {
    const Run run = run_of_warp(n);
    uint32_t own = 0;
    for (uint32_t i = run.first + lane(); i < run.end; i += kLanes) own += keep(i) ? 1u : 0u;
    const Sums<uint32_t> sums = sums_of_warps(own);
    uint32_t rank = sums.before;
    for (uint32_t tile = run.first; tile < run.end; tile += kLanes) {
      const uint32_t i = tile + lane();
      const bool kept = i < run.end && keep(i);
      const uint32_t all = __ballot_sync(kAll, kept);
      if (i < run.end) f(i, kept, rank + count_ones(all & ((1u << lane()) - 1)));
      rank += count_ones(all);
    }
    __syncthreads();
    return sums.total;
  }
  // Where segments are longer than runs: the sum of the values before this warp's run that belong to its first segment.
  template <class U>
  FZM_D U segment_before(const U* a, uint32_t n, uint32_t segment, uint32_t length) const {
    const Run run = run_of_warp(n, length);
    U own = 0;  // since the last beginning of a segment in the run
    if (run.first < run.end) {
      const uint32_t last = (run.end - 1) / segment * segment;
      for (uint32_t i = greatest(run.first, last) + lane(); i < run.end; i += kLanes) own = static_cast<U>(own + a[i]);
    }
    own = fold_lanes(own, [](U x, U y) { return static_cast<U>(x + y); });
    U* const of_warp = static_cast<U*>(shared);
    if (lane() == 0) of_warp[warp()] = own;
    __syncthreads();
    const uint32_t begin = run.first / segment * segment;
    U sum = 0;
    for (uint32_t w = begin / length; w < warp() && begin < run.first; ++w) sum = static_cast<U>(sum + of_warp[w]);
    return sum;
  }
  // f(job, tile) for every tile of 32 values, one warp each. With few jobs the warps share each; else each takes whole jobs.
  template <class J, class F>
  FZM_D static void each_tile(uint32_t jobs, J job, F f) {
    const bool share = jobs < warps();
    const uint32_t tile_step = share ? warps() : 1, job_step = share ? 1 : warps();
    for (uint32_t i = share ? 0 : warp(); i < jobs; i += job_step) {
      const PlaneJob o = job(i);
      for (uint32_t tile = share ? warp() : 0; kLanes * tile < o.values; tile += tile_step) f(o, tile);
    }
  }
};

FZM_CODECS_END

#endif
