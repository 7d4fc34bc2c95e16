#include <algorithm>
#include <cstring>

#include "kernels/base/bits.h"
#include "tests/device/ports.h"

namespace fzm::test {
namespace {

// Aligned to 64, with room behind that may be overwritten.
struct Scratch {
  explicit Scratch(uint64_t bytes) : words((bytes + 192) / 8) {}
  uint8_t* data() {
    const auto at = reinterpret_cast<uintptr_t>(words.data());
    return reinterpret_cast<uint8_t*>(words.data()) + (64 - at % 64) % 64;
  }
  std::vector<uint64_t> words;
};
uint32_t scratch_bytes(const CodecJob& job) {
  return job.code->scratch_bytes ? job.code->scratch_bytes(job.block, job.c()) : 0;
}
uint8_t* records_at(const CodecJob& job, Bytes& records, uint32_t b) {
  return records.data() + (b ? job.record_bytes(b * job.block) : 0);
}

// Where each block's pieces begin, and the last one's end.
std::vector<uint64_t> positions(const CodecJob& job, const Ports& p, uint32_t k) {
  Bytes records = p.records;
  std::vector<uint64_t> at{0};
  for (uint32_t b = 0; b < job.blocks(); ++b) {
    uint64_t end = at.back();
    if (job.code->is_list) {
      const uint32_t entry = k == 0 ? job.code->entry_bytes : 4;
      const uint64_t last = uint64_t{b} * job.block + job.count(b);
      while (end / entry * 4 < p.piece[1].size() && generic::load_le<uint32_t>(p.piece[1].data() + end / entry * 4) < last)
        end += entry;
    } else if (job.code->piece_bytes && job.has_piece(k)) {
      end += job.code->piece_bytes(k, records_at(job, records, b), job.count(b), job.c());
    }
    at.push_back(end);
  }
  return at;
}

}  // namespace

uint64_t CodecJob::piece_bytes(const Ports& p, uint32_t k) const { return positions(*this, p, k).back(); }

Ports encode_on_host(const CodecJob& job) {
  Ports p;
  Scratch array(job.array_bytes()), scratch(scratch_bytes(job));
  p.records.assign(job.record_bytes(job.values()), 0);
  for (uint32_t b = 0; b < job.blocks(); ++b) {
    BlockIo io;
    io.first = b * job.block;
    io.count = job.count(b);
    io.in = job.in->data() + (job.code->is_wide ? 0 : uint64_t{io.first} * dtype_bytes(job.code->in));
    io.out = job.has_array() ? array.data() + uint64_t{io.first} * dtype_bytes(job.code->out) : nullptr;
    io.records = records_at(job, p.records, b);
    io.scratch = scratch.data();
    Bytes piece[kMaxPieces];
    for (uint32_t k = 0; k < kMaxPieces; ++k) {
      piece[k].resize(job.max_piece_bytes(k, io.count) + 64);
      io.piece[k] = piece[k].data();
    }
    uint32_t fault = 0;
    const Pieces written = job.code->encode(io, job.c(), &fault);
    for (uint32_t k = 0; k < kMaxPieces; ++k)
      p.piece[k].insert(p.piece[k].end(), piece[k].begin(), piece[k].begin() + written.bytes[k]);
  }
  p.array.assign(array.data(), array.data() + job.array_bytes());
  return p;
}

Rebuilt decode_on_host(const CodecJob& job, const Ports& p) {
  Rebuilt r;
  Scratch out(job.input_bytes()), array(job.array_bytes()), scratch(scratch_bytes(job));
  if (!p.array.empty()) std::memcpy(array.data(), p.array.data(), p.array.size());
  Ports own = p;
  if (job.code->decode_passes) {
    BlockIo io;
    io.count = job.inputs;
    io.in = array.data();
    io.out = out.data();
    for (uint32_t pass = 0; pass < job.code->decode_passes(job.c()); ++pass)
      for (uint32_t b = 0; b < job.code->decode_blocks(pass, job.c()); ++b)
        job.code->decode_pass(pass, b, io, job.c(), &r.fault);
  } else {
    const std::vector<uint64_t> at[kMaxPieces] = {positions(job, p, 0), positions(job, p, 1)};
    for (uint32_t b = 0; b < job.blocks(); ++b) {
      BlockIo io;
      io.first = b * job.block;
      io.count = job.count(b);
      io.in = job.has_array() ? array.data() + uint64_t{io.first} * dtype_bytes(job.code->out) : nullptr;
      io.out = out.data() + (job.code->is_wide ? 0 : uint64_t{io.first} * dtype_bytes(job.code->in));
      io.records = records_at(job, own.records, b);
      io.scratch = scratch.data();
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        io.piece[k] = own.piece[k].data() + at[k][b];
        io.piece_bytes[k] = static_cast<uint32_t>(at[k][b + 1] - at[k][b]);
      }
      job.code->decode(io, job.c(), &r.fault);
    }
  }
  r.array.assign(out.data(), out.data() + job.input_bytes());
  return r;
}

Object observe_on_host(const CodecJob& job) {
  Object partial(job.code->partial_bytes, job.code->start_partial);
  BlockIo io;
  io.count = job.inputs;
  io.in = job.in->data();
  job.code->observe(io, job.c(), partial.data());
  return partial;
}

}  // namespace fzm::test
