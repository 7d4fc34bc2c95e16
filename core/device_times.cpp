// fzm::time_on_device: an encode and a decode through a backend that repeats and times what it is given.
#include "core/fzm.h"
#include "core/run/backend.h"

namespace fzm {
namespace {

Status there_and_back(const Request& request, const ArrayInfo& array, const void* data) {
  const Options options{.backend = BackendChoice::device};
  const Result<EncodedFrame> made = encode(request, array, data, options);
  if (!made.ok()) return made.status();
  std::vector<uint8_t> frame(made->size());
  made->copy_to(frame.data());
  const Result<FrameInfo> info = read_frame_info(frame);
  if (!info.ok()) return info.status();
  std::vector<uint8_t> out(info->raw_bytes);
  return decode(frame, out.data(), out.size(), options);
}

}  // namespace

Result<DeviceTimes> time_on_device(const Request& request, const ArrayInfo& array, const void* data, uint32_t repeats) {
  const Backend* const device = device_backend();
  if (device == nullptr || device->time == nullptr) return Status(Code::no_device, "this build has no device that can be timed");
  return device->time(repeats, [&] { return there_and_back(request, array, data); });
}

}  // namespace fzm
