// What a codec sees of the block it works on, and what it says about itself.
//
// A codec is a struct template over its element type(s); G is a Group (serial_group.h), C is Context<Params, Facts>:
//
//   using Params, Facts        plain structs (outside the target's namespace), defaults as initialisers
//   using In, Out              element types of the array port read and of the one written (uint8_t for a pack)
//   static bool accepts(const Params&)                   optional: which parameters choose this variant
//   static uint32_t granularity(const C&)                a block holds a multiple of this many values, but for the last
//   template <class G> static Pieces encode(G g, const BlockIo& io, const C& c)
//   template <class G> static void   decode(G g, const BlockIo& io, const C& c)
//   static constexpr bool kWide = true                   the array input is not cut into blocks: io.in (encode) and io.out
//                                                        (decode) stand at the start of the whole array; first and count
//                                                        then speak of the array output
//   static uint32_t out_values(const C&)                 length of the array output where it differs from the input
//   static uint32_t record_bytes(uint32_t count, const C&)            fixed bytes of this block in the records section
//   static uint32_t max_piece_bytes(uint32_t k, uint32_t count, const C&)   worst case of piece k of a block
//   static uint32_t piece_bytes(uint32_t k, const uint8_t* records, uint32_t count, const C&)  size of piece k, decoder
//   static uint32_t scratch_bytes(uint32_t count, const C&)           working memory of one block, shared by its workers
//   struct Partial; template <class G> static Partial observe(G g, const BlockIo& io, const C& c);
//   static void merge(Partial& into, const Partial& from)             associative, commutative, exact
//   static constexpr bool kList = true                   piece 0 holds values, piece 1 their indices in the array (u32,
//   static constexpr uint32_t kEntryBytes                ascending): an index-ordered list, no records; kEntryBytes a value
//   static uint32_t decode_passes(const C&), decode_blocks(uint32_t pass, const C&)    inverse in several sweeps
//   template <class G> static void decode_pass(G g, uint32_t pass, uint32_t block, const BlockIo& io, const C& c)
// Only encode, decode, In, Out, Params, Facts and granularity are required.
//
// Bytes never depend on how the runner cuts an array into blocks: records and pieces are concatenated in
// block order, and a block is any multiple of the granularity.
#pragma once
#include "kernels/base/portable.h"

namespace fzm {

inline constexpr uint32_t kMaxPieces = 2;

// Dimensions as codecs see them: at most three axes, x fastest. Unit axes are squeezed and higher ranks are
// folded into z by the planner.
struct Extent {
  uint32_t values = 0;  // nx * ny * nz
  uint32_t rank = 1;    // 1..3
  uint32_t nx = 0, ny = 1, nz = 1;
};

// Parameters as asked for (and completed by the planner), facts as measured by the encoder.
template <class P, class F>
struct Context {
  using Params = P;
  using Facts = F;
  P params;
  F facts;
  Extent extent;  // of the stage's array input
};

// A stage's variants, in the order in which they are tried.
template <class... K>
struct CodecList {};

struct NoParams {};
struct NoFacts {};

// One block's share of every port. All pointers stand at the block's own first byte, except those of
// array-wide codecs (traits.h), whose array pointer stands at the start of the array.
struct BlockIo {
  uint32_t first = 0;           // index of the block's first value in the array
  uint32_t count = 0;           // live values of this block
  const void* in = nullptr;     // encode: array input.           decode: the stage's array output
  void* out = nullptr;          // encode: the stage's array output. decode: array input, to be rebuilt
  uint8_t* records = nullptr;   // written by encode, read by decode
  uint8_t* piece[kMaxPieces] = {};         // written by encode, read by decode
  uint32_t piece_bytes[kMaxPieces] = {};   // decode only: how many bytes are there
  uint8_t* scratch = nullptr;   // scratch_bytes(count), aligned to 64
};

// How many bytes encode wrote to each piece; the same value for every worker.
struct Pieces {
  uint32_t bytes[kMaxPieces] = {};
};

// What a decoder may find wrong in a block. 0 is "nothing".
enum class Fault : uint32_t {
  none = 0,
  bad_record = 1,    // a size or mode that the format does not allow
  bad_payload = 2,   // a piece is longer or shorter than its own content says
  bad_index = 3,     // an escape's position is outside the block or out of order
};

}  // namespace fzm
