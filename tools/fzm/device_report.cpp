#include "tools/fzm/device_report.h"

#include <algorithm>

#include "tools/fzm/json.h"

namespace fzm::cli {
namespace {

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds.empty() ? 0 : seconds[seconds.size() / 2];
}

// Of a copy within the device: bytes read and written.
double copy_gb_s(const DeviceTimes& t) {
  return 2e-9 * static_cast<double>(t.raw_bytes) / median(t.copy_seconds);
}

struct Speed {
  double gb_s;             // of the chunk
  double percent_of_copy;  // of the time a copy takes for what must be read and written: chunk and frame
  double peak;             // device memory, in chunks
};
Speed speed_of(const DeviceTimes& t, const DeviceRuns& runs, uint64_t frame_bytes) {
  const double seconds = median(runs.seconds), raw = static_cast<double>(t.raw_bytes);
  const double moved = 1e-9 * (raw + static_cast<double>(frame_bytes));
  return {1e-9 * raw / seconds, 100 * moved / copy_gb_s(t) / seconds,
          static_cast<double>(runs.peak_bytes) / std::max(raw, 1.0)};
}

std::string line(const char* what, const DeviceTimes& t, const DeviceRuns& runs, uint64_t frame_bytes) {
  const Speed s = speed_of(t, runs, frame_bytes);
  return format("  %-10s %6.1f GB/s median, %4.1f %% of a device copy; %llu kernels, %.2f x the chunk of device memory\n",
                what, s.gb_s, s.percent_of_copy, static_cast<unsigned long long>(runs.launches), s.peak);
}

std::string runs_json(const DeviceTimes& t, const DeviceRuns& runs, uint64_t frame_bytes) {
  const Speed s = speed_of(t, runs, frame_bytes);
  return json_object({{"gb_s", json(s.gb_s)},
                      {"percent_of_copy", json(s.percent_of_copy)},
                      {"launches", json(runs.launches)},
                      {"peak_bytes", json(runs.peak_bytes)}});
}

}  // namespace

std::string to_text(const DeviceTimes& t, uint64_t frame_bytes) {
  return t.device + ", arrays there already\n" + line("encode", t, t.encode, frame_bytes) +
         line("decode", t, t.decode, frame_bytes) + format("  %-10s %6.0f GB/s, read and written\n", "copy", copy_gb_s(t));
}

std::string to_json(const DeviceTimes& t, uint64_t frame_bytes) {
  return json_object({{"name", json(t.device)},
                      {"encode", runs_json(t, t.encode, frame_bytes)},
                      {"decode", runs_json(t, t.decode, frame_bytes)},
                      {"copy_gb_s", json(copy_gb_s(t))}});
}

DeviceTable::DeviceTable()
    : table_({"on the device", "encode GB/s", "% copy", "decode GB/s", "% copy", "host: encode", "decode", "kernels", "x chunk"}) {}

void DeviceTable::add(const std::string& preset, const DeviceTimes& t, uint64_t frame_bytes, double host_encode,
                      double host_decode) {
  const Speed e = speed_of(t, t.encode, frame_bytes), d = speed_of(t, t.decode, frame_bytes);
  device_ = t.device + format(", copy within it %.0f GB/s read and written", copy_gb_s(t));
  table_.add({preset, format("%.1f", e.gb_s), format("%.1f", e.percent_of_copy), format("%.1f", d.gb_s),
              format("%.1f", d.percent_of_copy), format("%.2f", host_encode), format("%.2f", host_decode),
              format("%llu + %llu", static_cast<unsigned long long>(t.encode.launches),
                     static_cast<unsigned long long>(t.decode.launches)),
              format("%.2f", std::max(e.peak, d.peak))});
}

std::string DeviceTable::text() const {
  return device_.empty() ? "" : "\n" + device_ + "\n" + table_.text();
}

}  // namespace fzm::cli
