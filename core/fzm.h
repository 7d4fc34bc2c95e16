// The façade: arrays to frames and back. Everything a caller needs is here and in what it includes.
//
//   auto request = fzm::Request::from_options("preset=fsz, abs=1e-3");
//   fzm::ArrayInfo array{.type = fzm::DType::f32, .shape = {64, 512, 512}};
//   auto frame = fzm::encode(*request, array, data);          // Result<EncodedFrame>
//   std::vector<uint8_t> bytes(frame->size());
//   frame->copy_to(bytes.data());
//   fzm::Status s = fzm::decode(bytes, out, out_bytes);
//
// All functions are re-entrant and keep no threads between calls. Nothing throws.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/notice.h"
#include "core/run/backend_choice.h"
#include "core/run/device_times.h"
#include "core/spec/request.h"
#include "core/spec/words.h"

namespace fzm {

inline constexpr std::string_view kVersion = "0.1.0";

struct Options {
  uint32_t threads = 1;           // 0: all cores
  bool verify_checksum = true;    // decode only
  BackendChoice backend = BackendChoice::automatic;
};
// FZM_THREADS if set (0: all cores), else `fallback`.
uint32_t threads_from_environment(uint32_t fallback);

// A finished frame, still in the pieces it was made in.
class EncodedFrame {
 public:
  size_t size() const;
  void copy_to(uint8_t* to) const;

  struct Content;
  explicit EncodedFrame(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

 private:
  std::shared_ptr<const Content> content_;
};

// Encodes values of `array` at `data` (in the array's byte order). What the pipeline cannot shrink, or cannot keep within
// the bound, is stored by the lossless preset, and raw inside a frame if that does not help either: never larger than
// raw + 128 bytes, and never exactly as large as raw.
// Errors: request (graph, types, parameters), too_large, no_memory. Never the data.
Result<EncodedFrame> encode(const Request& request, const ArrayInfo& array, const void* data, const Options& options = {});

// Writes exactly the raw bytes, in the byte order they were given in. out_bytes must be the frame's raw size (wrong_size).
// Safe on any input. Allocates at most a small multiple of out_bytes.
Status decode(ConstBytes frame, void* out, size_t out_bytes, const Options& options = {});

struct SegmentInfo {
  std::string stage;  // "AdaptiveLorenzo"
  std::string port;   // "means"
  uint64_t bytes;
};
struct StageInfo {
  std::string name;
  std::vector<std::pair<std::string, std::string>> params;  // those that differ from the defaults
  std::vector<std::pair<std::string, std::string>> facts;
};
struct FrameInfo {
  uint32_t version = 0;
  ArrayInfo array;
  uint64_t raw_bytes = 0, frame_bytes = 0, header_bytes = 0;
  bool is_raw = false;           // stored as it is
  bool has_bound = false;
  double abs_bound = 0;          // largest |x - x'|, resolved
  std::string bound_mode;        // "abs", "noa", ...
  uint64_t escapes = 0;          // values stored exactly because they missed the bound
  uint64_t masked_bytes = 0;     // size of the positions and bits of masked values
  std::vector<StageInfo> stages;
  std::vector<SegmentInfo> segments;
};
// Reads the header only; verifies its checksum. Errors as decode.
Result<FrameInfo> read_frame_info(ConstBytes frame);

// Only what the frame decodes to, for a caller that must make room for it; the rest of the header is left to decode.
Result<ArrayInfo> read_frame_array(ConstBytes frame);

// The plan for a request on an array, for people: stages, types, groups, slots, peak memory.
Result<std::string> explain(const Request& request, const ArrayInfo& array);
Result<std::string> explain_json(const Request& request, const ArrayInfo& array);

// Largest number of bytes of working memory that encode and decode use besides input and output.
Result<uint64_t> peak_memory(const Request& request, const ArrayInfo& array);

// Encodes and decodes on the device, `repeats` times each way with the arrays there already. Code::no_device without one.
Result<DeviceTimes> time_on_device(const Request& request, const ArrayInfo& array, const void* data, uint32_t repeats);

}  // namespace fzm
