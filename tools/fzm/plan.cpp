// fzm plan: what would be done with an array, without doing it.
#include <memory>

#include "tools/fzm/settings.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  RequestSettings request;
  ArraySettings array;
  bool as_json = false;
};

Result<ArrayInfo> array_of(const ArraySettings& settings) {
  const Result<Shape> shape = read_shape(settings.shape);
  if (!shape.ok()) return shape.status();
  const Result<DType> type = settings.dtype();
  if (!type.ok()) return type.status();
  uint64_t bytes = dtype_bytes(*type);
  for (const uint64_t extent : *shape) bytes *= extent;
  return settings.array(bytes);
}

Result<int> run(const Arguments& a) {
  const Result<Request> request = a.request.request();
  if (!request.ok()) return request.status();
  const Result<ArrayInfo> array = array_of(a.array);
  if (!array.ok()) return array.status();
  const Result<std::string> text =
      a.as_json ? explain_json(*request, *array) : explain(*request, *array);
  if (!text.ok()) return text.status();
  if (!a.as_json) print(request->to_sentence() + "\n");
  print(*text);
  if (text->empty() || text->back() != '\n') print("\n");
  return 0;
}

}  // namespace

Verb add_plan(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "plan", "What would be done with an array: stages, types, groups, buffers, peak memory");
  a->request.add_to(verb);
  a->array.add_to(verb);
  verb.get_option("--type")->required();
  verb.get_option("--shape")->required();
  verb.add_flag("--json", a->as_json, "for programs");
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
