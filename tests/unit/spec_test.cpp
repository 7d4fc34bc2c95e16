// Specs: what a graph must fulfil, and its record in bytes.
#include <gtest/gtest.h>

#include "core/spec/request.h"
#include "core/spec/spec_record.h"

namespace fzm {
namespace {

StageSpec stage(std::string_view type, std::string name, std::vector<Edge> inputs) {
  const Stage* s = find_stage(type);
  return {s, std::move(name), default_params(*s), std::move(inputs)};
}

// Two branches: codes of the quantizer are packed, its escapes go through RZE.
Spec branched() {
  Spec spec;
  spec.stages = {stage("Quantizer", "quant", {{}}), stage("Difference", "diff", {{0, 0}}),
                 stage("RZE", "escapes", {{0, 1}}), stage("RZE", "pack", {{1, 0}})};
  return spec;
}

std::vector<uint8_t> record(const Spec& spec) {
  ByteWriter out;
  write_spec(out, spec);
  return out.bytes();
}

Result<Spec> from_record(ConstBytes bytes) {
  ByteReader in(bytes);
  return read_spec(in);
}

TEST(Spec, a_branched_pipeline_is_in_order) { EXPECT_TRUE(check_spec(branched()).ok()); }

TEST(Spec, what_is_wrong_with_a_graph_is_named) {
  struct Case {
    void (*spoil)(Spec&);
    const char* message;
  };
  const Case cases[] = {
      {[](Spec& s) { s.stages[1].name = "quant"; }, "two stages are named 'quant'"},
      {[](Spec& s) {
         s.stages[1].inputs = {{1, 0}};
       },
       "stage 'diff' reads stage 1, which does not come before it"},
      {[](Spec& s) {
         s.stages[1].inputs = {{-7, 0}};
       },
       "stage 'diff' reads stage -7, which does not come before it"},
      {[](Spec& s) {
         s.stages[3].inputs = {{1, 4}};
       },
       "stage 'pack' reads port 4 of 'diff', which has 1"},
      {[](Spec& s) {
         s.stages[2].inputs = {{0, 0}};
       },
       "port 'codes' of stage 'quant' is read twice, the second time by 'escapes'"},
      {[](Spec& s) { s.stages[3].inputs.clear(); }, "stage 'pack' reads nothing"},
      {[](Spec& s) { s.stages[3].inputs = {{}}; },
       "stages 'quant' and 'pack' both read the chunk; one stage may, the others read what it "
       "makes"},
  };
  for (const Case& c : cases) {
    Spec spec = branched();
    c.spoil(spec);
    const Status s = check_spec(spec);
    EXPECT_EQ(s.code(), Code::bad_graph);
    EXPECT_EQ(s.message(), c.message);
  }
}

TEST(Spec, a_parameter_out_of_range_is_named) {
  Spec spec = branched();
  find_param(*spec.stages[0].stage, "error_bound")
      ->set(spec.stages[0].params.data(), {ParamKind::real, 0, -1});
  EXPECT_EQ(check_spec(spec).message(), "stage 'quant': error_bound = -1: must be greater than 0");
}

TEST(SpecRecord, a_chain_takes_no_bytes_for_its_edges) {
  Spec spec;
  spec.stages = {stage("Difference", "diff", {{}}), stage("RZE", "pack", {{0, 0}})};
  EXPECT_EQ(record(spec), (std::vector<uint8_t>{4, 2, 0, 18, 0}));
}

TEST(SpecRecord, every_edge_comes_back) {
  const Spec spec = branched();
  const Result<Spec> back = from_record(record(spec));
  ASSERT_TRUE(back.ok()) << back.status().message();
  ASSERT_EQ(back->stages.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back->stages[i].stage, spec.stages[i].stage);
    EXPECT_EQ(back->stages[i].inputs, spec.stages[i].inputs);
  }
  EXPECT_EQ(back->stages[3].name, "rze_2");
}

TEST(SpecRecord, every_preset_comes_back) {
  for (const PresetInfo& p : presets()) {
    const std::vector<uint8_t> bytes = record(Request::from_preset(p.name)->spec());
    const Result<Spec> back = from_record(bytes);
    ASSERT_TRUE(back.ok()) << p.name << ": " << back.status().message();
    EXPECT_EQ(record(*back), bytes) << p.name;
  }
}

TEST(SpecRecord, every_truncation_is_reported) {
  for (const Spec& spec : {branched(), Request::from_preset("pfpl")->spec()}) {
    const std::vector<uint8_t> bytes = record(spec);
    for (size_t n = 0; n < bytes.size(); ++n)
      EXPECT_EQ(from_record(ConstBytes(bytes).first(n)).status().code(), Code::truncated)
          << n << " of " << bytes.size();
  }
}

TEST(SpecRecord, an_unknown_stage_means_a_newer_version) {
  const uint8_t bytes[] = {2, 0xFF, 0x7F, 0};
  const Status s = from_record(bytes).status();
  EXPECT_EQ(s.code(), Code::newer_frame);
  EXPECT_EQ(s.message(), "there is no stage 16383 in this version");
}

TEST(SpecRecord, edges_that_point_nowhere_are_refused) {
  const uint8_t forwards[] = {3, 18, 0, 1, 2, 0},
                huge_port[] = {3, 18, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0};
  EXPECT_EQ(from_record(forwards).status().code(), Code::bad_graph);
  EXPECT_EQ(from_record(huge_port).status().code(), Code::bad_graph);
}

TEST(SpecRecord, counts_too_large_for_the_record_are_refused_before_they_cost_memory) {
  const uint8_t inputs[] = {3, 18, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F},
                many[] = {0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
  EXPECT_EQ(from_record(inputs).status().code(), Code::truncated);
  EXPECT_EQ(from_record(many).status().code(), Code::corrupt);
}

}  // namespace
}  // namespace fzm
