// Requests: presets, one line of options, bounds, and what becomes of them for one chunk.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "core/spec/embedded_presets.h"
#include "core/spec/spec_record.h"
#include "tests/unit/random_params.h"

namespace fzm {
namespace {

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

std::string refusal(std::string_view options) {
  const Result<Request> r = Request::from_options(options);
  return r.ok() ? "accepted" : r.status().message();
}

uint64_t whole(const Spec& spec, size_t stage, std::string_view key) {
  const StageSpec& s = spec.stages[stage];
  return find_param(*s.stage, key)->get(s.params.data()).whole;
}

TEST(Presets, all_are_there_with_the_numbers_they_will_always_have) {
  const std::pair<std::string_view, uint32_t> numbers[] = {
      {"lossless", 0},       {"fsz", 1},          {"cuszp", 2}, {"cuszp2", 3}, {"cuszp3", 4},
      {"cuszp3_outlier", 5}, {"cuszp3_fixed", 6}, {"szp", 7},   {"pfpl", 8}};
  for (const auto& [name, number] : numbers) {
    const Result<Request> r = Request::from_preset(name);
    ASSERT_TRUE(r.ok()) << r.status().message();
    EXPECT_EQ(r->preset_number(), number);
    EXPECT_EQ(r->preset_name(), name);
  }
  ASSERT_EQ(presets().size(), kEmbeddedPresetCount);
}

TEST(Presets, each_file_says_the_number_it_is_listed_under_and_whether_it_is_lossy) {
  for (const PresetInfo& p : presets()) {
    const Result<PipelineFile> file = read_pipeline(kEmbeddedPresets[p.number].text, p.name);
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file->preset->number, p.number) << p.name;
    EXPECT_EQ(p.is_lossy, Request::from_preset(p.name)->is_lossy()) << p.name;
    EXPECT_FALSE(p.summary.empty());
  }
}

TEST(Presets, every_lossy_one_begins_with_a_mask) {
  for (const PresetInfo& p : presets()) {
    if (!p.is_lossy) continue;
    EXPECT_EQ(Request::from_preset(p.name)->spec().stages[0].stage->name, "Mask") << p.name;
  }
}

TEST(Presets, the_default_request_is_lossless) {
  EXPECT_EQ(Request().preset_name(), "lossless");
  EXPECT_FALSE(Request().is_lossy());
  EXPECT_EQ(record(Request().spec()), record(lossless_request().spec()));
  EXPECT_EQ(Request().bound(), std::make_pair(BoundMode::none, 0.0));
}

TEST(Presets, an_unknown_name_gets_the_nearest_one) {
  EXPECT_EQ(Request::from_preset("cuzsp3").status().message(),
            "unknown preset 'cuzsp3'; did you mean 'cuszp3'?");
  EXPECT_EQ(Request::from_preset("jpeg-2000-part-1").status().message(),
            "unknown preset 'jpeg-2000-part-1'");
}

TEST(Bounds, a_bound_replaces_that_of_the_preset) {
  for (const PresetInfo& p : presets()) {
    if (!p.is_lossy) continue;
    Request r = Request::from_preset(p.name).value();
    for (const BoundMode mode : {BoundMode::abs, BoundMode::noa, BoundMode::prel, BoundMode::rel}) {
      ASSERT_TRUE(r.set_bound(mode, 0.25).ok());
      EXPECT_EQ(r.bound(), std::make_pair(mode, 0.25));
    }
  }
}

TEST(Bounds, what_is_no_bound_is_refused_and_named) {
  Request r = from("preset=fsz");
  const double inf = std::numeric_limits<double>::infinity();
  const std::pair<double, const char*> cases[] = {
      {0.0, "error bound 0 (abs): must be a finite number greater than 0"},
      {-1e-3, "error bound -0.001 (abs): must be a finite number greater than 0"},
      {inf, "error bound inf (abs): must be a finite number greater than 0"},
      {-inf, "error bound -inf (abs): must be a finite number greater than 0"},
      {std::nan(""), "error bound nan (abs): must be a finite number greater than 0"}};
  for (const auto& [bound, message] : cases)
    EXPECT_EQ(r.set_bound(BoundMode::abs, bound).message(), message);
  EXPECT_EQ(r.bound(), from("preset=fsz").bound());
  EXPECT_EQ(r.set_bound(BoundMode::none, 1).message(),
            "error bound mode 0: must be 1 (abs), 2 (rel), 3 (noa) or 4 (prel)");
  EXPECT_EQ(Request().set_bound(BoundMode::abs, 1).message(),
            "preset lossless has no error bound to set");
}

TEST(Options, a_line_sets_preset_bound_and_parameters) {
  const Request r =
      from(" preset = fsz , abs=1e-3, quant.quant_radius=0x200, blocks_per_tile=\"4\", fill=no ");
  EXPECT_EQ(r.preset_name(), "fsz");
  EXPECT_EQ(r.bound(), std::make_pair(BoundMode::abs, 1e-3));
  EXPECT_EQ(whole(r.spec(), 1, "quant_radius"), 512u);
  EXPECT_EQ(whole(r.spec(), 2, "blocks_per_tile"), 4u);
  EXPECT_FALSE(r.uses_fill());
  EXPECT_EQ(r.to_options(),
            "preset=fsz, fill=no, abs=0.001, quant.quant_radius=512, predict.blocks_per_tile=4");
  EXPECT_EQ(r.to_sentence(),
            "preset fsz, |x - x'| <= 0.001 (abs), fill value not masked, quant.quant_radius = 512, "
            "predict.blocks_per_tile = 4");
}

TEST(Options, an_empty_line_is_lossless) {
  EXPECT_EQ(from("").preset_name(), "lossless");
  EXPECT_EQ(from("").to_options(), "preset=lossless");
  EXPECT_EQ(from("").to_sentence(), "preset lossless, every bit kept");
}

TEST(Options, a_sentence_says_what_the_bound_is_relative_to) {
  EXPECT_EQ(from("preset=pfpl").to_sentence(),
            "preset pfpl, |x - x'| <= 1e-04 * (max - min) (noa)");
  EXPECT_EQ(from("preset=pfpl, prel=0.5").to_sentence(),
            "preset pfpl, |x - x'| <= 0.5 * max |x| (prel)");
  EXPECT_EQ(from("preset=pfpl, rel=0.5, mask=no").to_sentence(),
            "preset pfpl, |x - x'| <= 0.5 * |x| (rel), no mask");
  EXPECT_EQ(Request::from_toml(from("preset=cuszp3_fixed").to_toml(), "x")->to_sentence(),
            "pipeline Mask -> Quantizer -> AdaptiveBitpack, |x - x'| <= 0.001 (abs)");
}

TEST(Options, what_is_wrong_is_named) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"fsz", "option 'fsz': expected key=value, as in 'preset=fsz, abs=1e-3'"},
      {"abs=1", "no preset: start with preset=NAME or toml=PATH"},
      {"preset=fsz, preset=pfpl", "more than one preset or file: 'fsz' and 'pfpl'"},
      {"preset=fsz, abs=1, rel=2", "more than one error bound: 'abs' and 'rel'"},
      {"preset=fsx", "unknown preset 'fsx'; did you mean 'fsz'?"},
      {"toml=/there/is/no.toml", "cannot read '/there/is/no.toml'"},
      {"preset=fsz, abs=small",
       "error bound 'small' (abs): must be a finite number greater than 0"},
      {"preset=fsz, abs=", "error bound '' (abs): must be a finite number greater than 0"},
      {"preset=fsz, noa=nan", "error bound nan (noa): must be a finite number greater than 0"},
      {"preset=lossless, abs=1", "preset lossless has no error bound to set"},
      {"preset=fsz, quant_radios=3", "unknown option 'quant_radios'; did you mean 'quant_radius'?"},
      {"preset=fsz, quant.quant_radios=3",
       "stage 'quant' (Quantizer) has no parameter 'quant_radios'; did you mean 'quant_radius'?"},
      {"preset=fsz, quand.quant_radius=3", "there is no stage 'quand'; did you mean 'quant'?"},
      {"preset=fsz, quant.quant_radius=0", "stage 'quant': quant_radius = 0: must be "},
      {"preset=fsz, quant.quant_radius=0xZ", "stage 'quant': quant_radius = 0xZ: must be "},
      {"preset=fsz, mask=maybe", "mask = maybe: must be yes or no"},
      {"preset=lossless, mask=no", "mask = no: preset lossless has no mask to leave out"},
      {"preset=fsz, mask=no, mask=no", "mask = no: preset fsz has no mask to leave out"},
      {"preset=cuszp, block_size=64",
       "'block_size' is a parameter of several stages: say predict.block_size or pack.block_size"},
  };
  for (const auto& [options, message] : cases)
    EXPECT_EQ(refusal(options).substr(0, message.size()), message) << refusal(options);
}

TEST(Options, a_file_may_be_named) {
  const std::string path = testing::TempDir() + "options_test.toml";
  std::ofstream(path) << from("preset=szp, rel=0.5").to_toml();
  const Request r = from("toml=" + path + ", predict.block_size=64");
  EXPECT_EQ(r.bound(), std::make_pair(BoundMode::rel, 0.5));
  EXPECT_EQ(whole(r.spec(), 2, "block_size"), 64u);
  EXPECT_FALSE(r.preset_number());
  std::remove(path.c_str());
}

TEST(Options, any_parameters_are_written_and_read_back) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round)
    for (const PresetInfo& p : presets()) {
      Request r = Request::from_preset(p.name).value();
      if (p.is_lossy && random() % 2) {
        ASSERT_TRUE(r.drop_mask().ok());
      }
      if (random() % 2) r.ignore_fill();
      for (StageSpec& s : RequestCodec::spec(r).stages) randomize(s, random);
      const Request back = from(r.to_options());
      ASSERT_EQ(record(back.spec()), record(r.spec())) << r.to_options();
      ASSERT_EQ(back.uses_fill(), r.uses_fill());
      ASSERT_EQ(back.is_mask_dropped(), r.is_mask_dropped());
    }
}

TEST(Mask, leaving_it_out_lets_the_quantizer_read_the_chunk) {
  for (const PresetInfo& p : presets()) {
    if (!p.is_lossy) continue;
    Request r = Request::from_preset(p.name).value();
    const size_t stages = r.spec().stages.size();
    ASSERT_TRUE(r.drop_mask().ok());
    ASSERT_EQ(r.spec().stages.size(), stages - 1);
    EXPECT_TRUE(check_spec(r.spec()).ok());
    EXPECT_EQ(r.spec().stages[0].name, "quant");
    EXPECT_EQ(r.spec().stages[0].inputs, (std::vector<Edge>{{kExternal, 0}}));
    EXPECT_EQ(r.spec().stages[1].inputs, (std::vector<Edge>{{0, 0}}));
  }
}

TEST(Mask, a_pipeline_of_nothing_else_keeps_it) {
  Request r = Request::from_toml("[[stage]]\nname = 'm'\ntype = 'Mask'", "x").value();
  EXPECT_EQ(r.drop_mask().message(), "mask = no: the pipeline has no other stage");
}

ArrayInfo field() {
  return {.type = DType::f32, .shape = {4, 5, 6}, .has_fill = true, .fill_bits = 0x60AD78EC};
}

TEST(ForOneChunk, the_fill_value_goes_to_the_mask) {
  const Spec spec = from("preset=fsz").spec_for(field()).value();
  EXPECT_EQ(whole(spec, 0, "has_fill"), 1u);
  EXPECT_EQ(whole(spec, 0, "fill_bits"), 0x60AD78ECu);
}

TEST(ForOneChunk, no_fill_value_goes_where_none_is_wanted_or_another_was_given) {
  ArrayInfo without = field();
  without.has_fill = false;
  EXPECT_EQ(whole(from("preset=fsz").spec_for(without).value(), 0, "has_fill"), 0u);
  EXPECT_EQ(whole(from("preset=fsz, fill=no").spec_for(field()).value(), 0, "has_fill"), 0u);
  EXPECT_EQ(
      whole(from("preset=fsz, mask.has_fill=true, mask.fill_bits=7").spec_for(field()).value(), 0,
            "fill_bits"),
      7u);
}

TEST(ForOneChunk, opaque_items_are_kept_without_loss) {
  ArrayInfo items = field();
  items.type = DType::unknown;
  items.item_bytes = 12;
  EXPECT_EQ(record(from("preset=fsz").spec_for(items).value()), record(lossless_request().spec()));
  const Request own = Request::from_toml("[[stage]]\nname = 'a'\ntype = 'RRE'", "x").value();
  EXPECT_EQ(record(own.spec_for(items).value()), record(own.spec()));
}

}  // namespace
}  // namespace fzm
