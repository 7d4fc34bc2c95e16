// fzm compare: how far two arrays are apart, exactly.
#include <memory>

#include "tools/fzm/array_file.h"
#include "tools/fzm/difference.h"
#include "tools/fzm/json.h"
#include "tools/fzm/progress.h"
#include "tools/fzm/text.h"
#include "tools/fzm/verbs.h"

namespace fzm::cli {
namespace {

struct Arguments {
  std::string a, b;
  ArraySettings array;
  RequestSettings bound;
  bool as_json = false;
};

constexpr std::string_view kModes[] = {"none", "abs", "rel", "noa", "prel"};

Status check_alike(const Arguments& args, const ArrayInfo& a, const ArrayInfo& b) {
  if (a.type != b.type || a.bytes_per_item() != b.bytes_per_item() || a.shape != b.shape)
    return Status(Code::bad_request, args.a + " is " + describe(a) + ", " + args.b + " is " +
                                         describe(b) + ": nothing to compare");
  return {};
}

std::string bar(uint64_t count, uint64_t largest) {
  constexpr uint64_t kWidth = 40;
  if (count == 0) return "";
  return std::string(static_cast<size_t>(std::max<uint64_t>(1, count * kWidth / largest)), '#');
}

// Bins of a tenth of the bound; those over it apart.
std::string histogram_text(const Difference& d) {
  uint64_t largest = 1;
  for (const uint64_t n : d.histogram) largest = std::max(largest, n);
  const char* const unit = d.bound > 0 ? "bound" : "largest error";
  std::string text = format("error / %s\n", unit);
  for (size_t i = 0; i < d.histogram.size(); ++i) {
    const double low = -1 + 0.1 * static_cast<double>(i);
    const std::string range = i == kBins ? "over" : format("%4.1f to %4.1f", low, low + 0.1);
    if (i == kBins && d.histogram[i] == 0) continue;
    text +=
        format("%12s  %12llu  %s\n", range.c_str(), static_cast<unsigned long long>(d.histogram[i]),
               bar(d.histogram[i], largest).c_str());
  }
  return text;
}

std::string text_of(const Difference& d, BoundMode mode) {
  std::string text = format("values      %llu, of which %llu are equal bit for bit\n",
                            static_cast<unsigned long long>(d.values),
                            static_cast<unsigned long long>(d.equal_bits));
  if (d.special > 0)
    text += format("not finite  %llu in one or both, of which %llu differ\n",
                   static_cast<unsigned long long>(d.special),
                   static_cast<unsigned long long>(d.special_differs));
  text += format("max error   %.9g\n", d.max_error);
  if (mode != BoundMode::none) {
    if (mode == BoundMode::rel)
      text += format("error/bound %.9g at most, bound * |x|\n", d.max_over_bound);
    else
      text += format("bound       %.15g (%s), largest error is %.9g times it\n", d.bound,
                     std::string(kModes[static_cast<int>(mode)]).c_str(), d.max_over_bound);
    text += format("over it     %llu values\n", static_cast<unsigned long long>(d.over));
  }
  text += format("range       %.9g\nRMSE        %.6g\nNRMSE       %.6g\nPSNR        %s\n", d.range,
                 d.rmse, d.nrmse(), d.rmse == 0 ? "infinite" : format("%.2f dB", d.psnr()).c_str());
  if (d.max_error > 0) text += "\n" + histogram_text(d);
  return text;
}

std::string json_of(const Difference& d, BoundMode mode) {
  return json_object({{"values", json(d.values)},
                      {"equal_bits", json(d.equal_bits)},
                      {"not_finite", json(d.special)},
                      {"not_finite_differs", json(d.special_differs)},
                      {"max_error", json(d.max_error)},
                      {"range", json(d.range)},
                      {"mode", json(kModes[static_cast<int>(mode)])},
                      {"bound", mode == BoundMode::none ? "null" : json(d.bound)},
                      {"max_over_bound", mode == BoundMode::none ? "null" : json(d.max_over_bound)},
                      {"over", json(d.over)},
                      {"rmse", json(d.rmse)},
                      {"nrmse", json(d.nrmse())},
                      {"psnr", json(d.psnr())},
                      {"histogram", json_list(d.histogram)}}) +
         "\n";
}

// Exit status 1 where a bound was given and is not kept, or where types without arithmetic differ.
Result<int> run(const Arguments& args) {
  Progress progress("comparing");
  const Result<ArrayFile> a = read_array(args.a, args.array, 0);
  if (!a.ok()) return a.status();
  const Result<ArrayFile> b = read_array(args.b, args.array, 0);
  if (!b.ok()) return b.status();
  FZM_TRY(check_alike(args, a->array, b->array));
  if (a->array.type == DType::unknown) {
    const bool same = a->bytes == b->bytes;
    print(args.as_json ? json_object({{"equal", json(same)}}) + "\n"
          : same       ? "equal byte for byte\n"
                       : "the bytes differ\n");
    return same ? 0 : 1;
  }
  const auto [mode, bound] = args.bound.bound();
  const Difference d = difference(*a, *b, mode, bound);
  print(args.as_json ? json_of(d, mode) : text_of(d, mode));
  return mode != BoundMode::none && (d.over > 0 || d.special_differs > 0) ? 1 : 0;
}

}  // namespace

Verb add_compare(CLI::App& fzm) {
  const auto a = std::make_shared<Arguments>();
  CLI::App& verb =
      *fzm.add_subcommand("compare",
                          "Errors between two arrays: largest, over a bound, PSNR, NRMSE, "
                          "histogram. Ranges of --noa and --prel are those of all of A");
  verb.add_option("A", a->a, "the original: raw values (say --type), FILE.h5:/path, or a frame")
      ->required();
  verb.add_option("B", a->b, "what came back")->required();
  a->bound.add_bounds_to(verb);
  a->array.add_to(verb);
  verb.add_flag("--json", a->as_json, "for programs");
  return {&verb, [a] { return run(*a); }};
}

}  // namespace fzm::cli
