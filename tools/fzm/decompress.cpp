// fzm decompress: a frame on disk into raw values or a dataset.
#include <memory>

#include "tools/fzm/array_file.h"
#include "tools/fzm/files.h"
#include "tools/fzm/hdf5_file.h"
#include "tools/fzm/progress.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  std::string in, out;
  uint32_t threads = threads_from_environment(0);
};

Result<int> run(const Arguments& a) {
  Progress progress("decompressing " + a.in);
  const auto frame = read_file(a.in);
  if (!frame.ok()) return frame.status();
  const Result<ArrayFile> file = decode_frame(*frame, a.threads);
  if (!file.ok()) return file.status().at(a.in);
  const auto dataset = dataset_path(a.out);
  FZM_TRY(dataset ? Dataset::write(*dataset, file->array, file->bytes)
                  : write_file(a.out, file->bytes));
  print(format("%s: %s, %zu bytes\n", a.out.c_str(), describe(file->array).c_str(),
               file->bytes.size()));
  return 0;
}

}  // namespace

Verb add_decompress(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "decompress", "A frame (.fzm) into raw values or a new dataset (FILE.h5:/path)");
  verb.add_option("IN", a->in, "the frame")->required();
  verb.add_option("OUT", a->out, "raw values, or FILE.h5:/path")->required();
  verb.add_option("--threads", a->threads, "0: all cores (the default; or FZM_THREADS)");
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
