// The verbs of the command line, one file each. A verb adds itself to the parser and returns what
// runs when it was chosen.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

#include "core/fzm.h"

namespace fzm::cli {

// The process's exit status; a Status that is not ok becomes one line on stderr and exit status 1.
using Work = std::function<Result<int>()>;

struct Verb {
  CLI::App* parser;
  Work work;
};

Verb add_stages(CLI::App& fzm);
Verb add_presets(CLI::App& fzm);
Verb add_plan(CLI::App& fzm);
Verb add_params(CLI::App& fzm);
Verb add_compress(CLI::App& fzm);
Verb add_decompress(CLI::App& fzm);
Verb add_inspect(CLI::App& fzm);
Verb add_compare(CLI::App& fzm);
Verb add_bench(CLI::App& fzm);
Verb add_doctor(CLI::App& fzm);

}  // namespace fzm::cli
