// fzm compress: an array into one frame on disk.
#include <memory>

#include "tools/fzm/array_file.h"
#include "tools/fzm/files.h"
#include "tools/fzm/hdf5_file.h"
#include "tools/fzm/json.h"
#include "tools/fzm/progress.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  std::string in, out;
  RequestSettings request;
  ArraySettings array;
  uint32_t threads = threads_from_environment(0);
  bool as_json = false;
};

void report(const Arguments& a, const Request& request, const ArrayFile& file, size_t frame_bytes) {
  const double ratio =
      frame_bytes == 0 ? 0
                       : static_cast<double>(file.bytes.size()) / static_cast<double>(frame_bytes);
  if (a.as_json) {
    print(json_object({{"array", json(describe(file.array))},
                       {"request", json(request.to_sentence())},
                       {"raw_bytes", json(file.bytes.size())},
                       {"frame_bytes", json(frame_bytes)},
                       {"ratio", json(ratio)}}) +
          "\n");
    return;
  }
  print(format("%s: %s, %s\n", a.out.c_str(), describe(file.array).c_str(),
               request.to_sentence().c_str()));
  print(format("%zu -> %zu bytes, ratio %.4g\n", file.bytes.size(), frame_bytes, ratio));
}

Result<int> run(const Arguments& a) {
  const Result<Request> request = a.request.request();
  if (!request.ok()) return request.status();
  Progress progress("compressing " + a.in);
  const Result<ArrayFile> file = read_array(a.in, a.array, a.threads);
  if (!file.ok()) return file.status();
  if (request->is_lossy() && a.array.type.empty() && file->array.type == DType::unknown &&
      !dataset_path(a.in))
    return Status(Code::bad_request,
                  a.in + ": a bound needs values: say --type, or FILE.h5:/path for a dataset");
  const Result<EncodedFrame> frame =
      encode(*request, file->array, file->bytes.data(), Options{.threads = a.threads});
  if (!frame.ok()) {
    const bool is_large = frame.status().code() == Code::too_large;
    return frame.status().at(
        is_large ? a.in + " does not fit one frame; store it in an HDF5 file with chunks" : a.in);
  }
  std::vector<uint8_t> bytes(frame->size());
  frame->copy_to(bytes.data());
  FZM_TRY(write_file(a.out, bytes));
  report(a, *request, *file, bytes.size());
  return 0;
}

}  // namespace

Verb add_compress(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "compress", "A raw file or a dataset (FILE.h5:/path) into a frame (.fzm)");
  verb.add_option("IN", a->in, "raw values (say --type and --shape), or FILE.h5:/path")->required();
  verb.add_option("OUT", a->out, "the frame")->required();
  a->request.add_to(verb);
  a->array.add_to(verb);
  verb.add_option("--threads", a->threads, "0: all cores (the default; or FZM_THREADS)");
  verb.add_flag("--json", a->as_json, "for programs");
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
