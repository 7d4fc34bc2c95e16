// One stage's codecs for the model device, in the emulated CUDA block: the counterpart of kernels/cuda/launch.cuh and
// block_kernels.cuh. Included once per stage, through model_codes.cpp.in.
#pragma once
#include "tests/support/groups.h"

#include <cstring>
#include <vector>

#include "kernels/base/block_work.h"
#include "kernels/base/map.h"
#include "kernels/device/code_of.h"
#include "tests/conformance/model_device.h"

namespace fzm::test {

template <class K>
struct ModelLaunch {
  using C = Context<typename K::Params, typename K::Facts>;
  using Cta = generic::CtaGroup;
  static const C& context(const void* c) { return *static_cast<const C*>(c); }

  // Few blocks at a time, so that they share scratch; more of it than this lies in device memory.
  static constexpr uint32_t kResident = 3, kMostSharedScratch = 16 * 1024;
  static constexpr uint32_t kWorkers = 32;

  static uint32_t scratch_bytes(uint32_t block_values, const C& c) {
    if constexpr (requires { K::scratch_bytes(0u, c); }) return (K::scratch_bytes(block_values, c) + 63) / 64 * 64;
    else return 0;
  }
  static DeviceShape shape(DeviceWork work, uint32_t block_values, const void* c) {
    DeviceShape s;
    s.resident = kResident;
    const uint32_t scratch = work == DeviceWork::decode_pass ? 0 : scratch_bytes(block_values, context(c));
    if (scratch > kMostSharedScratch) s.scratch_bytes = scratch;
    return s;
  }

  // f(group, scratch, first block) by each of the CUDA blocks, the last one first.
  template <class F>
  static void on_grid(const BlockJob& job, const C& c, F f) {
    struct alignas(64) Line {
      uint8_t bytes[64];
    };
    std::vector<Line> shared(job.scratch ? 0 : scratch_bytes(job.block_values, c) / 64 + 1);
    if (!shared.empty()) std::memset(static_cast<void*>(shared.data()), 0xB7, shared.size() * sizeof(Line));
    for (uint32_t r = job.resident; r-- > 0;) {
      uint8_t* const scratch = job.scratch ? job.scratch + r * job.scratch_bytes : reinterpret_cast<uint8_t*>(shared.data());
      in_block(Shape{kWorkers, r}, job.fault, [&](Cta g) {
        f(g, scratch, r);
        return 0;
      });
    }
  }

  static DeviceError encode(const BlockJob& job, const void* context_bytes, Stream stream) {
    return ModelDevice::of(stream).queue([job, c = context(context_bytes)] {
      clear_sizes(job);
      on_grid(job, c, [&](Cta g, uint8_t* scratch, uint32_t first) {
        for (uint32_t b = first; b < job.blocks; b += job.resident) generic::encode_block<K>(g, job, b, scratch, c);
      });
    });
  }
  static DeviceError decode(const BlockJob& job, const void* context_bytes, Stream stream) {
    return ModelDevice::of(stream).queue([job, c = context(context_bytes)] {
      on_grid(job, c, [&](Cta g, uint8_t* scratch, uint32_t first) {
        for (uint32_t b = first; b < job.blocks; b += job.resident) generic::decode_block<K>(g, job, b, scratch, c);
      });
    });
  }
  static DeviceError decode_pass(uint32_t pass, const BlockJob& job, const void* context_bytes, Stream stream) {
    return ModelDevice::of(stream).queue([pass, job, c = context(context_bytes)] {
      on_grid(job, c, [&](Cta g, uint8_t*, uint32_t first) {
        for (uint32_t b = first; b < job.blocks; b += job.resident) generic::decode_pass_block<K>(g, pass, job, b, c);
      });
    });
  }
  static DeviceError measure(const BlockJob& job, const void* context_bytes, Stream stream) {
    return ModelDevice::of(stream).queue([job, c = context(context_bytes)] {
      clear_sizes(job);
      for (uint32_t b = 0; b < job.blocks; ++b) generic::measure_block<K>(job, b, c);
    });
  }
  static DeviceError find_lists(const BlockJob& job, Stream stream) {
    return ModelDevice::of(stream).queue([job] {
      for (uint32_t b = 0; b <= job.blocks; ++b) generic::find_list<K>(job, b);
      bool wrong = false;
      for (uint32_t i = 0; i < job.section_bytes[1] / 4; ++i) wrong |= !generic::is_in_order(job, i);
      if (wrong) *job.fault |= 1u << static_cast<uint32_t>(Fault::bad_index);
    });
  }
  static DeviceError observe(const BlockJob& job, const void* context_bytes, void* partials, Stream stream) {
    return ModelDevice::of(stream).queue([job, partials, c = context(context_bytes)] {
      auto* const all = static_cast<typename K::Partial*>(partials);
      on_grid(job, c, [&](Cta g, uint8_t* scratch, uint32_t first) {
        typename K::Partial sum{};
        for (uint32_t b = first; b < job.blocks; b += job.resident) generic::observe_block<K>(g, job, b, scratch, c, sum);
        if (threadIdx.x == 0) all[first] = sum;
      });
      for (uint32_t r = 1; r < job.resident; ++r) K::merge(all[0], all[r]);
    });
  }

 private:
  static void clear_sizes(const BlockJob& job) {
    for (uint32_t* const size : job.size)
      if (size && job.blocks == 0) *size = 0;
  }
};

template <class... K>
std::span<const DeviceCode> model_codes_of(CodecList<K...>) {
  static const DeviceCode all[] = {code_of<K, ModelLaunch<K>>()...};
  return all;
}

}  // namespace fzm::test
