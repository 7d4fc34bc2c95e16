// fzm params: settings as cd_values in every program's spelling, and cd_values as a sentence.
#include <memory>

#include "filter/id.h"
#include "tools/fzm/json.h"
#include "tools/fzm/settings.h"
#include "tools/fzm/spellings.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  RequestSettings request;
  std::string words;
  bool as_json = false;
};

// What a stored list says beyond the request.
std::string array_text(const ArrayInfo& array) {
  const std::string type = array.type == DType::unknown
                               ? std::to_string(array.item_bytes) + "-byte items"
                               : std::string(dtype_name(array.type));
  return to_string(array.shape) + " " + type + (array.big_endian ? ", big-endian" : "") +
         (array.has_fill ? ", with a fill value" : "");
}

Result<int> explain_words(const Arguments& a) {
  const auto list = read_word_list(a.words);
  if (!list.ok()) return list.status();
  const Result<Words> words = read_words(*list);
  if (!words.ok()) return words.status();
  if (a.as_json) {
    print(json_object({{"words", json_list(*list)},
                       {"sentence", json(words->request.to_sentence())},
                       {"options", json(words->request.to_options())},
                       {"toml", json(words->request.to_toml())},
                       {"chunk", words->array ? json(array_text(*words->array)) : "null"}}) +
          "\n");
    return 0;
  }
  print(words->request.to_sentence() + "\n");
  if (words->array) print("chunk    " + array_text(*words->array) + "\n");
  if (!words->request.to_options().empty()) print("options  " + words->request.to_options() + "\n");
  return 0;
}

Result<int> spell_request(const Arguments& a) {
  const Result<Request> request = a.request.request();
  if (!request.ok()) return request.status();
  const auto words = write_words(*request);
  if (!words.ok()) return words.status();
  const std::vector<Spelling> spellings = spellings_of(*words);
  if (a.as_json) {
    std::vector<std::pair<std::string, std::string>> members{
        {"id", json(H5Z_FILTER_FZM)},
        {"words", json_list(*words)},
        {"sentence", json(request->to_sentence())}};
    for (const Spelling& s : spellings) members.emplace_back(s.program, json(s.text));
    print(json_object(members) + "\n");
    return 0;
  }
  print(request->to_sentence() + "\n");
  for (const Spelling& s : spellings)
    print(format("%-10s %s\n", s.program.c_str(), s.text.c_str()));
  return 0;
}

Result<int> run(const Arguments& a, bool has_words) {
  return has_words ? explain_words(a) : spell_request(a);
}

}  // namespace

Verb add_params(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb = *fzm.add_subcommand(
      "params", "Settings as cd_values for h5repack, nccopy, h5py, C, Fortran; and back (--words)");
  a->request.add_to(verb);
  CLI::Option* const words = verb.add_option(
      "--words", a->words,
      "cd_values as h5dump (signed), h5ls (unsigned) or ncdump (with the filter's number) print "
      "them: \"1,1,-755914244,1062232653\"");
  verb.add_flag("--json", a->as_json, "for programs");
  return {&verb, [a, words] { return run(*a, words->count() > 0); }};
}

}  // namespace fzm::cli
