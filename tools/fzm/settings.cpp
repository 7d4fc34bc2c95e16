#include "tools/fzm/settings.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include "tools/fzm/files.h"
#include "tools/fzm/text.h"

namespace fzm::cli {
namespace {

Status fault(const std::string& sentence) { return Status(Code::bad_request, sentence); }

Result<Request> start(const RequestSettings& s) {
  if (!s.toml.empty()) {
    const auto text = read_file(s.toml);
    if (!text.ok()) return text.status();
    return Request::from_toml(
        std::string_view(reinterpret_cast<const char*>(text->data()), text->size()), s.toml);
  }
  if (!s.options.empty()) return Request::from_options(s.options);
  return Request::from_preset(s.preset.empty() ? "lossless" : s.preset);
}

struct ShortName {
  const char* name;
  DType type;
};
constexpr ShortName kShortNames[] = {
    {"u8", DType::u8},   {"u16", DType::u16}, {"u32", DType::u32}, {"u64", DType::u64},
    {"i8", DType::i8},   {"i16", DType::i16}, {"i32", DType::i32}, {"i64", DType::i64},
    {"f32", DType::f32}, {"f64", DType::f64},
};

// The value as a pattern of the type's bits. Errors: integers out of range are not told apart from
// others.
uint64_t bits_of(DType type, double value) {
  if (type == DType::f64) return std::bit_cast<uint64_t>(value);
  if (type == DType::f32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  const uint64_t bits =
      value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
  const uint32_t width = 8 * dtype_bytes(type);
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

}  // namespace

void RequestSettings::add_bounds_to(CLI::App& verb) {
  CLI::Option_group& group = *verb.add_option_group("Bound", "what |x - x'| may be at most");
  group.add_option("--abs", abs, "a number");
  group.add_option("--rel", rel, "times |x|");
  group.add_option("--noa", noa, "times max - min of a chunk");
  group.add_option("--prel", prel, "times max |x| of a chunk");
  group.require_option(0, 1);
}

void RequestSettings::add_to(CLI::App& verb) {
  CLI::Option_group& group = *verb.add_option_group("Pipeline", "default: the preset lossless");
  group.add_option("--preset", preset, "name of a preset (see: fzm presets)");
  group.add_option("--options", options,
                   "preset and settings in one text: \"preset=fsz, abs=1e-3\"");
  group.add_option("--toml", toml, "a pipeline file");
  group.require_option(0, 1);
  add_bounds_to(verb);
  verb.add_option("--set", changes, "KEY=VALUE: a parameter of one stage, mask=no, fill=no")
      ->take_all();
}

std::pair<BoundMode, double> RequestSettings::bound() const {
  if (abs) return {BoundMode::abs, *abs};
  if (rel) return {BoundMode::rel, *rel};
  if (noa) return {BoundMode::noa, *noa};
  if (prel) return {BoundMode::prel, *prel};
  return {BoundMode::none, 0};
}

Result<Request> RequestSettings::request() const {
  Result<Request> request = start(*this);
  if (!request.ok()) return request;
  if (const auto [mode, value] = bound(); mode != BoundMode::none)
    FZM_TRY(request.value().set_bound(mode, value));
  for (const std::string& change : changes) {
    const size_t equals = change.find('=');
    if (equals == std::string::npos) return fault("--set " + change + ": must be KEY=VALUE");
    FZM_TRY(request.value().set(change.substr(0, equals), change.substr(equals + 1)));
  }
  return request;
}

void ArraySettings::add_to(CLI::App& verb) {
  verb.add_option("--type", type, "of raw values: f32, f64, i8 ... u64 (or float32, int16, ...)");
  verb.add_option("--shape", shape, "of raw values, slowest axis first: 64x512x512");
  verb.add_flag("--big-endian", big_endian, "raw values are big-endian");
  verb.add_option("--fill", fill, "raw values equal to this one are missing");
}

Result<DType> ArraySettings::dtype() const {
  for (const ShortName& s : kShortNames)
    if (type == s.name) return s.type;
  const DType named = dtype_named(type);
  if (named != DType::unknown) return named;
  return fault("--type " + type + ": must be f32, f64, i8, i16, i32, i64, u8, u16, u32 or u64");
}

Result<ArrayInfo> ArraySettings::array(uint64_t bytes) const {
  ArrayInfo array;
  if (!type.empty()) {
    const Result<DType> known = dtype();
    if (!known.ok()) return known.status();
    array.type = *known;
  }
  array.big_endian = big_endian;
  const uint32_t item = array.bytes_per_item();
  if (bytes % item != 0)
    return fault(format("%llu bytes are no whole number of %s values",
                        static_cast<unsigned long long>(bytes), type.c_str()));
  array.shape = {bytes / item};
  if (!shape.empty()) {
    const Result<Shape> given = read_shape(shape);
    if (!given.ok()) return given.status();
    array.shape = *given;
  }
  uint64_t values = 1;
  for (const uint64_t extent : array.shape) values *= extent;
  if (values != bytes / item)
    return fault("--shape " + shape + " is " + std::to_string(values) + " values, the data has " +
                 std::to_string(bytes / item));
  if (fill) {
    array.has_fill = true;
    array.fill_bits = bits_of(array.type, *fill);
  }
  return array;
}

Result<Shape> read_shape(const std::string& text) {
  Shape shape;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of("xX, ", at), text.size());
    const std::string part = text.substr(at, end - at);
    if (part.empty() || part.size() > 18 ||
        part.find_first_not_of("0123456789") != std::string::npos || std::stoull(part) == 0)
      return fault("--shape " + text +
                   ": must be positive numbers with an x between, like 64x512x512");
    shape.push_back(std::stoull(part));
    at = end + 1;
  }
  if (shape.empty() || shape.size() > kMaxRank)
    return fault("--shape " + text + ": must have 1 to 32 extents");
  return shape;
}

Result<uint64_t> read_size(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  double scale = 1;
  if (!unit.empty()) {
    const size_t power = std::string("KMGT").find(
        static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
    const std::string rest = unit.substr(1);
    if (power == std::string::npos || !(rest.empty() || rest == "B" || rest == "iB"))
      return fault("a size of '" + text + "': must be a number and K, M or G, like 64M");
    scale = std::exp2(10.0 * static_cast<double>(power + 1));
  }
  const double bytes = number * scale;
  if (end == text.c_str() || !(bytes >= 1) || bytes > 1e15)
    return fault("a size of '" + text + "': must be a number and K, M or G, like 64M");
  return static_cast<uint64_t>(bytes);
}

}  // namespace fzm::cli
