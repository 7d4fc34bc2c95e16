#include "kernels/host/chunked_stage.h"

#include <string>

#include "core/base/bytes.h"
#include "kernels/lc/chunked.h"

namespace fzm {
namespace {

constexpr uint32_t kChunkSizes[] = {4096, 8192, 16384};
constexpr uint32_t kWordSizes[] = {1, 2, 4, 8};
constexpr Param kRows[] = {
    param<&LcParams::chunk_size>("chunk_size", one_of(kChunkSizes), "bytes that are coded alone"),
    param<&LcParams::word_size>("word_size", one_of(kWordSizes), "bytes of one word"),
};
constexpr Port kOutputs[] = {{"output", PortKind::stream, DType::u8}};
constexpr uint32_t kHeaderBytes = 8;

struct Header {
  uint32_t original_bytes, chunks;
};
Header header_of(const void* context, DType in, uint32_t values) {
  const LcParams& p = static_cast<const Context<LcParams, NoFacts>*>(context)->params;
  const uint32_t bytes = values * dtype_bytes(in);
  return {bytes, generic::ceil_div(bytes, p.chunk_size)};
}
void write_header(uint8_t* header, const void* context, DType in, uint32_t values) {
  const Header h = header_of(context, in, values);
  generic::store_le(header, h.original_bytes);
  generic::store_le(header + 4, h.chunks);
}
Status check_header(const uint8_t* header, const void* context, DType in, uint32_t values) {
  const Header h = header_of(context, in, values);
  const uint32_t bytes = generic::load_le<uint32_t>(header), chunks = generic::load_le<uint32_t>(header + 4);
  if (bytes != h.original_bytes)
    return {Code::corrupt, "the header speaks of " + std::to_string(bytes) + " bytes, the array has " + std::to_string(h.original_bytes)};
  if (chunks != h.chunks)
    return {Code::corrupt, "the header speaks of " + std::to_string(chunks) + " chunks, " + std::to_string(bytes) + " bytes make " + std::to_string(h.chunks)};
  return {};
}

// The container counts bytes in 32 bits.
Status resolve(void*, const StageInput& input) {
  const uint64_t bytes = uint64_t{input.extent.values} * dtype_bytes(input.type);
  if (bytes > 0xFFFFFFFFu) return {Code::too_large, "the array has " + std::to_string(bytes) + " bytes, the container holds 4294967295"};
  return {};
}

}  // namespace

Stage describe_chunked(std::string_view name, uint16_t id, std::string_view folder, std::string_view summary,
                       std::span<const BlockCode> (*codes)()) {
  Stage s = describe<LcParams, NoFacts>(name, id, Role::pack, folder, summary, codes);
  s.params = kRows;
  s.outputs = kOutputs;
  s.stream = {kHeaderBytes, 4, write_header, check_header};
  s.resolve = resolve;
  return s;
}

}  // namespace fzm
