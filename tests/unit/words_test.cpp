// cd_values: the short form that people type, the general form, what is stored, and what is
// refused.
#include <gtest/gtest.h>

#include <map>

#include "core/spec/spec_record.h"
#include "core/spec/words.h"
#include "tests/unit/random_params.h"

namespace fzm {
namespace {

using WordList = std::vector<uint32_t>;

constexpr uint32_t kLow = 3539053052, kHigh = 1062232653;  // 0.001

std::vector<uint8_t> record(const Spec& spec) {
  ByteWriter out;
  write_spec(out, spec);
  return out.bytes();
}

Request from(std::string_view options) {
  Result<Request> r = Request::from_options(options);
  EXPECT_TRUE(r.ok()) << options << ": " << r.status().message();
  return r.ok() ? std::move(r).value() : Request();
}

Request read(const WordList& words) {
  Result<Words> r = read_words(words);
  EXPECT_TRUE(r.ok()) << r.status().message();
  return r.ok() ? std::move(r).value().request : Request();
}

void expect_same(const Request& a, const Request& b) {
  EXPECT_EQ(a.preset_name(), b.preset_name());
  EXPECT_EQ(a.uses_fill(), b.uses_fill());
  EXPECT_EQ(a.is_mask_dropped(), b.is_mask_dropped());
  EXPECT_EQ(record(a.spec()), record(b.spec()));
}

void expect_same(const ArrayInfo& a, const ArrayInfo& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.bytes_per_item(), b.bytes_per_item());
  EXPECT_EQ(a.big_endian, b.big_endian);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.has_fill, b.has_fill);
  EXPECT_EQ(a.fill_bits, b.fill_bits);
}

void expect_refused(const WordList& words, std::string_view sentence) {
  const Result<Words> r = read_words(words);
  ASSERT_FALSE(r.ok()) << sentence;
  EXPECT_EQ(r.status().code(), Code::bad_words);
  EXPECT_EQ(r.status().message().substr(0, sentence.size()), sentence) << r.status().message();
}

ArrayInfo field() {
  return {.type = DType::f64,
          .item_bytes = 8,
          .big_endian = true,
          .shape = {12, 90, 180},
          .has_fill = true,
          .fill_bits = 0xC08F400000000001};
}

// ---- short form

TEST(ShortWords, no_words_and_a_single_zero_are_lossless) {
  expect_same(read({}), Request());
  expect_same(read({0}), Request());
  expect_same(read({0, 0, 0, 0, 0, 0, 0, 0}), Request());
}

TEST(ShortWords, preset_mode_and_bound_as_nccopy_spells_them) {
  const Request r = read({1, 1, kLow, kHigh});
  expect_same(r, from("preset=fsz, abs=1e-3"));
  expect_same(read({1, 1, kLow, kHigh, 0, 0, 0, 0}), r);
  EXPECT_EQ(write_words(r).value(), (WordList{1, 1, kLow, kHigh}));
}

TEST(ShortWords, a_preset_alone_has_its_own_bound) {
  for (const PresetInfo& p : presets()) {
    expect_same(read({p.number}), Request::from_preset(p.name).value());
    EXPECT_EQ(write_words(Request::from_preset(p.name).value()).value(), WordList{p.number});
  }
}

TEST(ShortWords, every_mode_has_its_number) {
  expect_same(read({8, 2, kLow, kHigh}), from("preset=pfpl, rel=1e-3"));
  expect_same(read({8, 3, kLow, kHigh}), from("preset=pfpl, noa=1e-3"));
  expect_same(read({8, 4, kLow, kHigh}), from("preset=pfpl, prel=1e-3"));
}

TEST(ShortWords, the_option_1_leaves_out_the_mask) {
  const Request r = read({8, 3, kLow, kHigh, 1});
  expect_same(r, from("preset=pfpl, noa=1e-3, mask=no"));
  EXPECT_EQ(write_words(r).value(), (WordList{8, 3, kLow, kHigh, 1}));
  EXPECT_EQ(write_words(from("preset=pfpl, mask=no")).value(), (WordList{8, 0, 0, 0, 1}));
}

TEST(ShortWords, what_is_wrong_is_named) {
  expect_refused({9}, "cd_values: there is no preset 9; the numbers are 0 to 8");
  expect_refused({0x10001},
                 "cd_values: word 0 is 65537, neither a preset's number nor the general form");
  expect_refused({1, 5, kLow, kHigh},
                 "cd_values: word 1, the mode, is 5; must be 0 (the preset's own bound), 1 (abs)");
  expect_refused({1, 1}, "cd_values: error bound 0 (abs): must be a finite number greater than 0");
  expect_refused({1, 1, kLow, kHigh | 0x80000000},
                 "cd_values: error bound -0.001 (abs): must be a finite number greater than 0");
  expect_refused({1, 1, 0, 0x7FF80000},
                 "cd_values: error bound nan (abs): must be a finite number greater than 0");
  expect_refused({1, 1, 0, 0x7FF00000},
                 "cd_values: error bound inf (abs): must be a finite number greater than 0");
  expect_refused({1, 0, kLow, kHigh},
                 "cd_values: a bound of 0.001 with mode 0, the preset's own bound");
  expect_refused({0, 1, kLow, kHigh}, "cd_values: preset lossless has no error bound to set");
  expect_refused({1, 1, kLow, kHigh, 2},
                 "cd_values: word 4, the options, is 2; the only one known is 1, no mask");
  expect_refused({0, 0, 0, 0, 1}, "cd_values: mask = no: preset lossless has no mask to leave out");
  expect_refused({1, 1, kLow, kHigh, 0, 0, 3},
                 "cd_values: word 6 is 3; the short form has 5 words");
}

// ---- general form

TEST(GeneralWords, any_request_comes_back) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round)
    for (const PresetInfo& p : presets()) {
      Request r = Request::from_preset(p.name).value();
      if (p.is_lossy && random() % 2) {
        ASSERT_TRUE(r.drop_mask().ok());
      }
      if (random() % 2) r.ignore_fill();
      std::vector<StageSpec>& stages = RequestCodec::spec(r).stages;
      randomize(stages[random() % stages.size()], random);
      const Result<WordList> words = write_words(r);
      ASSERT_TRUE(words.ok()) << words.status().message();
      expect_same(read(*words), r);
      WordList longer = *words;
      longer.resize(words->size() + 3);
      expect_same(read(longer), r);
    }
}

TEST(GeneralWords, a_pipeline_of_ones_own_comes_back) {
  const Request r =
      Request::from_toml(from("preset=fsz, abs=0.25, fill=no").to_toml(), "x").value();
  const Result<WordList> words = write_words(r);
  ASSERT_TRUE(words.ok()) << words.status().message();
  EXPECT_EQ((*words)[0] >> 16, 0x465Au);
  expect_same(read(*words), r);
  const Request branched = Request::from_toml(R"(
    [[stage]]
    name = "quant"
    type = "Quantizer"
    [[stage]]
    name = "escapes"
    type = "RZE"
    inputs = [{from = "quant", port = "outlier_vals"}])",
                                              "x")
                               .value();
  expect_same(read(write_words(branched).value()), branched);
}

TEST(GeneralWords, a_pipeline_that_needs_more_is_refused_with_the_count) {
  Spec spec;
  for (int i = 0; i < 30; ++i) {
    const Stage* s = find_stage("RRE");
    spec.stages.push_back({s, "s" + std::to_string(i), default_params(*s), {Edge{i - 1, 0}}});
    find_param(*s, "word_size")->set(spec.stages.back().params.data(), {ParamKind::count, 4, 0});
  }
  const Result<WordList> words = write_words(request_of(spec));
  ASSERT_FALSE(words.ok());
  EXPECT_EQ(words.status().message(),
            "this request takes 24 words of cd_values, at most 20 are allowed; start from a nearer "
            "preset, or change fewer parameters");
}

// Values that take the most bytes, of those that go together.
ParamValue awkward(const Param& row, const ParamValue& old) {
  static const std::map<std::string_view, uint64_t> kTogether = {{"dim_x", 16384}, {"dim_y", 128},
                                                                 {"dim_z", 128},   {"tile_x", 128},
                                                                 {"tile_y", 8},    {"tile_z", 1}};
  ParamValue v{row.kind, 0, 0};
  switch (row.kind) {
    case ParamKind::boolean:
      v.whole = !old.whole;
      break;
    case ParamKind::type:
      v.whole = static_cast<uint64_t>(old.whole == 9 ? DType::f32 : DType::f64);
      break;
    case ParamKind::bits:
      v.whole = 0xFFF8123456789ABC;
      break;
    case ParamKind::real:
      v.real = std::nextafter(std::min(row.range.highest, 1e9) / 3, 0.0);
      break;
    case ParamKind::choice:
      v.whole = row.choices[row.choices[0].value == old.whole].value;
      break;
    case ParamKind::count:
    case ParamKind::wide:
      v.whole = static_cast<uint64_t>(
          std::min(row.range.highest, row.kind == ParamKind::count ? 0x1p32 - 1 : 0x1p63));
      if (!row.range.only.empty())
        v.whole =
            row.range.only.back() == old.whole ? row.range.only.front() : row.range.only.back();
      if (const auto found = kTogether.find(row.name); found != kTogether.end())
        v.whole = found->second;
  }
  return v;
}

TEST(GeneralWords, every_preset_with_everything_overridden_fits_20_words_when_stored) {
  for (const PresetInfo& p : presets()) {
    Request r = Request::from_preset(p.name).value();
    for (StageSpec& s : RequestCodec::spec(r).stages)
      for (const Param& row : s.stage->params)
        if (!row.help.starts_with("no effect"))
          row.set(s.params.data(), awkward(row, row.get(s.params.data())));
    ASSERT_TRUE(check_spec(r.spec()).ok()) << check_spec(r.spec()).message();
    ArrayInfo array = field();
    array.shape = {128, 128, 128, 128};
    for (const DType type : {DType::f64, DType::f32, DType::unknown}) {
      array.type = type;
      const Result<WordList> words = write_stored_words(r, array);
      ASSERT_TRUE(words.ok()) << p.name << ": " << words.status().message();
      EXPECT_LE(words->size(), kMaxWords);
      expect_same(read(*words), r);
    }
  }
}

// ---- stored form

TEST(StoredWords, request_and_array_come_back) {
  std::mt19937_64 random(9);
  for (const char* options : {"", "preset=fsz", "preset=pfpl, rel=0.125, mask=no",
                              "preset=cuszp3, predict.tile_x=16, fill=no"})
    for (int round = 0; round < 100; ++round) {
      ArrayInfo array;
      array.type = random() % 11 == 10 ? DType::unknown : static_cast<DType>(random() % 10);
      array.item_bytes = array.type == DType::unknown ? static_cast<uint32_t>(1 + random() % 1000)
                                                      : dtype_bytes(array.type);
      array.big_endian = random() % 2;
      for (uint64_t rank = 1 + random() % 4; rank > 0; --rank)
        array.shape.push_back(1 + random() % 60);
      const Request r = from(options);
      const WordList words = write_stored_words(r, array).value();
      const Words back = read_words(words).value();
      expect_same(back.request, r);
      ASSERT_TRUE(back.array);
      expect_same(*back.array, array);
    }
}

TEST(StoredWords, the_fill_value_is_there_when_a_stage_asks_for_it) {
  for (const DType type : {DType::f64, DType::f32, DType::i16, DType::u8}) {
    ArrayInfo array = field();
    array.type = type;
    array.item_bytes = dtype_bytes(type);
    array.fill_bits &=
        type == DType::f64 ? ~uint64_t{0} : (uint64_t{1} << (8 * array.item_bytes)) - 1;
    const Words back = read_words(write_stored_words(from("preset=fsz"), array).value()).value();
    expect_same(*back.array, array);
  }
  for (const char* options : {"preset=lossless", "preset=fsz, fill=no", "preset=fsz, mask=no",
                              "preset=fsz, mask.has_fill=true"}) {
    const Words back = read_words(write_stored_words(from(options), field()).value()).value();
    EXPECT_FALSE(back.array->has_fill) << options;
  }
}

TEST(StoredWords, they_can_be_fed_back_for_another_array_any_number_of_times) {
  const Request asked = from("preset=cuszp2, noa=1e-5, pack.block_size=64");
  WordList words = write_words(asked).value();
  for (const Shape& shape : {Shape{10}, Shape{3, 4, 5}, Shape{2, 2, 2, 2, 2, 2}})
    for (const DType type : {DType::f32, DType::f64, DType::unknown, DType::i16}) {
      const Words fed = read_words(words).value();
      words =
          write_stored_words(fed.request, {.type = type, .item_bytes = 12, .shape = shape}).value();
      expect_same(read(words), asked);
    }
}

TEST(StoredWords, high_ranks_are_folded) {
  const auto stored = [](const Shape& shape) {
    return read_words(write_stored_words(Request(), {.type = DType::f32, .shape = shape}).value())
        .value()
        .array->shape;
  };
  EXPECT_EQ(stored({2, 3, 4, 5}), (Shape{2, 3, 4, 5}));
  EXPECT_EQ(stored({1, 2, 1, 3, 4}), (Shape{2, 3, 4}));
  EXPECT_EQ(stored({2, 3, 4, 5, 6}), (Shape{6, 4, 5, 6}));
  EXPECT_EQ(stored(Shape(32, 1)), (Shape{1}));
  EXPECT_EQ(stored(Shape(31, 2)), (Shape{1u << 28, 2, 2, 2}));
}

TEST(StoredWords, chunks_that_cannot_be_are_refused) {
  EXPECT_EQ(write_stored_words(Request(), {.type = DType::f32, .shape = {1u << 16, 1u << 16}})
                .status()
                .code(),
            Code::too_large);
  EXPECT_FALSE(write_stored_words(Request(), {.type = DType::f32, .shape = {}}).ok());
  EXPECT_FALSE(write_stored_words(Request(), {.type = DType::f32, .shape = {3, 0}}).ok());
}

// ---- what is not ours

TEST(BadWords, faults_of_the_general_form_are_named) {
  const WordList good =
      write_stored_words(from("preset=fsz, abs=0.3, quant.quant_radius=77"), field()).value();
  WordList cut = good;
  cut.pop_back();
  expect_refused(cut, "cd_values: word 0 announces 7 words, there are 6");
  WordList newer = good;
  newer[0] += 1 << 5;
  expect_refused(newer, "cd_values: general form of version 2, this library knows version 1");
  WordList more = good;
  more.push_back(7);
  expect_refused(more, "cd_values: word 8 is not zero, though word 0 announces only 7 words");
  WordList other = good;
  other[0] |= 31 << 11;
  expect_refused(other, "cd_values: there is no preset 30; the numbers are 0 to 8");
  expect_refused({0x465A0020 | 1, 0}, "cd_values: a pipeline without stages");
  expect_refused({0x465A0020 | 1 | 1 << 8, 0xFFFFFFFF},
                 "cd_values: the record ends inside the array's description");
}

TEST(BadWords, no_words_at_all_do_harm) {
  std::mt19937_64 random(1);
  std::vector<WordList> seeds = {{1, 1, kLow, kHigh, 1}};
  for (const PresetInfo& p : presets()) {
    const Request r = Request::from_preset(p.name).value();
    seeds.push_back(write_stored_words(r, field()).value());
    seeds.push_back(
        write_stored_words(Request::from_toml(r.to_toml(), "x").value(), field()).value());
  }
  size_t accepted = 0;
  for (int round = 0; round < 30000; ++round) {
    WordList words = seeds[random() % seeds.size()];
    for (uint64_t flips = random() % 4; flips > 0; --flips)
      words[random() % words.size()] ^= 1u << random() % 32;
    if (random() % 8 == 0) words.resize(random() % 24, static_cast<uint32_t>(random()));
    if (random() % 8 == 0) words[0] = 0x465A0020 | static_cast<uint32_t>(random() % 0x10000);
    const Result<Words> r = read_words(words);
    if (!r.ok()) {
      ASSERT_EQ(r.status().code(), Code::bad_words) << r.status().message();
      continue;
    }
    ++accepted;
    ASSERT_TRUE(check_spec(r->request.spec()).ok());
    if (r->array) {
      ASSERT_TRUE(write_stored_words(r->request, *r->array).ok());
    }
  }
  EXPECT_GT(accepted, 1000u);
}

}  // namespace
}  // namespace fzm
