// The header of a frame. The page is docs/format.md.
#pragma once
#include <vector>

#include "core/base/bytes.h"
#include "core/spec/array_info.h"
#include "core/spec/spec.h"

namespace fzm {

inline constexpr uint8_t kFrameVersion = 1;

struct FrameHeader {
  ArrayInfo array;
  bool is_raw = false;     // no pipeline: the payload is the chunk as it was
  bool has_pad = false;    // one zero byte follows the payload, so that the frame is not as long as the chunk
  Spec spec;
  std::vector<Object> facts;             // per stage
  std::vector<uint64_t> input_values;    // per stage: length of its array input
  std::vector<uint64_t> segment_bytes;   // stored ports, stage by stage, port by port
  uint32_t payload_checksum = 0;
  uint64_t header_bytes = 0;             // filled in by read_header

  uint64_t raw_bytes() const;            // of the chunk
  uint64_t payload_bytes() const;
};

// Which stored ports a spec has, in frame order.
std::vector<Edge> stored_ports(const Spec& spec);

// The header with a payload checksum of 0; the checksum's place is its last four bytes.
std::vector<uint8_t> write_header(const FrameHeader& h);

// Checks magic, version, lengths, checksum, ranges; that payload and padding are exactly as long as the frame.
Result<FrameHeader> read_header(ConstBytes frame);

// The array alone, whose size then is within the limits. Of the rest only magic, version and the header's checksum are
// checked.
Result<ArrayInfo> read_header_array(ConstBytes frame);

}  // namespace fzm
