// One stage on one array, with no plan and no frame: what the runner does for it, in the simplest way, in blocks of any
// size. For unit tests of codecs.
#pragma once
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/stage/stage.h"

namespace fzm::testing {

using Bytes = std::vector<uint8_t>;

template <class T>
Bytes bytes_of(const std::vector<T>& v) {
  Bytes b(v.size() * sizeof(T));
  if (!b.empty()) std::memcpy(b.data(), v.data(), b.size());
  return b;
}
template <class T>
std::vector<T> values_of(const Bytes& b) {
  std::vector<T> v(b.size() / sizeof(T));
  if (!v.empty()) std::memcpy(v.data(), b.data(), v.size() * sizeof(T));
  return v;
}

struct Coded {
  Bytes array, records, piece[kMaxPieces];
  bool operator==(const Coded&) const = default;
};

class OneStage {
 public:
  OneStage(const Stage& stage, DType type, const Extent& extent)
      : stage_(stage), input_{type, extent}, params_(stage.params_bytes), facts_(stage.facts_bytes), context_(stage.context_bytes) {
    stage.init_params(params_.data());
    stage.init_facts(facts_.data());
  }
  OneStage& set(std::string_view key, std::string_view text) {
    for (const Param& row : stage_.params)
      if (row.name == key) {
        const Result<ParamValue> v = from_text(row, text);
        if (!v.ok()) throw std::runtime_error(v.status().message());
        row.set(params_.data(), *v);
        return *this;
      }
    throw std::runtime_error("no such key: " + std::string(key));
  }
  void* params() { return params_.data(); }
  void* facts() { return facts_.data(); }
  ParamValue fact(std::string_view name) const {
    for (const Param& row : stage_.facts)
      if (row.name == name) return row.get(facts_.data());
    throw std::runtime_error("no such fact: " + std::string(name));
  }

  Status resolve() {
    if (stage_.resolve) FZM_TRY(stage_.resolve(params_.data(), input_));
    code_ = nullptr;
    // As the plan does: the type itself, else unsigned, else any integers of its width.
    for (int rule = 0; rule < 3 && !code_; ++rule)
      for (const BlockCode& c : stage_.codes()) {
        const bool same_width = is_integer(c.in) && dtype_bytes(c.in) == dtype_bytes(input_.type);
        const bool fits = rule == 0 ? c.in == input_.type : same_width && (rule == 2 || is_unsigned_integer(c.in));
        if (!code_ && fits && (!c.accepts || c.accepts(params_.data()))) code_ = &c;
      }
    return code_ ? Status() : Status(Code::unsupported_type, "no variant");
  }
  // Another build of the same codec, as one whose group works in a hostile order.
  void use(const BlockCode& code) { code_ = &code; }
  const BlockCode& code() const { return *code_; }

  // Observes in blocks of about `cut` values, last block first, and concludes.
  Status observe(const Bytes& in, uint32_t cut) {
    if (!stage_.conclude) return {};
    if (stage_.needs_observe && !stage_.needs_observe(params_.data()))
      return stage_.conclude(params_.data(), nullptr, input_, facts_.data());
    Bytes total(code_->partial_bytes), one(code_->partial_bytes);
    code_->start_partial(total.data());
    const auto blocks = cut_into(cut);
    for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) {
      code_->start_partial(one.data());
      BlockIo io = *b;
      io.in = in.data() + size_t{io.first} * dtype_bytes(code_->in);
      Bytes scratch = room();
      io.scratch = aligned(scratch);
      code_->observe(io, context(), one.data());
      code_->merge(total.data(), one.data());
    }
    return stage_.conclude(params_.data(), total.data(), input_, facts_.data());
  }

  Coded encode(const Bytes& in, uint32_t cut) {
    Coded coded;
    const uint32_t out_bytes = dtype_bytes(code_->out);
    for (BlockIo io : cut_into(cut)) {
      Bytes out(size_t{io.count} * out_bytes), records(record_bytes(io.count));
      // Exactly as long as promised, so that a sanitizer sees a codec that writes more.
      Bytes piece[kMaxPieces];
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        piece[k].resize(code_->max_piece_bytes ? code_->max_piece_bytes(k, io.count, context()) : 0);
        io.piece[k] = piece[k].data();
      }
      const Bytes own = code_->is_wide ? Bytes() : part(in, io, code_->in);
      Bytes scratch = room(io.count);
      io.in = code_->is_wide ? in.data() : own.data();
      io.out = out.data();
      io.records = records.data();
      io.scratch = aligned(scratch);
      uint32_t fault = 0;
      const Pieces sizes = code_->encode(io, context(), &fault);
      coded.array.insert(coded.array.end(), out.begin(), out.end());
      coded.records.insert(coded.records.end(), records.begin(), records.end());
      for (uint32_t k = 0; k < kMaxPieces; ++k)
        coded.piece[k].insert(coded.piece[k].end(), piece[k].begin(), piece[k].begin() + sizes.bytes[k]);
    }
    return coded;
  }

  // `fault` gets the fault word. Sizes from records are held to what is there, as the runner does.
  Bytes decode(const Coded& coded, uint32_t cut, uint32_t* fault) {
    *fault = 0;
    if (code_->decode_passes) return sweep(coded, fault);
    Bytes all, wide(code_->is_wide ? size_t{input_.extent.values} * dtype_bytes(code_->in) : 0, 0xEE);
    size_t record_at = 0, piece_at[kMaxPieces] = {};
    for (BlockIo io : cut_into(cut)) {
      Bytes out(size_t{io.count} * dtype_bytes(code_->in), 0xEE);
      const Bytes own = part(coded.array, io, code_->out);
      Bytes records(coded.records.begin() + static_cast<ptrdiff_t>(record_at),
                    coded.records.begin() + static_cast<ptrdiff_t>(record_at + record_bytes(io.count)));
      record_at += records.size();
      Bytes piece[kMaxPieces];
      for (uint32_t k = 0; k < kMaxPieces; ++k) {
        size_t from = piece_at[k], n = 0;
        if (code_->is_list) {
          const size_t size = k == 0 ? code_->entry_bytes : 4;
          from = entry_at(coded, io.first) * size;
          n = entry_at(coded, uint64_t{io.first} + io.count) * size - from;
        } else if (code_->piece_bytes) {
          n = code_->piece_bytes(k, records.data(), io.count, context());
        }
        from = std::min(from, coded.piece[k].size());
        n = std::min(n, coded.piece[k].size() - from);
        piece[k].assign(coded.piece[k].begin() + static_cast<ptrdiff_t>(from),
                        coded.piece[k].begin() + static_cast<ptrdiff_t>(from + n));
        piece_at[k] = from + n;
        io.piece[k] = piece[k].data();
        io.piece_bytes[k] = static_cast<uint32_t>(n);
      }
      Bytes scratch = room(io.count);
      io.in = own.data();
      io.out = code_->is_wide ? wide.data() : out.data();
      io.records = records.data();
      io.scratch = aligned(scratch);
      code_->decode(io, context(), fault);
      if (!code_->is_wide) all.insert(all.end(), out.begin(), out.end());
    }
    return code_->is_wide ? wide : all;
  }

  const void* context() {
    stage_.make_context(params_.data(), facts_.data(), input_.extent, context_.data());
    return context_.data();
  }

 private:
  uint32_t record_bytes(uint32_t count) { return code_->record_bytes ? code_->record_bytes(count, context()) : 0; }
  Bytes room(uint32_t count = 0) { return Bytes((code_->scratch_bytes ? code_->scratch_bytes(count, context()) : 0) + 64, 0xAA); }
  static uint8_t* aligned(Bytes& b) {
    return b.data() + (64 - reinterpret_cast<uintptr_t>(b.data()) % 64) % 64;
  }
  static Bytes part(const Bytes& array, const BlockIo& io, DType type) {
    const auto from = array.begin() + static_cast<ptrdiff_t>(size_t{io.first} * dtype_bytes(type));
    return {from, from + static_cast<ptrdiff_t>(size_t{io.count} * dtype_bytes(type))};
  }
  // The inverse in several sweeps, the blocks of each from the last to the first.
  Bytes sweep(const Coded& coded, uint32_t* fault) {
    Bytes array = coded.array, out(size_t{input_.extent.values} * dtype_bytes(code_->in), 0xEE);
    BlockIo io;
    io.count = input_.extent.values;
    io.in = array.data();
    io.out = out.data();
    for (uint32_t pass = 0; pass < code_->decode_passes(context()); ++pass)
      for (uint32_t block = code_->decode_blocks(pass, context()); block-- > 0;)
        code_->decode_pass(pass, block, io, context(), fault);
    return out;
  }
  std::vector<BlockIo> cut_into(uint32_t cut) {
    const uint32_t grain = code_->granularity(context());
    const uint32_t size = std::max(grain, cut / grain * grain);
    const uint32_t n = code_->out_values ? code_->out_values(context()) : input_.extent.values;
    std::vector<BlockIo> blocks;
    for (uint32_t first = 0; first < n; first += size) {
      BlockIo io;
      io.first = first;
      io.count = std::min(size, n - first);
      blocks.push_back(io);
    }
    return blocks;
  }
  // Number of list entries whose index is below `index`.
  static size_t entry_at(const Coded& coded, uint64_t index) {
    size_t k = 0;
    for (; (k + 1) * 4 <= coded.piece[1].size(); ++k) {
      uint32_t i;
      std::memcpy(&i, coded.piece[1].data() + k * 4, 4);
      if (i >= index) break;
    }
    return k;
  }

  const Stage& stage_;
  StageInput input_;
  Bytes params_, facts_, context_;
  const BlockCode* code_ = nullptr;
};

}  // namespace fzm::testing
