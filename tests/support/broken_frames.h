// Frames that must fail, each with one thing wrong and its checksums right, and the number they
// must fail with.
#pragma once
#include <bit>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "tests/support/frame_edit.h"
#include "tests/support/hex.h"

namespace fzm::testing {

inline Frame operator+(Frame a, const Frame& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline Frame hex(const char* text) { return from_hex(text); }
inline Frame real(double v) {
  ByteWriter w;
  w.real(v);
  return w.bytes();
}
inline Frame varint(uint64_t v) {
  ByteWriter w;
  w.varint(v);
  return w.bytes();
}

// uint8 x 16, RZE: the example of kernels/lc/lc.md.
inline Frame rze(const char* records = "10000000 01000000 11000000", const char* padding = "000000") {
  return frame_of(hex("00 01 10 | 02 12 00 | 20"),
                  hex(records) + hex("07090901 848100 0700 0300 03000000 1000") + hex(padding));
}
// float32 x 4, a Quantizer of its own: four codes and two escapes.
inline Frame escapes(const char* indices = "01000000 02000000", double abs_bound = 1e-3,
              const char* lengths = "10 08 08") {
  return frame_of(hex("08 01 04 | 02 0e 00 | 01") + real(abs_bound) + hex(lengths),
                  hex("00000000 00000000 00000000 01000000 | 0000c07f 0000807f") + hex(indices));
}
// int32 x 4, Lorenzo, AdaptiveBitpack.
inline Frame packed(const char* spec = "04 0c 02 20 18 00", const char* values = "04",
             const char* payload = "01 05000000 07000000", const char* lengths = "00 09") {
  return frame_of(hex("06 01 04") + hex(spec) + hex(values) + hex(lengths), hex(payload));
}
// int8 x 32, AdaptiveLorenzo with a tile of 32.
inline Frame adaptive(const char* modes = "02", const char* means = "07",
               const char* lengths = "20 01 01") {
  return frame_of(hex("04 01 20 | 02 22 04 01") + hex(lengths),
                  Frame(32, 0) + hex(modes) + hex(means));
}
// float32 x 40, Mask: the example of its page.
inline Frame mask(const char* piece = "00 01e000100000 0108 0000807f", const char* length = "0d 000000",
           const char* bytes = "a001 11") {
  return frame_of(hex("08 01 28 | 02 2b 00 | 01") + hex(bytes),
                  Frame(160, 0) + hex(length) + hex(piece));
}


struct Broken {
  const char* name;
  Frame frame;
  Code code;
};

inline Frame changed(Frame f, size_t at, uint8_t to, bool seal = true) {
  f[at] = to;
  if (seal) testing::seal(f);
  return f;
}

inline std::vector<Broken> broken_frames() {
  const Frame whole_rze = rze();
  return {
      {"wrong_magic", changed(rze(), 0, 'X'), Code::not_a_frame},
      {"newer_version", changed(rze(), 4, 2), Code::newer_frame},
      {"version_zero", changed(rze(), 4, 0), Code::corrupt},
      {"unknown_flag", changed(rze(), 5, 8), Code::newer_frame},
      {"header_shorter_than_it_can_be", changed(rze(), 6, 15, false), Code::truncated},
      {"header_longer_than_the_frame", changed(rze(), 7, 1, false), Code::truncated},
      {"header_damaged", changed(rze(), 9, 2, false), Code::checksum},
      {"payload_damaged", changed(rze(), whole_rze.size() - 8, 1, false), Code::checksum},
      {"payload_checksum_damaged", changed(rze(), 16 + 6, 0, false), Code::checksum},
      {"unknown_type", with_body(rze(), [](Frame& b) { b[0] = 10; }), Code::corrupt},
      {"rank_zero", with_body(rze(), [](Frame& b) { b[1] = 0; }), Code::corrupt},
      {"rank_33", frame_of(hex("00 21") + Frame(33, 1) + hex("02 12 00 00"), {}), Code::corrupt},
      {"extents_that_overflow",
       frame_of(hex("00 02") + varint(1ull << 32) + varint(1ull << 32) + hex("02 12 00 00"), {}),
       Code::corrupt},
      {"more_values_than_32_bits",
       frame_of(hex("00 01") + varint(1ull << 32) + hex("02 12 00 00"), {}), Code::corrupt},
      {"more_bytes_than_32_bits",
       frame_of(hex("09 01") + varint(1ull << 30) + hex("02 12 00 00"), {}), Code::corrupt},
      {"items_of_no_bytes", frame_of(hex("ff 00 01 10 02 12 00 00"), {}), Code::corrupt},
      {"items_that_overflow",
       frame_of(hex("ff") + varint(0xFFFFFFFF) + hex("02") + varint(65536) + varint(65537) +
                    hex("02 12 00 00"),
                {}),
       Code::corrupt},
      {"varint_not_shortest", frame_of(hex("00 01 9000 02 12 00 20"), hex("00")), Code::corrupt},
      {"varint_of_eleven_bytes", frame_of(hex("00 01 ffffffffffffffffffff01 02 12 00 20"), {}),
       Code::corrupt},
      {"body_too_short", frame_of(hex("00 01"), {}), Code::corrupt},
      {"body_too_long", with_body(rze(), [](Frame& b) { b.push_back(0); }), Code::corrupt},
      {"empty_chunk_with_a_pipeline", frame_of(hex("00 01 00 02 12 00 00"), {}), Code::corrupt},
      {"no_stages", frame_of(hex("00 01 10 00"), {}), Code::corrupt},
      {"stages_256", frame_of(hex("00 01 10") + varint(512) + Frame(600, 0), {}), Code::corrupt},
      {"unknown_stage", with_body(rze(), [](Frame& b) { b[4] = 99; }), Code::newer_frame},
      {"unknown_row", with_body(rze(), [](Frame& b) { b[5] = 4; }), Code::newer_frame},
      {"row_out_of_range", frame_of(hex("00 01 10 | 02 12 02 03 | 00"), {}), Code::corrupt},
      {"unknown_choice", frame_of(hex("08 01 04 | 02 0e 02 09 | 00 00 00 00"), {}), Code::corrupt},
      {"bound_not_positive",
       frame_of(hex("08 01 04 | 02 0e 01") + real(-1) + hex("00 00 00 00"), {}), Code::corrupt},
      {"type_the_stage_does_not_take", frame_of(hex("08 01 04 | 02 0c 00 | 00 00"), {}),
       Code::corrupt},
      {"segment_longer_than_the_frame", with_body(rze(), [](Frame& b) { b[6] = 0x21; }),
       Code::truncated},
      {"segments_that_overflow",
       frame_of(hex("06 01 04 02 0c 00") + varint(~0ull) + varint(2), hex("00")), Code::truncated},
      {"segment_shorter_than_the_payload", with_body(rze(), [](Frame& b) { b[6] = 0x1f; }),
       Code::corrupt},
      {"byte_left_over", frame_of(hex("00 01 10 | 02 12 00 | 20"), Frame(33, 0)), Code::corrupt},
      {"stream_shorter_than_its_header", frame_of(hex("00 01 10 | 02 12 00 | 04"), hex("10000000")),
       Code::corrupt},
      {"container_of_other_length", rze("11000000 01000000 11000000"), Code::corrupt},
      {"container_of_two_chunks", rze("10000000 02000000 11000000"), Code::corrupt},
      {"record_that_asks_for_too_much", rze("10000000 01000000 15000000"), Code::corrupt},
      {"record_that_asks_for_4_gib", rze("10000000 01000000 ffffff7f"), Code::corrupt},
      {"record_that_asks_for_too_little", rze("10000000 01000000 0c000000"), Code::corrupt},
      {"raw_record_of_other_length", rze("10000000 01000000 11000080"), Code::corrupt},
      {"stream_padding_not_zero", rze("10000000 01000000 11000000", "000001"), Code::corrupt},
      {"pad_not_zero", frame_of(hex("00 01 01"), hex("07 01"), 2 + 4), Code::corrupt},
      {"pad_missing", frame_of(hex("00 01 01"), hex("07"), 2 + 4), Code::truncated},
      {"raw_chunk_too_short", frame_of(hex("00 01 02"), hex("07"), 2), Code::truncated},
      {"raw_chunk_too_long", frame_of(hex("00 01 02"), hex("070707"), 2), Code::corrupt},
      {"indices_out_of_order", escapes("02000000 01000000"), Code::corrupt},
      {"index_twice", escapes("01000000 01000000"), Code::corrupt},
      {"index_beyond_the_array", escapes("01000000 04000000"), Code::corrupt},
      {"more_values_than_indices", escapes("01000000", 1e-3, "10 08 04"), Code::corrupt},
      {"index_of_three_bytes", escapes("010000", 1e-3, "10 08 03"), Code::corrupt},
      {"abs_bound_not_a_number", escapes("01000000 02000000", __builtin_nan("")), Code::corrupt},
      {"abs_bound_negative", escapes("01000000 02000000", -1), Code::corrupt},
      {"abs_bound_infinite", escapes("01000000 02000000", __builtin_inf()), Code::corrupt},
      {"array_of_other_length", escapes("02000000", 1e-3, "0c 08 08"), Code::corrupt},
      {"values_that_contradict_the_shape", packed("04 0c 02 20 18 00", "05"), Code::corrupt},
      {"two_readers_of_one_port",
       packed("07 0c 02 20 01 00 00 18 00 01 01 00 18 00 01 01 00", "04 04", "", "00 00 00"),
       Code::corrupt},
      {"edge_to_a_later_stage", packed("05 0c 02 20 01 02 00 18 00 01 01 00", "04 04", "", "00 00"),
       Code::corrupt},
      {"edge_to_itself", packed("05 0c 02 20 01 00 00 18 00 01 02 00", "04", "", "00 00"),
       Code::corrupt},
      {"edge_from_no_stage", packed("05 0c 02 20 01 00 00 18 00 01 63 00", "04", "", "00 00"),
       Code::corrupt},
      {"edge_from_no_port", packed("05 0c 02 20 01 00 00 18 00 01 01 07", "04", "", "00 00"),
       Code::corrupt},
      {"two_inputs", packed("05 0c 02 20 01 00 00 18 00 02 01 00 01 01", "04", "", ""),
       Code::corrupt},
      {"inputs_without_end", packed("05 0c 02 20 01 00 00 18 00 ffffff7f", "", "", ""),
       Code::corrupt},
      {"rate_of_33_planes", packed("04 0c 02 20 18 00", "04", "21 05000000 07000000"),
       Code::corrupt},
      {"payload_shorter_than_its_rate", packed("04 0c 02 20 18 00", "04", "02 05000000 07000000"),
       Code::corrupt},
      {"payload_longer_than_its_rate", packed("04 0c 02 20 18 00", "04", "00 05000000 07000000"),
       Code::corrupt},
      {"select_that_is_even", packed("04 0c 02 20 18 02", "04", "0002 0000 00000000", "00 08"),
       Code::corrupt},
      {"mode_of_no_tile", adaptive("06"), Code::corrupt},
      {"mean_missing", adaptive("02", "", "20 01 00"), Code::corrupt},
      {"mean_too_many", adaptive("02", "0707", "20 01 02"), Code::corrupt},
      {"mask_piece_too_short", mask("00 01e0001000 0108 0000807f", "0c 000000", "a001 10"),
       Code::corrupt},
      {"mask_piece_too_long", mask("00 01e000100000 0108 0000807f 00", "0e 000000", "a001 12"),
       Code::corrupt},
      {"mask_unknown_flag", mask("10 01e000100000 0108 0000807f"), Code::corrupt},
      {"mask_unknown_set", mask("00 20e000100000 0108 0000807f"), Code::corrupt},
      {"mask_of_nothing", mask("00 00 00", "03 000000", "a001 07"), Code::corrupt},
      // 255 x 1 tiles on a column of 4 million bytes: a gigabyte.
      {"tiles_that_grow_the_chunk",
       frame_of(hex("04 01") + varint(4000000) + hex("02 19") + varint(0b110010) + varint(255) +
                    varint(1) + varint(4000000) + hex("00"),
                {}),
       Code::corrupt},
      {"tiles_beyond_32_bits",
       frame_of(hex("04 01") + varint(40000000) + hex("02 19") + varint(0b110010) + varint(255) +
                    varint(1) + varint(40000000) + hex("00"),
                {}),
       Code::corrupt},
      {"tile_of_too_many_values", frame_of(hex("04 01 10 | 02 19 06 ff01 ff01 | 00"), {}),
       Code::corrupt},
  };
}

}  // namespace fzm::testing
