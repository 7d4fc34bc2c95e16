#include "core/spec/connect.h"
#include "core/spec/pipeline_file.h"
#include "core/spec/value_text.h"

namespace fzm {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<uint8_t>(c) >= 0x20 && c != 0x7F) {
      out += c;
    } else {
      static constexpr char kDigits[] = "0123456789abcdef";
      out += std::string("\\u00") + kDigits[static_cast<uint8_t>(c) >> 4] + kDigits[c & 15];
    }
  }
  return out + "\"";
}

// A TOML real needs a point or an exponent.
std::string real(double v) {
  const std::string text = real_text(v);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

std::string value(const Param& row, const ParamValue& v) {
  const std::string text = value_text(row, v);
  switch (row.kind) {
    case ParamKind::boolean:
    case ParamKind::count:
      return text;
    case ParamKind::real:
      return real(v.real);
    case ParamKind::wide:
      return v.whole > INT64_MAX ? quoted(text) : text;
    case ParamKind::bits:
    case ParamKind::choice:
    case ParamKind::type:
      return quoted(text);
  }
  return text;
}

std::string list(const std::vector<uint64_t>& numbers) {
  std::string text;
  for (const uint64_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

std::string pipeline_table(const RunOptions& run, bool use_fill) {
  const RunOptions defaults;
  std::string text = "[pipeline]\n";
  const auto line = [&](const char* key, const std::string& v, bool differs) {
    if (differs) text += std::string(key) + " = " + v + "\n";
  };
  line("memory_strategy", quoted(run.memory_strategy),
       run.memory_strategy != defaults.memory_strategy);
  line("pool_multiplier", real(run.pool_multiplier),
       run.pool_multiplier != defaults.pool_multiplier);
  line("num_streams", std::to_string(run.streams), run.streams != defaults.streams);
  line("coloring", run.coloring ? "true" : "false", run.coloring != defaults.coloring);
  line("specialization", quoted(run.specialization), run.specialization != defaults.specialization);
  line("input_size", std::to_string(run.input_size), run.input_size != defaults.input_size);
  line("dims", list(run.dims), run.dims != defaults.dims);
  line("primary_source", quoted(run.primary_source), run.primary_source != defaults.primary_source);
  line("fill", "false", !use_fill);
  return text;
}

std::string input_list(const Spec& spec, const StageSpec& s) {
  std::string text;
  for (const Edge& e : s.inputs) {
    text += text.empty() ? "" : ", ";
    if (e.from == kExternal) {
      text += "{from = \"" + std::string(kExternalName) + "\"}";
      continue;
    }
    const StageSpec& from = spec.stages[static_cast<size_t>(e.from)];
    text += "{from = " + quoted(from.name) +
            ", port = " + quoted(from.stage->outputs[e.port].name) + "}";
  }
  return "[" + text + "]";
}

std::string stage_table(const Spec& spec, const StageSpec& s) {
  std::string text =
      "\n[[stage]]\nname = " + quoted(s.name) + "\ntype = " + quoted(s.stage->name) + "\n";
  text += "inputs = " + input_list(spec, s) + "\n";
  const Object defaults = default_params(*s.stage);
  for (const Param& row : s.stage->params) {
    const ParamValue v = value_of(row, s.params.data());
    if (!(v == value_of(row, defaults.data())))
      text += std::string(row.name) + " = " + value(row, v) + "\n";
  }
  return text;
}

}  // namespace

std::string write_pipeline(const Spec& spec, bool use_fill) {
  std::string text = pipeline_table(spec.run, use_fill);
  for (const StageSpec& s : spec.stages) text += stage_table(spec, s);
  return text;
}

}  // namespace fzm
