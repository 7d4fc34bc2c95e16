// The device runner on the model device: the same frames, values and error numbers as the host, whatever fails on the way.
#include <gtest/gtest.h>

#include <random>

#include "core/fzm.h"
#include "core/plan/plan.h"
#include "kernels/device/decode_run.h"
#include "kernels/device/encode_run.h"
#include "tests/conformance/model_device.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/broken_frames.h"
#include "tests/support/edge_fields.h"
#include "tests/support/fields.h"
#include "tests/support/golden_frames.h"
#include "tests/support/random_chain.h"

namespace fzm {
namespace {

using Bytes = std::vector<uint8_t>;
using test::ModelBackend;
using test::ModelDevice;

constexpr Options kHost{.backend = BackendChoice::host};
constexpr Options kDevice{.backend = BackendChoice::device};  // no way back to the host

constexpr DType kTypes[] = {DType::u8, DType::u16, DType::u32, DType::u64, DType::i8, DType::i16, DType::i32, DType::i64, DType::f32, DType::f64};

Bytes bytes_of(const Result<EncodedFrame>& frame) {
  EXPECT_TRUE(frame.ok()) << frame.status().message();
  if (!frame.ok()) return {};
  Bytes bytes(frame->size());
  frame->copy_to(bytes.data());
  return bytes;
}

struct Decoded {
  Code code;
  std::string message;
  Bytes values;  // where the code is ok
};
Decoded decoded(const Bytes& frame, const Options& options) {
  const Result<FrameInfo> info = read_frame_info(frame);
  if (!info.ok()) return {info.status().code(), info.status().message(), {}};
  if (info->raw_bytes > 1u << 24) return {Code::too_large, "not decoded here", {}};
  Bytes out(info->raw_bytes);
  const Status s = decode(frame, out.data(), out.size(), options);
  if (!s.ok()) out.clear();
  return {s.code(), s.message(), std::move(out)};
}

// Encodes and decodes on both, and gives the frame.
Bytes expect_same(const Request& request, const ArrayInfo& array, const void* data) {
  const Bytes host = bytes_of(encode(request, array, data, kHost));
  const Bytes device = bytes_of(encode(request, array, data, kDevice));
  EXPECT_TRUE(host == device) << host.size() << " bytes from the host, " << device.size() << " from the device";
  const Decoded a = decoded(host, kHost), b = decoded(host, kDevice);
  EXPECT_EQ(static_cast<int>(b.code), 0) << b.message;
  EXPECT_TRUE(a.values == b.values) << "decoded values differ";
  return host;
}

class OnTheDevice : public ::testing::Test {
 protected:
  ~OnTheDevice() override {
    EXPECT_EQ(device.wait(), 0);
    EXPECT_EQ(device.live(), 0u) << "device memory was not given back";
    EXPECT_EQ(device.counts.live_bytes, 0u);
  }
  ModelDevice device;
  const ModelBackend backend{device};
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{{1}, {31}, {257}, {4097}, {9000}, {1, 97}, {127, 3}, {17, 19, 23}, {2, 3, 4, 5}, {3, 65, 130}};
  return all;
}

constexpr double kBounds[] = {1e-1, 1e-3, 1e-6, 5, 1e-12};
constexpr BoundMode kModes[] = {BoundMode::abs, BoundMode::noa, BoundMode::prel};

TEST_F(OnTheDevice, every_preset_type_shape_and_input_gives_the_hosts_frame) {
  uint32_t turn = 0;
  for (const PresetInfo& preset : presets())
    for (const DType type : kTypes)
      for (const std::string& name : test::field_names()) {
        // Shapes, bounds and modes in turn: the number of each has no factor in common with that of the inputs.
        const Shape& shape = shapes()[(turn * 7 + turn / 10) % shapes().size()];
        Request request = *Request::from_preset(preset.name);
        if (request.is_lossy()) {
          ASSERT_TRUE(request.set_bound(kModes[turn / 5 % 3], kBounds[turn % 5]).ok());
        }
        const ArrayInfo array{.type = type, .big_endian = turn % 11 == 0, .shape = shape};
        SCOPED_TRACE(std::string(preset.name) + " " + std::string(dtype_name(type)) + " " + to_string(shape) + " " + name + " turn " +
                     std::to_string(turn));
        expect_same(request, array, test::field(type, name, *count_values(shape)).data());
        ++turn;
        if (HasFailure()) return;
      }
}

TEST_F(OnTheDevice, every_shape_gives_the_hosts_frame) {
  for (const PresetInfo& preset : presets())
    for (const Shape& shape : shapes()) {
      Request request = *Request::from_preset(preset.name);
      SCOPED_TRACE(std::string(preset.name) + " " + to_string(shape));
      for (const char* name : {"smooth", "gaps"})
        expect_same(request, {.type = DType::f32, .shape = shape}, test::field(DType::f32, name, *count_values(shape)).data());
      if (HasFailure()) return;
    }
}

TEST_F(OnTheDevice, edge_fields_give_the_hosts_frame) {
  constexpr float kBound = 1e-3f;
  uint32_t turn = 0;
  for (const test::EdgeField& f : test::edge_fields(kBound)) {
    const PresetInfo& preset = presets()[turn++ % presets().size()];
    Request request = *Request::from_preset(preset.name);
    if (request.is_lossy()) {
      ASSERT_TRUE(request.set_bound(BoundMode::abs, kBound).ok());
    }
    SCOPED_TRACE(std::string(preset.name) + ", " + f.name);
    expect_same(request, {.type = DType::f32, .shape = {f.x.size()}}, f.x.data());
    if (HasFailure()) return;
  }
}

TEST_F(OnTheDevice, random_chains_give_the_hosts_frame) {
  std::mt19937 random(12);
  uint32_t ran = 0;
  for (uint32_t turn = 0; turn < 400; ++turn) {
    const bool lossy = turn % 2;
    const auto [text, type, shape, name] = test::random_chain_case(random, lossy, shapes(), test::field_names());
    SCOPED_TRACE(text + std::string(dtype_name(type)) + " " + to_string(shape) + " " + name);
    const Request request = *Request::from_toml(text, "chain.toml");
    const ArrayInfo array{.type = type, .shape = shape};
    if (!explain(request, array).ok()) continue;
    expect_same(request, array, test::field(type, name, *count_values(shape)).data());
    ++ran;
    if (HasFailure()) return;
  }
  EXPECT_GT(ran, 150u);
}

// Every output of a stage with several goes to a stage of its own; lengths become known on the way, and may be 0.
TEST_F(OnTheDevice, ports_that_feed_stages_give_the_hosts_frame) {
  const std::string head = R"(
[[stage]]
name = "m"
type = "Mask"
inputs = [{from = "__external__"}]
[[stage]]
name = "q"
type = "Quantizer"
error_bound = 0.01
zigzag_codes = false
quant_radius = 500
inputs = [{from = "m"}]
)";
  const auto stage = [](const std::string& name, const std::string& type, const std::string& from, const std::string& port) {
    return "[[stage]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\ninputs = [{from = \"" + from + "\"" +
           (port.empty() ? "" : ", port = \"" + port + "\"") + "}]\n";
  };
  const std::string escapes = stage("i", "Difference", "q", "outlier_idxs") + stage("ip", "RZE", "i", "") +
                              stage("ipp", "RRE", "ip", "") + stage("v", "RARE", "q", "outlier_vals");
  const std::string codes = stage("l", "AdaptiveLorenzo", "q", "codes") + stage("p", "AdaptiveBitpack", "l", "") +
                            stage("pr", "RZE", "p", "") + stage("mr", "RZE", "l", "means") + stage("mo", "RRE", "l", "modes");
  uint32_t kept = 0;
  for (const std::string& text : {head + escapes, head + codes, head + codes + escapes})
    for (const char* name : {"smooth", "spikes", "gaps", "zeros"})
      for (const uint32_t values : {1u, 4097u, 20000u}) {
        SCOPED_TRACE(text + name + " " + std::to_string(values));
        const Result<Request> request = Request::from_toml(text, "ports.toml");
        ASSERT_TRUE(request.ok()) << request.status().message();
        const Bytes frame =
            expect_same(*request, {.type = DType::f32, .shape = {values}}, test::field(DType::f32, name, values).data());
        const Result<FrameInfo> info = read_frame_info(frame);
        kept += info.ok() && !info->stages.empty() && info->stages[0].name != "Difference";
        if (HasFailure()) return;
      }
  EXPECT_GT(kept, 5u) << "the pipelines were given up";
}

TEST_F(OnTheDevice, golden_frames_are_decoded_and_made_again) {
  for (const testing::GoldenFrame& g : testing::golden_frames()) {
    SCOPED_TRACE(g.name);
    const Bytes frame = testing::read_bytes(g.path()), input = testing::read_bytes(testing::kGoldenFolder + "inputs/" + g.input);
    EXPECT_TRUE(expect_same(*g.asked(), g.array(), input.data()) == frame);
  }
}

TEST_F(OnTheDevice, broken_frames_fail_with_the_hosts_number) {
  for (const testing::Broken& b : testing::broken_frames()) {
    const Decoded host = decoded(b.frame, kHost), device_says = decoded(b.frame, kDevice);
    EXPECT_EQ(static_cast<int>(host.code), static_cast<int>(device_says.code))
        << b.name << ": '" << host.message << "' on the host, '" << device_says.message << "' on the device";
  }
}

// Frames of every preset, of some thousand values.
std::vector<Bytes> sample_frames(const Options& options) {
  std::vector<Bytes> frames;
  for (const PresetInfo& preset : presets())
    for (const DType type : {DType::f32, DType::f64, DType::i16})
      for (const char* name : {"gaps", "spikes"})
        frames.push_back(bytes_of(encode(*Request::from_preset(preset.name), {.type = type, .shape = {9, 25, 40}},
                                         test::field(type, name, 9000).data(), options)));
  return frames;
}

// The same number, and the same values where there is none. Sanitizers and the model's guards watch the memory.
TEST_F(OnTheDevice, changed_frames_are_decoded_as_on_the_host) {
  std::vector<Bytes> seeds = sample_frames(kHost);
  for (const testing::GoldenFrame& g : testing::golden_frames()) seeds.push_back(testing::read_bytes(g.path()));
  fuzz::Mutator m(5);
  uint32_t decodable = 0, declined = 0;
  const char* const rounds = std::getenv("FZM_FUZZ_ROUNDS");
  for (uint64_t i = rounds ? std::strtoull(rounds, nullptr, 10) : 2500; i > 0; --i) {
    const Bytes changed = m.frame(seeds[m.below(seeds.size())], seeds[m.below(seeds.size())]);
    const Decoded host = decoded(changed, kHost), device_says = decoded(changed, kDevice);
    if (device_says.code == Code::no_device) {  // more memory than the model has; the host's answer would stand
      ++declined;
      continue;
    }
    ASSERT_EQ(static_cast<int>(host.code), static_cast<int>(device_says.code))
        << i << ": '" << host.message << "' on the host, '" << device_says.message << "' on the device";
    ASSERT_TRUE(host.values == device_says.values) << i;
    decodable += host.code == Code::ok;
  }
  EXPECT_GT(decodable, 10u);
  EXPECT_LT(declined, 10u);
}

// Every request for memory, and every other call, fails once: the host does it, and nothing is left behind.
TEST_F(OnTheDevice, whatever_fails_ends_in_the_hosts_bytes) {
  for (const PresetInfo& preset : presets())
    for (const char* name : {"smooth", "gaps"}) {
      SCOPED_TRACE(std::string(preset.name) + " " + name);
      const Request request = *Request::from_preset(preset.name);
      const ArrayInfo array{.type = DType::f32, .shape = {30, 40}};
      const Bytes data = test::field(DType::f32, name, 1200);
      const Bytes frame = bytes_of(encode(request, array, data.data(), kHost));
      const Bytes values = decoded(frame, kHost).values;
      for (const auto fail : {&ModelDevice::fail_allocation, &ModelDevice::fail_call}) {
        uint64_t n = 0;
        for (bool fails = true; fails; ++n) {
          (device.*fail)(n + 1);
          fails = encode(request, array, data.data(), kDevice).status().code() == Code::no_device;
          (device.*fail)(n + 1);
          EXPECT_TRUE(bytes_of(encode(request, array, data.data())) == frame) << "failure " << n;
          (device.*fail)(n + 1);
          fails |= decoded(frame, kDevice).code == Code::no_device;
          (device.*fail)(n + 1);
          EXPECT_TRUE(decoded(frame, {}).values == values) << "failure " << n;
          (device.*fail)(0);
          EXPECT_EQ(device.wait(), 0);
          ASSERT_EQ(device.live(), 0u) << "failure " << n;
        }
        EXPECT_GT(n, 5u);
      }
    }
}

// Escapes whose values take a quarter of the chunk: from one more on the pipeline is given up.
TEST_F(OnTheDevice, pieces_at_their_limit_give_the_hosts_frame) {
  constexpr uint32_t kValues = 70000, kMostEscapes = kValues / 4;
  Request request = *Request::from_preset("fsz");
  ASSERT_TRUE(request.set_bound(BoundMode::abs, 1e-3).ok());
  for (const uint32_t escapes : {kMostEscapes, kMostEscapes + 1}) {
    std::vector<float> x(kValues);
    for (uint32_t i = 0; i < kValues; ++i)
      x[i] = i < escapes ? 1e20f + 1e15f * static_cast<float>(i) : static_cast<float>(i % 100) * 0.01f;
    const Bytes frame = expect_same(request, {.type = DType::f32, .shape = {kValues}}, x.data());
    EXPECT_EQ(read_frame_info(frame)->stages[0].name == "Quantizer", escapes == kMostEscapes) << escapes;
  }
}

TEST_F(OnTheDevice, memory_is_at_most_four_times_the_chunk) {
  const uint32_t values = 300000;
  for (const char* preset : {"fsz", "pfpl", "lossless"})
    for (const char* name : {"smooth", "gaps"}) {
      device.counts = {};
      const Bytes frame = bytes_of(encode(*Request::from_preset(preset), {.type = DType::f32, .shape = {values}},
                                          test::field(DType::f32, name, values).data(), kDevice));
      const uint64_t up = device.counts.peak_bytes;
      device.counts = {};
      EXPECT_EQ(static_cast<int>(decoded(frame, kDevice).code), 0);
      const uint64_t down = device.counts.peak_bytes;
      EXPECT_LE(static_cast<double>(up), 4.3 * 4 * values) << preset << " " << name << ", encoding";
      EXPECT_LE(static_cast<double>(down), 4.3 * 4 * values) << preset << " " << name << ", decoding";
    }
}

// One wait for what is seen, one for sizes, one for the frame; decoding: one before blocks are decoded, one behind.
TEST_F(OnTheDevice, waits_are_few) {
  for (const PresetInfo& preset : presets()) {
    device.counts = {};
    const Bytes frame = bytes_of(encode(*Request::from_preset(preset.name), {.type = DType::f32, .shape = {9000}},
                                        test::field(DType::f32, "smooth", 9000).data(), kDevice));
    EXPECT_LE(device.counts.waits, 4u) << preset.name << ", encoding";
    device.counts = {};
    EXPECT_EQ(static_cast<int>(decoded(frame, kDevice).code), 0);
    EXPECT_LE(device.counts.waits, 3u) << preset.name << ", decoding";
  }
}

TEST_F(OnTheDevice, sections_that_stay_on_the_device_are_decoded_there) {
  constexpr uint32_t kValues = 9000;
  const Bytes data = test::field(DType::f32, "spikes", kValues);
  const ArrayInfo array{.type = DType::f32, .shape = {kValues}};
  for (const PresetInfo& preset : presets()) {
    SCOPED_TRACE(preset.name);
    Request request = *Request::from_preset(preset.name);
    if (request.is_lossy()) {
      ASSERT_TRUE(request.drop_mask().ok());  // a stage that is left out makes another plan
    }
    const auto plan = *make_plan(*request.spec_for(array), array);
    Queue queue(device);
    DeviceBuffer chunk, back;
    ASSERT_TRUE(queue.allocate(data.size(), chunk).ok());
    ASSERT_TRUE(queue.allocate(data.size(), back).ok());
    ASSERT_TRUE(queue.to_device(chunk.data(), data.data(), data.size()).ok());
    const Result<DeviceEncoded> made = encode_on_device(queue, *plan, DeviceArray{nullptr, chunk.data(), kValues});
    ASSERT_TRUE(made.ok()) << made.status().message();
    DecodeInput frame;
    frame.facts = made->facts;
    frame.input_values = made->input_values;
    std::vector<DeviceSegment> segments;
    for (const Edge& port : plan->segments) {
      const DeviceSection& s = made->ports[static_cast<size_t>(port.from)][port.port];
      segments.push_back({s.memory ? s.memory->data() : nullptr, s.bytes, s.memory, {}});
    }
    const Status s = decode_on_device(queue, *plan, frame, segments, back.data());
    ASSERT_TRUE(s.ok()) << s.message();
    Bytes values(data.size());
    ASSERT_TRUE(queue.to_host(values.data(), back.data(), values.size()).ok());
    ASSERT_TRUE(queue.wait().ok());
    EXPECT_TRUE(values == decoded(bytes_of(encode(request, array, data.data(), kHost)), kHost).values);
  }
}

TEST(Backends, without_a_device_the_host_is_taken_unless_the_device_must) {
  set_device_backend(nullptr);
  const Bytes data = test::field(DType::f32, "smooth", 1000);
  const ArrayInfo array{.type = DType::f32, .shape = {1000}};
  EXPECT_TRUE(encode(Request(), array, data.data()).ok());
  EXPECT_EQ(encode(Request(), array, data.data(), kDevice).status().code(), Code::no_device);
  reset_device_backend();
}

TEST_F(OnTheDevice, the_environment_chooses) {
  const Bytes data = test::field(DType::f32, "smooth", 1000);
  const ArrayInfo array{.type = DType::f32, .shape = {1000}};
  const Request request = *Request::from_preset("fsz");
  const auto uses_device = [&] {
    device.counts = {};
    EXPECT_TRUE(encode(request, array, data.data()).ok());
    return device.counts.calls > 0;
  };
  ASSERT_EQ(setenv("FZM_BACKEND", "host", 1), 0);
  EXPECT_FALSE(uses_device());
  ASSERT_EQ(setenv("FZM_BACKEND", "cuda", 1), 0);
  EXPECT_TRUE(uses_device());
  ASSERT_EQ(unsetenv("FZM_BACKEND"), 0);
  EXPECT_TRUE(uses_device());
}

}  // namespace
}  // namespace fzm
