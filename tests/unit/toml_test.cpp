// Pipeline files: what is read, what is refused and with which words, and that what is written is
// read back.
#include <gtest/gtest.h>

#include "core/spec/request.h"
#include "core/spec/spec_record.h"
#include "tests/unit/random_params.h"

namespace fzm {
namespace {

std::vector<uint8_t> record(const Spec& spec) {
  ByteWriter out;
  write_spec(out, spec);
  return out.bytes();
}

std::string refusal(std::string_view text) {
  const Result<Request> r = Request::from_toml(text, "mine.toml");
  return r.ok() ? "accepted" : r.status().message();
}

std::string value_of(const Request& r, size_t stage, std::string_view key) {
  const StageSpec& s = r.spec().stages[stage];
  const Param* row = find_param(*s.stage, key);
  return to_text(*row, row->get(s.params.data()));
}

// As the programs this schema comes from write it.
constexpr std::string_view kExisting = R"(
[pipeline]
input_size = 1048576
dims = [512, 512, 1]
memory_strategy = "PREALLOCATE"
pool_multiplier = 3.0
num_streams = 1

[[stage]]
name = "quant"
type = "Quantizer"
input_type = "float32"
code_type = "uint32"
error_bound = 1e-4
error_bound_mode = "NOA"
quant_radius = 4194304
outlier_capacity = 0.05
zigzag_codes = true
inplace_outliers = true
verify_reconstruction = true

[[stage]]
name = "diff"
type = "Difference"
input_type = "int32"
output_type = "uint32"
chunk_size = 16384
inputs = [{from = "quant", port = "codes"}]

[[stage]]
name = "shuffle"
type = "Bitshuffle"
block_size = 16384
element_width = 4
inputs = [{from = "diff", port = "output"}]

[[stage]]
name = "rze"
type = "RZE"
chunk_size = 16384
word_size = 1
inputs = [{from = "shuffle", port = "output"}]
)";

TEST(Toml, an_existing_file_loads_unchanged) {
  const Result<Request> r = Request::from_toml(kExisting, "pfpl.toml");
  ASSERT_TRUE(r.ok()) << r.status().message();
  ASSERT_EQ(r->spec().stages.size(), 4u);
  EXPECT_EQ(r->bound(), std::make_pair(BoundMode::noa, 1e-4));
  EXPECT_EQ(r->spec().run.memory_strategy, "PREALLOCATE");
  EXPECT_EQ(r->spec().run.dims, (std::vector<uint64_t>{512, 512, 1}));
  EXPECT_EQ(value_of(*r, 0, "quant_radius"), "4194304");
  EXPECT_FALSE(r->preset_number());
}

TEST(Toml, every_preset_is_written_and_read_back) {
  for (const PresetInfo& p : presets()) {
    const Result<Request> r = Request::from_preset(p.name);
    ASSERT_TRUE(r.ok()) << r.status().message();
    const Result<Request> back = Request::from_toml(r->to_toml(), "written");
    ASSERT_TRUE(back.ok()) << back.status().message() << "\n" << r->to_toml();
    EXPECT_EQ(record(back->spec()), record(r->spec())) << r->to_toml();
    EXPECT_EQ(back->to_toml(), r->to_toml());
  }
}

TEST(Toml, any_parameters_are_written_and_read_back) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round)
    for (const PresetInfo& p : presets()) {
      Spec spec = Request::from_preset(p.name)->spec();
      for (StageSpec& s : spec.stages) randomize(s, random);
      const std::string text = request_of(spec).to_toml();
      const Result<Request> back = Request::from_toml(text, "written");
      ASSERT_TRUE(back.ok()) << back.status().message() << "\n" << text;
      ASSERT_EQ(record(back->spec()), record(spec)) << text;
    }
}

TEST(Toml, branches_names_and_run_options_are_written_and_read_back) {
  const Result<Request> r = Request::from_toml(R"(
    [pipeline]
    specialization = "OFF"
    num_streams = 4
    coloring = false
    pool_multiplier = 8
    primary_source = "a \"b\""
    fill = false
    [[stage]]
    name = "a \"b\""
    type = "quantizer"
    [[stage]]
    name = "é\t"
    type = "RZE"
    inputs = [{from = "a \"b\"", port = "outlier_idxs"}])",
                                               "mine.toml");
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_FALSE(r->uses_fill());
  const Result<Request> back = Request::from_toml(r->to_toml(), "written");
  ASSERT_TRUE(back.ok()) << back.status().message() << "\n" << r->to_toml();
  EXPECT_EQ(back->to_toml(), r->to_toml());
  EXPECT_EQ(back->spec().stages[1].name, "é\t");
  EXPECT_EQ(back->spec().stages[1].inputs, (std::vector<Edge>{{0, 2}}));
  EXPECT_EQ(back->spec().run.specialization, "off");
  EXPECT_EQ(back->spec().run.streams, 4u);
  EXPECT_EQ(back->spec().run.pool_multiplier, 8.0);
  EXPECT_FALSE(back->spec().run.coloring);
  EXPECT_FALSE(back->uses_fill());
}

TEST(Toml, stages_may_stand_in_any_order) {
  const Result<Request> r = Request::from_toml(R"(
    [[stage]]
    name = "pack"
    type = "RZE"
    inputs = [{from = "diff"}]
    [[stage]]
    name = "diff"
    type = "Difference"
    inputs = [{from = "__external__"}])",
                                               "mine.toml");
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(r->spec().stages[0].name, "diff");
  EXPECT_EQ(r->spec().stages[1].inputs, (std::vector<Edge>{{0, 0}}));
}

TEST(Toml, one_stage_may_leave_out_its_inputs_and_reads_the_chunk) {
  const Result<Request> r = Request::from_toml("[[stage]]\nname = 'a'\ntype = 'RZE'", "mine.toml");
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(r->spec().stages[0].inputs, (std::vector<Edge>{{kExternal, 0}}));
  EXPECT_EQ(refusal("[[stage]]\nname = 'a'\ntype = 'RZE'\n[[stage]]\nname = 'b'\ntype = 'RZE'"),
            "mine.toml:4:1: stage 'b' has no inputs; one stage may leave them out, here 'a'");
}

TEST(Toml, a_type_may_carry_its_word_size) {
  const Result<Request> r = Request::from_toml("[[stage]]\nname = 'a'\ntype = 'rre4'", "mine.toml");
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(r->spec().stages[0].stage->name, "RRE");
  EXPECT_EQ(value_of(*r, 0, "word_size"), "4");
  EXPECT_EQ(refusal("[[stage]]\nname = 'a'\ntype = 'rre3'"),
            "mine.toml: stage 'a': word_size = 3: must be 1, 2, 4 or 8");
}

TEST(Toml, bit_patterns_beyond_the_integers_of_toml_come_in_quotes) {
  const Result<Request> r = Request::from_toml(
      "[[stage]]\nname = 'm'\ntype = 'Mask'\nhas_fill = true\nfill_bits = '0xfff8000000000001'",
      "mine.toml");
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(value_of(*r, 0, "fill_bits"), std::to_string(0xfff8000000000001u));
}

struct Refusal {
  std::string_view text, message;
};

TEST(Toml, a_refusal_says_where_what_and_the_nearest_right_name) {
  const Refusal cases[] = {
      {"", "mine.toml: no [[stage]] in it"},
      {"[pipeline\n", "mine.toml:1:10: "},
      {"[pipelin]\n", "mine.toml:1:2: unknown key 'pipelin' in the file; did you mean 'pipeline'?"},
      {"[pipeline]\npool_multiplyer = 2.0",
       "mine.toml:2:1: unknown key 'pool_multiplyer' in [pipeline]; did you mean "
       "'pool_multiplier'?"},
      {"[pipeline]\npool_multiplier = -2.0",
       "mine.toml:2:1: pool_multiplier = -2: must be a number greater than 0"},
      {"[pipeline]\nnum_streams = 5000000000",
       "mine.toml:2:1: num_streams = 5000000000: must be a whole number up to 4294967295"},
      {"[pipeline]\nmemory_strategy = 'large'",
       "mine.toml:2:1: memory_strategy = large: must be one of \"MINIMAL\", \"PREALLOCATE\""},
      {"[pipeline]\ncoloring = 1", "mine.toml:2:1: coloring = 1: must be true or false"},
      {"[pipeline]\ndims = [1, 'b']", "mine.toml:2:12: dims: must be a list of whole numbers"},
      {"[pipeline]\nprimary_source = 'b'\n[[stage]]\nname = 'a'\ntype = 'RZE'",
       "mine.toml: primary_source 'b' is not a stage"},
      {"pipeline = 3", "mine.toml:1:1: 'pipeline' must be a table, [pipeline]"},
      {"[stage]\nname = 'a'", "mine.toml:1:2: 'stage' must be a list of tables, [[stage]]"},
      {"stage = [1]", "mine.toml:1:10: 'stage' must be a list of tables, [[stage]]"},
      {"[[stage]]\ntype = 'RZE'", "mine.toml:1:1: a stage without a name"},
      {"[[stage]]\nname = 'a'", "mine.toml:1:1: stage 'a' has no type"},
      {"[[stage]]\nname = 7\ntype = 'RZE'", "mine.toml:2:1: name = 7: must be a text in quotes"},
      {"[[stage]]\nname = 'a'\ntype = 'Quantiser'",
       "mine.toml:3:1: unknown stage type 'Quantiser'; did you mean 'Quantizer'?"},
      {"[[stage]]\nname = 'quant'\ntype = 'Quantizer'\n\n  eror_bound = 1",
       "mine.toml:5:3: unknown key 'eror_bound' in stage 'quant'; did you mean 'error_bound'?"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\nerror_bound = 'small'",
       "mine.toml:4:1: stage 'q': error_bound = small: must be greater than 0"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\nerror_bound = 0",
       "mine.toml:4:1: stage 'q': error_bound = 0: must be greater than 0"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\nerror_bound = nan",
       "mine.toml:4:1: stage 'q': error_bound = nan: must be greater than 0"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\nerror_bound_mode = 'absolute'",
       "mine.toml:4:1: stage 'q': error_bound_mode = absolute: must be abs, rel, noa or prel"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\nlinear_mode = 1",
       "mine.toml:4:1: stage 'q': linear_mode = 1: must be true or false"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\nlinear_mode = [1]",
       "mine.toml:4:1: stage 'q': linear_mode: must be true or false"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\ncode_type = 'uint33'",
       "mine.toml:4:1: stage 'q': code_type = uint33: must be auto, uint8"},
      {"[[stage]]\nname = 'p'\ntype = 'AdaptiveBitpack'\nblock_size = 2000",
       "mine.toml:4:1: stage 'p': block_size = 2000: must be 1 to 1024"},
      {"[[stage]]\nname = 'p'\ntype = 'AdaptiveBitpack'\nblock_size = '32'",
       "mine.toml:4:1: stage 'p': block_size = 32: must be 1 to 1024, without quotes"},
      {"[[stage]]\nname = 'p'\ntype = 'AdaptiveBitpack'\nblock_size = -1",
       "mine.toml:4:1: stage 'p': block_size = -1: must be 1 to 1024"},
      {"[[stage]]\nname = 'p'\ntype = 'AdaptiveBitpack'\ndata_type = 'int33'",
       "mine.toml:4:1: unknown key 'data_type' in stage 'p'"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = 'b'",
       "mine.toml:4:1: inputs = b: must be a list of {from = \"stage\", port = \"port\"}"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = ['b']",
       "mine.toml:4:11: inputs: must be a list of {from = \"stage\", port = \"port\"}"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = [{form = 'b'}]",
       "mine.toml:4:12: unknown key 'form' in an input of stage 'a'; did you mean 'from'?"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = [{port = 'b'}]",
       "mine.toml:4:11: an input of stage 'a' has no 'from'"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninput_port = 'quant:codes'",
       "mine.toml:4:1: unknown key 'input_port' in stage 'a'; did you mean 'inputs'?"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = [{from = 'quant'}]",
       "mine.toml:4:11: stage 'a' reads 'quant', which is not a stage"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = [{from = '_external_'}]",
       "mine.toml:4:11: stage 'a' reads '_external_', which is not a stage; did you mean "
       "'__external__'?"},
      {"[[stage]]\nname = 'q'\ntype = 'Quantizer'\n[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = "
       "[{from = 'q', port = 'code'}]",
       "mine.toml:7:11: stage 'q' (Quantizer) has no port 'code'; did you mean 'codes'?"},
      {"[[stage]]\nname = 'a'\ntype = 'RZE'\n[[stage]]\nname = 'a'\ntype = 'RZE'",
       "mine.toml:4:1: two stages are named 'a'"},
      {"[[stage]]\nname = '__external__'\ntype = 'RZE'",
       "mine.toml:1:1: '__external__' is the chunk itself, a stage cannot be named so"},
      {"[[stage]]\nname = 's'\ntype = 'RZE'\n[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = [{from "
       "= 'b'}]\n[[stage]]\nname = 'b'\ntype = 'RZE'\ninputs = [{from = 'a'}]",
       "mine.toml:4:1: these stages wait for each other, in a cycle or behind one: 'a', 'b'"},
      {"[[stage]]\nname = 's'\ntype = 'Difference'\n[[stage]]\nname = 'a'\ntype = 'RZE'\ninputs = "
       "[{from = 's'}]\n[[stage]]\nname = 'b'\ntype = 'RZE'\ninputs = [{from = 's'}]",
       "mine.toml: port 'output' of stage 's' is read twice, the second time by 'b'"},
      {"[[stage]]\nname = 'd'\ntype = 'Difference'\n[[stage]]\nname = 'q'\ntype = "
       "'Quantizer'\ninputs = [{from = 'd'}]",
       "mine.toml: stage 'q' (Quantizer) keeps a bound on what it reads, and 'd' (Difference) "
       "before it does not hand on the values of the chunk"},
      {"[[stage]]\nname = 'a'\ntype = 'Quantizer'\n[[stage]]\nname = 'b'\ntype = "
       "'Quantizer'\ninputs = [{from = 'a', port = 'outlier_vals'}]",
       "mine.toml: stage 'b' (Quantizer) keeps a bound on what it reads, and 'a' (Quantizer) "
       "before it does not hand on the values of the chunk"},
      {"[preset]\nnumber = -1",
       "mine.toml:2:1: number = -1: must be a whole number up to 4294967295"},
      {"[preset]\nnumbr = 1",
       "mine.toml:2:1: unknown key 'numbr' in [preset]; did you mean 'number'?"},
  };
  for (const Refusal& c : cases)
    EXPECT_EQ(refusal(c.text).substr(0, c.message.size()), c.message) << refusal(c.text) << "\n"
                                                                      << c.text;
}

TEST(Toml, no_cut_or_flipped_file_does_harm) {
  std::mt19937_64 random(11);
  const std::string text(kExisting);
  for (size_t n = 0; n < text.size(); n += 7)
    (void)Request::from_toml(std::string_view(text).substr(0, n), "cut");
  for (int round = 0; round < 300; ++round) {
    std::string flipped = text;
    for (int i = 0; i < 3; ++i) flipped[random() % flipped.size()] = static_cast<char>(random());
    (void)Request::from_toml(flipped, "flipped");
  }
}

}  // namespace
}  // namespace fzm
