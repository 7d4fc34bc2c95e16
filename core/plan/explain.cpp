// The plan in words and as JSON.
#include <cstdio>

#include "core/plan/plan.h"

namespace fzm {
namespace {

std::string port_name(const Plan& plan, const Edge& e) {
  if (e.from == kExternal) return "chunk";
  const PlannedStage& s = plan.stages[static_cast<size_t>(e.from)];
  return s.name + "." + std::string(s.stage->outputs[e.port].name);
}

std::string number(uint64_t n) { return std::to_string(n); }

std::string quoted(std::string_view text) {
  std::string q = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') q += '\\';
    if (static_cast<unsigned char>(c) < 0x20) q += ' ';
    else q += c;
  }
  return q + '"';
}

std::string params_text(const PlannedStage& s) {
  std::string text;
  const Object defaults = default_params(*s.stage);
  for (const Param& row : s.stage->params) {
    const ParamValue v = row.get(s.params.data());
    if (!(v == row.get(defaults.data()))) text += (text.empty() ? "" : ", ") + std::string(row.name) + "=" + to_text(row, v);
  }
  return text;
}

// "generic walk", or the name of the tuned path.
std::string path_of(const Group& g) { return g.fast.encode ? std::string("tuned: ") + g.fast.name : "block walk"; }

std::string members(const Plan& plan, const Group& g, const char* between) {
  std::string text;
  for (const uint32_t i : g.stages) text += (text.empty() ? "" : between) + plan.stages[i].name;
  return text;
}

template <class T, class F>
std::string list(const T& items, F text) {
  std::string all;
  for (size_t i = 0; i < items.size(); ++i) all += (i ? "," : "") + text(items[i], i);
  return "[" + all + "]";
}

}  // namespace

std::string explain(const Plan& plan) {
  const uint32_t item = plan.array.bytes_per_item();
  std::string text = "chunk " + to_string(plan.array.shape) + " " +
                     (plan.array.type == DType::unknown ? "items of " + number(item) + " bytes" : std::string(dtype_name(plan.array.type))) +
                     (plan.array.big_endian ? " big-endian" : "") + ", " + number(plan.raw_bytes) + " bytes\nstages\n";
  for (const PlannedStage& s : plan.stages) {
    text += "  " + s.name + " (" + std::string(s.stage->name) + "): " + port_name(plan, s.input) + " -> " +
            std::string(dtype_name(s.in)) + " to " + (s.stage->role == Role::pack ? "bytes" : std::string(dtype_name(s.out)));
    const std::string params = params_text(s);
    text += params.empty() ? "\n" : "; " + params + "\n";
  }
  text += "groups\n";
  for (const Group& g : plan.groups) {
    text += "  " + members(plan, g, " + ") + ": blocks of " + number(g.block_values) + " values, " + path_of(g);
    text += g.why_not_fused.empty() ? "\n" : "; ends because " + g.why_not_fused + "\n";
  }
  text += "stored ports\n";
  for (const Edge& e : plan.segments) text += "  " + port_name(plan, e) + "\n";
  text += "buffers between groups\n";
  for (const Slot& s : plan.slots)
    text += "  " + port_name(plan, s.port) + ": " + number(s.bytes) + " bytes, memory " + number(s.color) + "\n";
  return text + "working memory at most " + number(encode_working_bytes(plan)) + " bytes besides input and frame\n";
}

std::string explain_json(const Plan& plan) {
  std::string text = "{\"chunk\":{\"type\":" + quoted(dtype_name(plan.array.type)) +
                     ",\"shape\":" + list(plan.array.shape, [](uint64_t n, size_t) { return number(n); }) +
                     ",\"bytes\":" + number(plan.raw_bytes) + "}";
  text += ",\"stages\":" + list(plan.stages, [&](const PlannedStage& s, size_t) {
            return "{\"name\":" + quoted(s.name) + ",\"type\":" + quoted(s.stage->name) + ",\"reads\":" + quoted(port_name(plan, s.input)) +
                   ",\"in\":" + quoted(dtype_name(s.in)) + ",\"out\":" + quoted(dtype_name(s.out)) +
                   ",\"params\":" + quoted(params_text(s)) + "}";
          });
  text += ",\"groups\":" + list(plan.groups, [&](const Group& g, size_t) {
            return "{\"stages\":" + list(g.stages, [&](uint32_t i, size_t) { return quoted(plan.stages[i].name); }) +
                   ",\"block_values\":" + number(g.block_values) + ",\"path\":" + quoted(path_of(g)) +
                   ",\"ends_because\":" + quoted(g.why_not_fused) + "}";
          });
  text += ",\"segments\":" + list(plan.segments, [&](const Edge& e, size_t) { return quoted(port_name(plan, e)); });
  text += ",\"slots\":" + list(plan.slots, [&](const Slot& s, size_t) {
            return "{\"port\":" + quoted(port_name(plan, s.port)) + ",\"bytes\":" + number(s.bytes) + ",\"memory\":" + number(s.color) + "}";
          });
  return text + ",\"working_bytes\":" + number(working_bytes(plan)) + "}";
}

}  // namespace fzm
