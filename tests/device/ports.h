// One codec's work on one array, as both sides do it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "core/spec/spec.h"
#include "kernels/device/device.h"
#include "tests/support/codec_ports.h"

namespace fzm::test {

// One array, one codec, one cut into blocks.
struct CodecJob {
  const Stage* stage;
  const BlockCode* code;
  uint32_t variant;
  const Object* context;
  const Bytes* in;
  uint32_t inputs, block;

  const void* c() const { return context->data(); }
  uint32_t values() const { return code->out_values ? code->out_values(c()) : inputs; }
  uint32_t blocks() const { return (values() + block - 1) / block; }
  uint32_t count(uint32_t b) const { return std::min(block, values() - b * block); }
  bool has(PortKind kind) const {
    for (const Port& p : stage->outputs)
      if (p.kind == kind) return true;
    return false;
  }
  bool has_array() const { return has(PortKind::array); }
  bool has_piece(uint32_t k) const {
    return k == 0 ? has(PortKind::piece0) || has(PortKind::stream) : has(PortKind::piece1);
  }
  uint64_t array_bytes() const { return has_array() ? uint64_t{values()} * dtype_bytes(code->out) : 0; }
  uint64_t input_bytes() const { return uint64_t{inputs} * dtype_bytes(code->in); }
  uint32_t record_bytes(uint32_t n) const { return code->record_bytes ? code->record_bytes(n, c()) : 0; }
  uint32_t max_piece_bytes(uint32_t k, uint32_t n) const {
    return code->max_piece_bytes && has_piece(k) ? code->max_piece_bytes(k, n, c()) : 0;
  }
  // Bytes of piece k as the records tell them; the list's where there are none.
  uint64_t piece_bytes(const Ports& p, uint32_t k) const;
};

Ports encode_on_host(const CodecJob& job);
Rebuilt decode_on_host(const CodecJob& job, const Ports& ports);

// `error` is a sentence where the device failed or wrote beside its buffers; what is returned is then of no use.
Ports encode_on_device(const CodecJob& job, Device& device, std::string& error);
Rebuilt decode_on_device(const CodecJob& job, const Ports& ports, Device& device, std::string& error);
// The partial of the whole array.
Object observe_on_host(const CodecJob& job);
Object observe_on_device(const CodecJob& job, Device& device, std::string& error);

}  // namespace fzm::test
