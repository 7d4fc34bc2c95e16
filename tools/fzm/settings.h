// The options that say how to compress and what an array looks like, the same for every verb that
// needs them.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/fzm.h"

namespace fzm::cli {

// --preset, --options or --toml; one bound; --set KEY=VALUE.
struct RequestSettings {
  std::string preset, options, toml;
  std::optional<double> abs, rel, noa, prel;
  std::vector<std::string> changes;

  void add_to(CLI::App& verb);
  void add_bounds_to(CLI::App& verb);
  bool is_given() const { return !preset.empty() || !options.empty() || !toml.empty(); }
  // Errors: no such preset, keys, values; a file that cannot be read.
  Result<Request> request() const;
  // The one bound given, mode none if there is none.
  std::pair<BoundMode, double> bound() const;
};

// --type, --shape, --big-endian: what a raw file does not say.
struct ArraySettings {
  std::string type, shape;
  bool big_endian = false;
  std::optional<double> fill;

  void add_to(CLI::App& verb);
  // "f32", "float32", "int16", ...
  Result<DType> dtype() const;
  // For a file of `bytes`; without --shape it is one row. Errors: a shape that is not the file's.
  Result<ArrayInfo> array(uint64_t bytes) const;
};

// "64x512x512"; also commas and blanks between.
Result<Shape> read_shape(const std::string& text);
// "64M", "4096", "1.5GiB": powers of 1024.
Result<uint64_t> read_size(const std::string& text);

}  // namespace fzm::cli
