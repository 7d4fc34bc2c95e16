// Whole frames through the library, once on the device and once on the host: the same bytes, the same values, the same errors.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "core/fzm.h"
#include "tests/device/section.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/fields.h"
#include "tests/support/golden_frames.h"
#include "tests/support/random_chain.h"

namespace fzm::test {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr DType kTypes[] = {DType::u8, DType::u16, DType::u32, DType::u64, DType::i8, DType::i16, DType::i32, DType::i64, DType::f32, DType::f64};
constexpr double kBounds[] = {1e-1, 1e-3, 1e-6, 5, 1e9, 1e-12};
constexpr BoundMode kModes[] = {BoundMode::abs, BoundMode::noa, BoundMode::prel, BoundMode::rel};
constexpr uint64_t kLargestMutated = 1 << 20;

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{{1}, {2}, {31}, {257}, {4096}, {5003}, {1, 1, 7}, {3, 1, 129}, {64, 65}, {1, 97}, {127, 3},
                                      {5, 6, 7}, {4, 4, 4}, {17, 19, 23}, {2, 3, 4, 5}, {70000}, {130, 131, 5}, {64, 64, 65},
                                      {1000003}, {100, 100, 101}};
  return all;
}

constexpr Options kOnHost{.backend = BackendChoice::host};
constexpr Options kOnDevice{.backend = BackendChoice::device};

// A frame, or the sentence that came instead.
struct Made {
  Status status;
  Bytes frame;
};
Made make(const Request& request, const ArrayInfo& array, const Bytes& data, const Options& options) {
  const Result<EncodedFrame> frame = encode(request, array, data.data(), options);
  if (!frame.ok()) return {frame.status(), {}};
  Made m;
  m.frame.resize(frame->size());
  frame->copy_to(m.frame.data());
  return m;
}

std::string difference(const Status& device, const Status& host) {
  if (device.code() == host.code()) return "";
  return "the device says " + std::to_string(static_cast<int>(device.code())) + " '" + device.message() + "', the host " +
         std::to_string(static_cast<int>(host.code())) + " '" + host.message() + "'";
}

std::string compare_decoding(const Bytes& frame, uint64_t raw_bytes, bool verify = true) {
  Bytes want(raw_bytes, 0xA5), got(raw_bytes, 0x5A);
  Options host = kOnHost, device = kOnDevice;
  host.verify_checksum = device.verify_checksum = verify;
  const Status by_host = decode(frame, want.data(), want.size(), host), by_device = decode(frame, got.data(), got.size(), device);
  const std::string statuses = difference(by_device, by_host);
  if (!statuses.empty()) return "decoding: " + statuses;
  return by_host.ok() && want != got ? "the decoded values differ" : "";
}

std::string compare(const Request& request, const ArrayInfo& array, const Bytes& data) {
  const Made host = make(request, array, data, kOnHost), device = make(request, array, data, kOnDevice);
  if (const std::string statuses = difference(device.status, host.status); !statuses.empty()) return "encoding: " + statuses;
  if (!host.status.ok()) return "";
  if (host.frame != device.frame) {
    const size_t n = std::min(host.frame.size(), device.frame.size());
    const auto first = std::mismatch(host.frame.begin(), host.frame.begin() + static_cast<ptrdiff_t>(n), device.frame.begin()).first;
    return "the frames differ from byte " + std::to_string(first - host.frame.begin()) + " on: " + std::to_string(device.frame.size()) +
           " bytes instead of " + std::to_string(host.frame.size());
  }
  return compare_decoding(host.frame, data.size());
}

CaseResult result(const std::string& what, const std::string& failure) {
  return {true, failure.empty() ? "" : what + ": " + failure};
}

// --- every preset ------------------------------------------------------------------------------
CaseResult preset_case(const std::string& preset, uint64_t number, uint64_t seed) {
  std::mt19937 random(mix(seed, number));
  const auto pick = [&](const auto& list) -> const auto& { return *(std::begin(list) + random() % std::size(list)); };
  Request request = *Request::from_preset(preset);
  const DType type = kTypes[number % std::size(kTypes)];
  const Shape shape = pick(shapes());
  const std::string name = pick(field_names());
  const double bound = pick(kBounds);
  const BoundMode mode = pick(kModes);
  const std::string what = std::string(dtype_name(type)) + " " + to_string(shape) + " " + name + ", bound " + std::to_string(bound) +
                           " in mode " + std::to_string(static_cast<int>(mode));
  if (request.is_lossy() && !request.set_bound(mode, bound).ok()) return {false, ""};
  ArrayInfo array{.type = type, .shape = shape};
  array.big_endian = random() % 8 == 0;
  return result(what, compare(request, array, field(type, name, *count_values(shape))));
}

// --- one large chunk each way --------------------------------------------------------------------
CaseResult large_case(const std::string& preset, uint64_t number) {
  Request request = *Request::from_preset(preset);
  if (request.is_lossy() && !request.set_bound(BoundMode::noa, 1e-3).ok()) return {false, ""};
  const uint64_t edge = number == 0 ? 160 : 161;
  const DType type = number == 2 ? DType::f64 : DType::f32;
  const ArrayInfo array{.type = type, .shape = {edge, edge, edge + number}};
  return result(preset + " " + to_string(array.shape), compare(request, array, field(type, number == 1 ? "gaps" : "smooth", *count_values(array.shape))));
}

// --- chains that nobody planned for -------------------------------------------------------------
CaseResult chain_case(uint64_t number, uint64_t seed) {
  std::mt19937 random(mix(seed, number));
  const bool lossy = number % 2;
  const std::string text = random_chain(random, lossy);
  const DType type = lossy && random() % 2 ? (random() % 2 ? DType::f32 : DType::f64) : kTypes[random() % std::size(kTypes)];
  const Shape& shape = shapes()[random() % shapes().size()];
  const std::string& name = field_names()[random() % field_names().size()];
  const Result<Request> request = Request::from_toml(text, "chain.toml");
  if (!request.ok()) return {true, request.status().message()};
  const ArrayInfo array{.type = type, .shape = shape};
  if (!explain(*request, array).ok()) return {false, ""};
  return result(text + std::string(dtype_name(type)) + " " + to_string(shape) + " " + name,
                compare(*request, array, field(type, name, *count_values(shape))));
}

// --- the kept frames, as they are and damaged -----------------------------------------------------
std::string golden_folder() {
  const char* const source = std::getenv("FZM_SOURCE");
  return source ? std::string(source) + "/tests/golden/" : testing::kGoldenFolder;
}

struct Golden {
  testing::GoldenFrame about;
  Bytes frame, input;
};
const std::vector<Golden>& golden() {
  static const std::vector<Golden>* const all = [] {
    auto* const list = new std::vector<Golden>;
    for (const testing::GoldenFrame& f : testing::golden_frames(golden_folder()))
      list->push_back({f, testing::read_bytes(golden_folder() + "frames/" + f.name + ".fzm"),
                       testing::read_bytes(golden_folder() + "inputs/" + f.input)});
    return list;
  }();
  return *all;
}

CaseResult golden_case(uint64_t number) {
  const Golden& g = golden()[number];
  const Result<Request> request = g.about.asked();
  if (!request.ok()) return {true, request.status().message()};
  const Made made = make(*request, g.about.array(), g.input, kOnDevice);
  if (!made.status.ok()) return result(g.about.name, made.status.message());
  if (made.frame != g.frame) return result(g.about.name, "the device makes another frame");
  return result(g.about.name, compare_decoding(g.frame, g.input.size()));
}

CaseResult mutated_case(uint64_t number, uint64_t seed) {
  fuzz::Mutator mutator(mix(seed, number));
  const Golden& g = golden()[number % golden().size()];
  const Golden& other = golden()[mutator.below(golden().size())];
  if (g.frame.size() < 16 || other.frame.size() < 16) return {false, ""};
  const Bytes frame = mutator.frame(g.frame, other.frame);
  const Result<FrameInfo> info = read_frame_info(frame);
  if (!info.ok() || info->raw_bytes > kLargestMutated) return {false, ""};
  const bool verifies = number % 2;
  return result(g.about.name + ", changed", compare_decoding(frame, info->raw_bytes, verifies));
}

// --- several threads at a time -----------------------------------------------------------------
CaseResult threads_case(uint64_t number, uint64_t seed) {
  constexpr uint32_t kThreads = 6, kTurns = 4;  // more than there are streams
  std::vector<std::string> failures(kThreads);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (uint32_t turn = 0; turn < kTurns && failures[t].empty(); ++turn)
        failures[t] = preset_case(t % 2 ? "fsz" : "pfpl", number * 100 + t * 10 + turn, seed).failure;
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& f : failures)
    if (!f.empty()) return {true, f};
  return {};
}

}  // namespace

std::vector<Section> pipeline_sections() {
  std::vector<Section> all;
  for (const PresetInfo& info : presets()) {
    const std::string name(info.name);
    all.push_back({"frames." + name, [name](uint64_t number, uint64_t seed, Device*) { return preset_case(name, number, seed); }});
  }
  for (const PresetInfo& info : presets()) {
    const std::string name(info.name);
    all.push_back({"large." + name, [name](uint64_t number, uint64_t, Device*) { return large_case(name, number); }, 3});
  }
  all.push_back({"frames.random_chains", [](uint64_t number, uint64_t seed, Device*) { return chain_case(number, seed); }});
  all.push_back({"frames.golden", [](uint64_t number, uint64_t, Device*) { return golden_case(number); }, golden().size()});
  all.push_back({"frames.mutated", [](uint64_t number, uint64_t seed, Device*) { return mutated_case(number, seed); }});
  all.push_back({"frames.threads", [](uint64_t number, uint64_t seed, Device*) { return threads_case(number, seed); }, 10});
  return all;
}

}  // namespace fzm::test
