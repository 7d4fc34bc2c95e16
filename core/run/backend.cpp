#include "core/run/backend.h"

#include <atomic>
#include <cstdlib>

namespace fzm {
namespace {

constexpr Backend kBuiltIn{};  // stands for it
constinit std::atomic<const Backend*> chosen = &kBuiltIn;

// The device to try, if any, and how much it is wanted.
struct Route {
  const Backend* device = nullptr;
  bool any_size = false;
  bool must = false;  // no way back to the host
};

Route route_of(BackendChoice choice) {
  if (choice == BackendChoice::host) return {};
  if (choice == BackendChoice::device) return {device_backend(), true, true};
  const char* const text = std::getenv("FZM_BACKEND");
  const std::string_view asked = text ? text : "";
  if (asked == "host") return {};
  return {device_backend(), asked == "cuda", false};
}

Status no_device() { return Status(Code::no_device, "there is no device backend"); }

bool goes_back(const Route& route, const Status& s) { return s.code() == Code::no_device && !route.must; }

}  // namespace

const Backend* device_backend() {
  const Backend* const backend = chosen.load(std::memory_order_acquire);
  return backend == &kBuiltIn ? built_in_backend() : backend;
}

void set_device_backend(const Backend* backend) { chosen.store(backend, std::memory_order_release); }
void reset_device_backend() { set_device_backend(&kBuiltIn); }

Result<EncodeResult> encode_anywhere(const Plan& plan, const void* input, BackendChoice choice, uint32_t threads) {
  const Route route = route_of(choice);
  if (route.device) {
    Result<EncodeResult> made = route.device->encode(plan, input, route.any_size);
    if (!goes_back(route, made.status())) return made;
  } else if (route.must) {
    return no_device();
  }
  return run_encode(plan, input, threads);
}

Status decode_anywhere(const Plan& plan, const DecodeInput& input, void* out, BackendChoice choice, uint32_t threads) {
  const Route route = route_of(choice);
  if (route.device) {
    const Status s = route.device->decode(plan, input, out, route.any_size);
    if (!goes_back(route, s)) return s;
  } else if (route.must) {
    return no_device();
  }
  return run_decode(plan, input, out, threads);
}

}  // namespace fzm
