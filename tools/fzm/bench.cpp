// fzm bench: how fast and how small, on an array made here or one from a file.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>

#include "tools/fzm/array_file.h"
#include "tools/fzm/device_report.h"
#include "tools/fzm/difference.h"
#include "tools/fzm/field.h"
#include "tools/fzm/json.h"
#include "tools/fzm/progress.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kFirstBytes = 64 * 1024;  // of the chunk whose latency is the process's first

struct Arguments {
  RequestSettings request;
  ArraySettings array;
  std::string size = "64M", field = "turb", file, mode = "noa", backend = "auto";
  std::optional<double> bound;
  uint32_t threads = threads_from_environment(1), repeats = 7;
  bool all_presets = false, as_json = false;

  Options options() const {
    Options o{.threads = threads};
    if (backend == "host") o.backend = BackendChoice::host;
    if (backend == "cuda") o.backend = BackendChoice::device;
    return o;
  }
};

struct Speed {
  double best = 0, median = 0;  // GB/s of raw bytes
};

struct Measured {
  std::string preset, sentence, groups, plan_json;
  uint64_t raw_bytes = 0, frame_bytes = 0, working_bytes = 0;
  Speed encode, decode, copy;
  std::optional<DeviceTimes> device;  // with --backend cuda: what the device takes by itself
  Difference difference;
  FrameInfo info;

  double ratio() const { return static_cast<double>(raw_bytes) / static_cast<double>(frame_bytes); }
  uint64_t peak_bytes() const { return raw_bytes + frame_bytes + working_bytes; }
};

double seconds_of(const std::function<void()>& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Speed speed_of(std::vector<double> seconds, uint64_t bytes) {
  std::sort(seconds.begin(), seconds.end());
  const auto raw = static_cast<double>(bytes) / 1e9;
  return {raw / seconds.front(), raw / seconds[seconds.size() / 2]};
}

uint64_t peak_resident() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return static_cast<uint64_t>(use.ru_maxrss) * 1024;
}

// The lines of the plan that say which stages run together, and how.
std::string groups_of(const std::string& plan) {
  const size_t start = plan.find("groups\n");
  if (start == std::string::npos) return "";
  std::string lines;
  for (size_t at = start + 7; at < plan.size() && plan[at] == ' ';) {
    const size_t end = std::min(plan.find('\n', at), plan.size());
    lines += plan.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

// Rounds of encode, decode and memcpy in turn, so that all three see the same machine.
Status measure_speeds(const Arguments& a, const Request& request, const ArrayFile& file,
                      Measured& m, ArrayFile& back, Progress& progress) {
  const Options options = a.options();
  std::vector<uint8_t> frame, copy(file.bytes.size(), 1);
  std::vector<double> encode_s, decode_s, copy_s;
  Status status;
  for (uint32_t round = 0; round <= a.repeats; ++round) {
    const double e = seconds_of([&] {
      const Result<EncodedFrame> made = encode(request, file.array, file.bytes.data(), options);
      if (!made.ok()) {
        status = made.status();
        return;
      }
      frame.resize(made->size());
      made->copy_to(frame.data());
    });
    FZM_TRY(status);
    const double d =
        seconds_of([&] { status = decode(frame, back.bytes.data(), back.bytes.size(), options); });
    FZM_TRY(status);
    const double c = seconds_of([&] { std::memcpy(copy.data(), file.bytes.data(), copy.size()); });
    progress.set((round + 1.0) / (a.repeats + 1.0));
    if (round == 0) continue;  // touches the memory
    encode_s.push_back(e);
    decode_s.push_back(d);
    copy_s.push_back(c);
  }
  m.frame_bytes = frame.size();
  m.encode = speed_of(encode_s, file.bytes.size());
  m.decode = speed_of(decode_s, file.bytes.size());
  m.copy = speed_of(copy_s, file.bytes.size());
  const Result<FrameInfo> info = read_frame_info(frame);
  if (!info.ok()) return info.status();
  m.info = *info;
  return {};
}

Result<Measured> measure(const Arguments& a, const Request& request, const ArrayFile& file) {
  Progress progress("measuring " + request.to_sentence());
  Measured m;
  m.preset = request.preset_name().empty() ? "pipeline" : request.preset_name();
  m.sentence = request.to_sentence();
  m.raw_bytes = file.bytes.size();
  const Result<std::string> plan = explain(request, file.array),
                            plan_json = explain_json(request, file.array);
  if (!plan.ok()) return plan.status();
  if (!plan_json.ok()) return plan_json.status();
  m.groups = groups_of(*plan);
  m.plan_json = *plan_json;
  const Result<uint64_t> working = peak_memory(request, file.array);
  if (!working.ok()) return working.status();
  m.working_bytes = *working;
  ArrayFile back{file.array, std::vector<uint8_t>(file.bytes.size())};
  FZM_TRY(measure_speeds(a, request, file, m, back, progress));
  if (a.backend == "cuda") {
    Result<DeviceTimes> times = time_on_device(request, file.array, file.bytes.data(), a.repeats);
    if (!times.ok()) return times.status();
    m.device = std::move(times).value();
  }
  const bool has_bound = m.info.has_bound && m.info.bound_mode != "rel";
  m.difference =
      difference(file, back, has_bound ? BoundMode::abs : BoundMode::none, m.info.abs_bound);
  return m;
}

double share(const Speed& s, const Speed& copy) { return 100 * s.best / copy.best; }

std::string error_text(const Measured& m) {
  if (!m.info.has_bound)
    return m.difference.equal_bits == m.difference.values ? "every bit kept"
                                                          : format("%.6g", m.difference.max_error);
  return format("%.6g of the bound %.6g", m.difference.max_over_bound, m.info.abs_bound);
}

std::string text_of(const Measured& m) {
  std::string text = m.sentence + "\n";
  const auto row = [&](const char* what, const Speed& s) {
    return format("%-12s %6.2f GB/s best, %6.2f median, %3.0f %% of memcpy\n", what, s.best,
                  s.median, share(s, m.copy));
  };
  text += row("encode", m.encode) + row("decode", m.decode) + row("memcpy", m.copy);
  text += format("%-12s %.4g (%llu -> %llu bytes)\n", "ratio", m.ratio(),
                 static_cast<unsigned long long>(m.raw_bytes),
                 static_cast<unsigned long long>(m.frame_bytes));
  text += format("%-12s %s\n", "max error", error_text(m).c_str());
  text += format("%-12s %.2f dB\n", "PSNR", m.difference.psnr());
  text += format("%-12s %llu\n", "escapes", static_cast<unsigned long long>(m.info.escapes));
  text += format("%-12s %s: chunk, frame and %.2f x the chunk (planned)\n", "peak memory",
                 bytes_text(m.peak_bytes()).c_str(),
                 static_cast<double>(m.working_bytes) /
                     static_cast<double>(std::max<uint64_t>(m.raw_bytes, 1)));
  return text + (m.device ? to_text(*m.device, m.frame_bytes) : "") + "groups\n" + m.groups;
}

std::string speed_json(const Speed& s, const Speed& copy) {
  return json_object({{"best", json(s.best)},
                      {"median", json(s.median)},
                      {"percent_of_memcpy", json(share(s, copy))}});
}

std::string json_of(const Measured& m) {
  return json_object({{"preset", json(m.preset)},
                      {"request", json(m.sentence)},
                      {"encode_gb_s", speed_json(m.encode, m.copy)},
                      {"decode_gb_s", speed_json(m.decode, m.copy)},
                      {"memcpy_gb_s", speed_json(m.copy, m.copy)},
                      {"ratio", json(m.ratio())},
                      {"raw_bytes", json(m.raw_bytes)},
                      {"frame_bytes", json(m.frame_bytes)},
                      {"abs_bound", m.info.has_bound ? json(m.info.abs_bound) : "null"},
                      {"max_error", json(m.difference.max_error)},
                      {"max_over_bound", json(m.difference.max_over_bound)},
                      {"over", json(m.difference.over)},
                      {"psnr", json(m.difference.psnr())},
                      {"escapes", json(m.info.escapes)},
                      {"peak_bytes", json(m.peak_bytes())},
                      {"working_bytes", json(m.working_bytes)},
                      {"device", m.device ? to_json(*m.device, m.frame_bytes) : "null"},
                      {"plan", m.plan_json}});
}

std::string summary(const std::vector<Measured>& all) {
  Table table({"preset", "encode GB/s", "% memcpy", "decode GB/s", "% memcpy", "ratio",
               "error/bound", "PSNR", "peak x chunk", "groups"});
  for (const Measured& m : all) {
    const auto chunk = static_cast<double>(std::max<uint64_t>(m.raw_bytes, 1));
    std::string groups = m.groups;
    std::replace(groups.begin(), groups.end(), '\n', ' ');
    table.add({m.preset, format("%.2f", m.encode.best), format("%.0f", share(m.encode, m.copy)),
               format("%.2f", m.decode.best), format("%.0f", share(m.decode, m.copy)),
               format("%.2f", m.ratio()),
               m.info.has_bound ? format("%.4f", m.difference.max_over_bound) : "exact",
               m.info.has_bound ? format("%.1f", m.difference.psnr()) : "-",
               format("%.2f", static_cast<double>(m.peak_bytes()) / chunk),
               groups.substr(std::min(groups.find_first_not_of(' '), groups.size()))});
  }
  return table.text();
}

// The device alone, and the way from and to the host's memory beside it.
std::string device_summary(const std::vector<Measured>& all) {
  DeviceTable table;
  for (const Measured& m : all)
    if (m.device) table.add(m.preset, *m.device, m.frame_bytes, m.encode.median, m.decode.median);
  return table.text();
}

Result<ArrayFile> input_of(const Arguments& a) {
  if (!a.file.empty()) return read_array(a.file, a.array, a.threads);
  DType type = DType::f32;
  if (!a.array.type.empty()) {
    const Result<DType> given = a.array.dtype();
    if (!given.ok()) return given.status();
    type = *given;
  }
  const Result<uint64_t> bytes = read_size(a.size);
  if (!bytes.ok()) return bytes.status();
  Shape shape = cube_of(*bytes / dtype_bytes(type));
  if (!a.array.shape.empty()) {
    const Result<Shape> given = read_shape(a.array.shape);
    if (!given.ok()) return given.status();
    shape = *given;
  }
  const Progress progress("making the field");
  return make_field(a.field, type, shape);
}

Status apply_bound(const Arguments& a, Request& request) {
  if (a.bound && a.request.bound().first != BoundMode::none)
    return Status(Code::bad_request,
                  "--bound beside --abs, --rel, --noa or --prel: must be one of them");
  if (!a.bound || !request.is_lossy()) return {};
  return request.set(a.mode, format("%.17g", *a.bound));
}

Result<std::vector<Request>> requests_of(const Arguments& a) {
  std::vector<Request> list;
  if (!a.all_presets) {
    Result<Request> request = a.request.request();
    if (!request.ok()) return request.status();
    list.push_back(std::move(request).value());
  }
  for (const PresetInfo& info : presets()) {
    if (!a.all_presets) break;
    RequestSettings settings = a.request;
    settings.preset = info.name;
    if (!info.is_lossy) settings.abs = settings.rel = settings.noa = settings.prel = std::nullopt;
    Result<Request> request = settings.request();
    if (!request.ok()) return request.status();
    list.push_back(std::move(request).value());
  }
  for (Request& request : list) FZM_TRY(apply_bound(a, request));
  return list;
}

// What the first chunk of a process waits for: reading the settings, the plan, the codecs' first
// use, a small chunk.
Result<double> first_frame_ms(const Arguments& a) {
  std::vector<float> values(kFirstBytes / sizeof(float));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 512 + i / 512);
  ArrayInfo array;
  array.type = DType::f32;
  array.shape = {16, 32, kFirstBytes / sizeof(float) / 512};
  Status status;
  const double seconds = seconds_of([&] {
    const Result<std::vector<Request>> requests = requests_of(a);
    if (!requests.ok()) {
      status = requests.status();
      return;
    }
    const Result<EncodedFrame> frame = encode(requests->front(), array, values.data(), a.options());
    if (!frame.ok()) status = frame.status();
  });
  FZM_TRY(status);
  return 1e3 * seconds;
}

std::string head_text(const Arguments& a, const ArrayFile& file, double first_ms) {
  const std::string source = a.file.empty() ? "field " + a.field : a.file;
  return format(
      "%s: %s, %s; %u thread%s (memcpy: 1), %u rounds; first frame of the process (64 KiB) after "
      "%.2f ms\n\n",
      source.c_str(), describe(file.array).c_str(), bytes_text(file.bytes.size()).c_str(),
      a.threads, a.threads == 1 ? "" : "s", a.repeats, first_ms);
}

// Exit status 1 where a value is over the bound.
Result<int> run(const Arguments& a) {
  const Result<double> first_ms = first_frame_ms(a);
  if (!first_ms.ok()) return first_ms.status();
  const Result<ArrayFile> file = input_of(a);
  if (!file.ok()) return file.status();
  const auto requests = requests_of(a);
  if (!requests.ok()) return requests.status();
  std::vector<Measured> all;
  uint64_t over = 0;
  for (const Request& request : *requests) {
    Result<Measured> m = measure(a, request, *file);
    if (!m.ok()) return m.status();
    over += m->difference.over + m->difference.special_differs;
    all.push_back(std::move(m).value());
  }
  if (a.as_json) {
    std::vector<std::string> items;
    for (const Measured& m : all) items.push_back(json_of(m));
    print(json_object({{"array", json(describe(file->array))},
                       {"source", json(a.file.empty() ? a.field : a.file)},
                       {"threads", json(a.threads)},
                       {"repeats", json(a.repeats)},
                       {"first_frame_ms", json(*first_ms)},
                       {"peak_resident_bytes", json(peak_resident())},
                       {"runs", json_array(items)}}) +
          "\n");
  } else {
    print(head_text(a, *file, *first_ms));
    print(all.size() == 1 ? text_of(all.front()) : summary(all) + device_summary(all));
  }
  if (over > 0) return Status(Code::internal, std::to_string(over) + " values are over the bound");
  return 0;
}

}  // namespace

Verb add_bench(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "bench",
      "Speed each way, memcpy beside it, ratio, error, memory, on an array made here or a file");
  a->request.add_to(verb);
  a->array.add_to(verb);
  verb.add_option("--size", a->size, "of the array made here")->capture_default_str();
  verb.add_option("--field", a->field, "turb, smooth, noise, sparse or constant")
      ->capture_default_str();
  verb.add_option("--file", a->file, "raw values (say --type), or FILE.h5:/path, instead");
  verb.add_option("--bound", a->bound, "of lossy pipelines, in --mode");
  verb.add_option("--mode", a->mode, "abs, rel, noa or prel")->capture_default_str();
  verb.add_option("--threads", a->threads, "0: all cores (default: FZM_THREADS, else 1)")
      ->capture_default_str();
  verb.add_option("--backend", a->backend, "auto, host or cuda; cuda also times the device by itself")
      ->check(CLI::IsMember({"auto", "host", "cuda"}))
      ->capture_default_str();
  verb.add_option("--repeat", a->repeats, "rounds measured, after one that is not")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb.add_flag("--all-presets", a->all_presets, "a table of all");
  verb.add_flag("--json", a->as_json, "for programs");
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
