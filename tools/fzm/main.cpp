// fzm: the command line. Exit status 0: done; 1: not done, or the answer is no; 2: the command was
// not understood.
#include <cstdio>
#include <exception>
#include <vector>

#include "tools/fzm/verbs.h"

namespace {

constexpr int kFailed = 1, kUsage = 2;

int fail(int status, const std::string& sentence) {
  std::fprintf(stderr, "fzm: %s\n", sentence.c_str());
  return status;
}

// Help and version come as "errors" with status 0, and go to stdout.
int report(const CLI::App& app, const CLI::ParseError& e) {
  if (e.get_exit_code() == 0) return app.exit(e);
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (const std::vector<std::string> rest = app.remaining(); chosen.empty() && !rest.empty())
    return fail(kUsage, "'" + rest.front() + "' is no subcommand (see: fzm --help)");
  const std::string verb = chosen.empty() ? "" : " " + chosen.front()->get_name();
  return fail(kUsage, std::string(e.what()) + " (see: fzm" + verb + " --help)");
}

int run(int argc, char** argv) {
  CLI::App app("Error-bounded compression of scientific arrays", "fzm");
  app.set_version_flag("--version", "fzm " + std::string(fzm::kVersion));
  app.require_subcommand(1);
  const fzm::cli::Verb verbs[] = {
      fzm::cli::add_stages(app),  fzm::cli::add_presets(app),  fzm::cli::add_plan(app),
      fzm::cli::add_params(app),  fzm::cli::add_compress(app), fzm::cli::add_decompress(app),
      fzm::cli::add_inspect(app), fzm::cli::add_compare(app),  fzm::cli::add_bench(app),
      fzm::cli::add_doctor(app),
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return report(app, e);
  }
  for (const fzm::cli::Verb& verb : verbs) {
    if (!verb.parser->parsed()) continue;
    const fzm::Result<int> done = verb.work();
    if (!done.ok()) return fail(kFailed, done.status().message());
    if (std::fflush(stdout) != 0) return fail(kFailed, "stdout: cannot write everything");
    return *done;
  }
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "not enough memory");
  } catch (const std::exception& e) {
    return fail(kFailed, e.what());
  }
}
