#include "tools/fzm/spellings.h"

#include <bit>
#include <cerrno>
#include <cstdlib>

#include "filter/id.h"
#include "tools/fzm/text.h"

namespace fzm::cli {
namespace {

std::string id() { return std::to_string(H5Z_FILTER_FZM); }

std::string comma_list(const std::vector<uint32_t>& words, const char* suffix = "") {
  std::vector<std::string> parts;
  for (const uint32_t w : words) parts.push_back(std::to_string(w) + suffix);
  return joined(parts, ", ");
}

std::string tight_list(const std::vector<uint32_t>& words) {
  std::string all;
  for (const uint32_t w : words) all += "," + std::to_string(w);
  return all;
}

// Default integers are signed, and the lowest one has no literal.
std::string fortran_word(uint32_t word) {
  const auto number = static_cast<int32_t>(word);
  return number == INT32_MIN ? "-2147483647-1" : std::to_string(number);
}

std::string fortran_list(const std::vector<uint32_t>& words) {
  std::vector<std::string> parts;
  for (const uint32_t w : words) parts.push_back(fortran_word(w));
  return joined(parts, ", ");
}

std::string python_tuple(const std::vector<uint32_t>& words) {
  return "(" + comma_list(words) + (words.size() == 1 ? ",)" : ")");
}

// Preset, mode and a double, which netCDF's tools can be given as such.
std::string nccopy_words(const std::vector<uint32_t>& words) {
  if (words.size() != 4 || words[0] > 0xFFFF || words[1] == 0) return tight_list(words);
  const double bound = std::bit_cast<double>(uint64_t{words[3]} << 32 | words[2]);
  return "," + std::to_string(words[0]) + "," + std::to_string(words[1]) + "," +
         format("%.17g", bound) + "d";
}

// nccopy's number must read back as the same double; %.17g does, but a shorter one is nicer where
// it also does.
std::string shortened(const std::string& text) {
  const size_t comma = text.rfind(',');
  if (text.empty() || text.back() != 'd') return text;
  const double bound = std::strtod(text.c_str() + comma + 1, nullptr);
  for (int digits = 1; digits < 17; ++digits) {
    const std::string number = format("%.*g", digits, bound);
    if (std::strtod(number.c_str(), nullptr) == bound)
      return text.substr(0, comma + 1) + number + "d";
  }
  return text;
}

bool is_between(char c) {
  return std::string_view(" ,;\t\r\n()[]{}").find(c) != std::string_view::npos;
}

Status fault(const std::string& sentence) { return Status(Code::bad_words, sentence); }

// Drops the filter's number in front of ncdump's _Filter, which no list of words begins with.
std::vector<uint32_t> without_id(std::vector<uint32_t> words) {
  if (!words.empty() && words[0] == H5Z_FILTER_FZM) words.erase(words.begin());
  return words;
}

// Drops "UD=id,flag,count" in front of h5repack's list.
Result<std::vector<uint32_t>> without_prefix(std::vector<uint32_t> words) {
  if (words.size() < 3 || words[0] != H5Z_FILTER_FZM || words[2] != words.size() - 3)
    return fault("--words UD=...: must be UD=" + id() + ",0,N and N words");
  words.erase(words.begin(), words.begin() + 3);
  return words;
}

}  // namespace

std::vector<Spelling> spellings_of(const std::vector<uint32_t>& words) {
  const std::string count = std::to_string(words.size());
  std::vector<Spelling> all;
  all.push_back({"cd_values", comma_list(words)});
  all.push_back(
      {"h5repack", "h5repack -f UD=" + id() + ",0," + count + tight_list(words) + " IN OUT"});
  all.push_back(
      {"nccopy", "nccopy -4 -F \"*," + id() + shortened(nccopy_words(words)) + "\" IN OUT"});
  all.push_back({"CDL", "_Filter = \"" + id() + tight_list(words) + "\""});
  all.push_back({"h5py", "f.create_dataset(name, data=data, chunks=chunks, compression=" + id() +
                             ", compression_opts=" + python_tuple(words) + ")"});
  all.push_back({"C", "const unsigned cd_values[" + count + "] = {" + comma_list(words, "u") +
                          "}; H5Pset_filter(dcpl, " + id() + ", H5Z_FLAG_MANDATORY, " + count +
                          ", cd_values);"});
  all.push_back({"Fortran", "call h5pset_filter_f(dcpl, " + id() + ", H5Z_FLAG_MANDATORY_F, " +
                                count + "_size_t, [" + fortran_list(words) + "], error)"});
  return all;
}

Result<std::vector<uint32_t>> read_word_list(const std::string& text) {
  std::vector<uint32_t> words;
  const bool has_prefix = text.rfind("UD=", 0) == 0;
  for (size_t at = has_prefix ? 3 : 0; at < text.size();) {
    if (is_between(text[at])) {
      ++at;
      continue;
    }
    char* end = nullptr;
    errno = 0;
    const long long number = std::strtoll(text.c_str() + at, &end, 0);
    const auto stop = static_cast<size_t>(end - text.c_str());
    const bool is_word = stop > at && errno == 0 && number >= INT32_MIN &&
                         number <= static_cast<long long>(UINT32_MAX);
    if (!is_word || (stop < text.size() && !is_between(text[stop])))
      return fault("--words: '" + text.substr(at, text.find_first_of(" ,;", at) - at) +
                   "' is no whole number of 32 bits");
    words.push_back(static_cast<uint32_t>(number));
    at = stop;
  }
  return has_prefix ? without_prefix(std::move(words))
                    : Result<std::vector<uint32_t>>(without_id(std::move(words)));
}

}  // namespace fzm::cli
