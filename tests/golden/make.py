#!/usr/bin/env python3
"""Adds golden frames. Run it by hand, and only to add some: what has a file is never made again.

    python3 tests/golden/make.py BUILD/tests/test_golden

A new frame is a line in CASES below (and, if it needs one, an input in INPUTS). The script writes inputs that have no file,
appends lines to frames.txt, lets test_golden write frames that have no file, and records the digest of what the independent
decoder (decode.py) makes of them. It stops if the library's own decoder disagrees.
"""
import math
import os
import pathlib
import struct
import subprocess
import sys

import decode

HERE = pathlib.Path(__file__).resolve().parent
NAN, INF = math.nan, math.inf


def waves(n, period, height, noise=0):
    state = 1
    for i in range(n):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        yield height * math.sin(i / period) + noise * ((state >> 40) / (1 << 24) - 0.5)


def field(nz, ny, nx):
    values = [10 * math.sin(x / 5) + 7 * math.cos(y / 4) + 3 * z + 0.02 * ((x * 7 + y * 13 + z * 29) % 11)
              for z in range(nz) for y in range(ny) for x in range(nx)]
    return values


def with_specials(values, fill):
    values = list(values)
    for i in range(40, 75):
        values[i] = fill
    for i in (3, 4, 5, 300, 301, len(values) - 1):
        values[i] = NAN
    values[200], values[201], values[310], values[311] = INF, -INF, 1e32, 1e32
    values[210], values[400] = 123456.75, -98765.5
    return values


def pack(code, values):
    return struct.pack("%s%d%s" % (code[0], len(values), code[1:]), *values)


def whole(values):
    return [round(v) for v in values]


FLOATS = with_specials(field(6, 14, 15), -9999.0)
INPUTS = {
    "f32_field.bin": lambda: pack("<f", FLOATS),
    "f32be_field.bin": lambda: pack(">f", FLOATS),
    "f64_line.bin": lambda: pack("<d", with_specials(waves(517, 20, 1000, 3), -9999.0)),
    "f32_smooth.bin": lambda: pack("<f", field(5, 11, 13)),
    "f64_plane.bin": lambda: pack("<d", field(1, 19, 23)),
    "i16_plane.bin": lambda: pack("<h", whole(waves(37 * 29, 15, 3000, 40))),
    "u8_line.bin": lambda: pack("<B", [min(255, max(0, v + 100)) for v in whole(waves(1000, 30, 120, 6))]),
    "i64_line.bin": lambda: pack("<q", [v * 10**12 for v in whole(waves(201, 9, 1e5, 3))] + [-2**63, 2**63 - 1, 0]),
    "i32_volume.bin": lambda: pack("<i", whole([1000 * v for v in field(6, 9, 10)])),
    "u16_sparse.bin": lambda: pack("<H", [i if i % 37 == 0 else 0 for i in range(1500)]),
    "f32_constant.bin": lambda: pack("<f", [2.5] * 300),
    "f32_one.bin": lambda: pack("<f", [1.25]),
    "f32_nans.bin": lambda: pack("<f", [NAN] * 200),
    "f32_noise.bin": lambda: bytes((i * i * 2654435761 >> 13) % 251 for i in range(400)),
    "opaque.bin": lambda: b"".join(struct.pack("<iQ", i // 3, i * i) for i in range(120)),
    "u8_text.bin": lambda: b"error-bounded compression of arrays; " * 25,
    "u8_tile.bin": lambda: bytes(250),
}

FILL32, FILL64 = "c61c3c00", "c0c3878000000000"
TYPES = {  # type, shape, fill, input, bound
    "f32": ("float32", "6x14x15", FILL32, "f32_field.bin", "abs=0.01"),
    "f64": ("float64", "517", FILL64, "f64_line.bin", "abs=0.05"),
    "i16": ("int16", "37x29", "", "i16_plane.bin", "abs=2"),
    "u8": ("uint8", "1000", "64", "u8_line.bin", "abs=1"),
    "i64": ("int64", "204", "", "i64_line.bin", "abs=1000000"),
    "f32be": ("float32be", "6x14x15", FILL32, "f32be_field.bin", "noa=1e-3"),
}
PRESETS = ["lossless", "fsz", "cuszp", "cuszp2", "cuszp3", "cuszp3_outlier", "cuszp3_fixed", "szp", "pfpl"]
SMOOTH = ("float32", "5x11x13", "", "f32_smooth.bin")
PLANE = ("float64", "19x23", "", "f64_plane.bin")
VOLUME = ("int32", "6x9x10", "", "i32_volume.bin")
I16 = ("int16", "37x29", "", "i16_plane.bin")
LINE = ("int16", "1073", "", "i16_plane.bin")
I64 = ("int64", "204", "", "i64_line.bin")
SPARSE = ("uint16", "1500", "", "u16_sparse.bin")
FLOATS3 = ("float32", "6x14x15", FILL32, "f32_field.bin")
TEXT = ("uint8", "925", "", "u8_text.bin")

CASES = [(f"{preset}_{t}", *TYPES[t][:4], f"preset={preset}" + ("" if preset == "lossless" else ", " + TYPES[t][4]))
         for preset in PRESETS for t in TYPES]
CASES += [
    ("constant", "float32", "300", "", "f32_constant.bin", "preset=fsz"),
    ("constant_abs", "float32", "300", "", "f32_constant.bin", "preset=cuszp2, abs=1e-3"),
    ("one_value", "float32", "1", "", "f32_one.bin", "preset=fsz"),
    ("all_nan", "float32", "10x20", "", "f32_nans.bin", "preset=pfpl"),
    ("raw", "float32", "100", "", "f32_noise.bin", "preset=lossless"),
    ("raw_be", "float32be", "100", "", "f32_noise.bin", "preset=fsz, abs=1e-9"),
    ("opaque12", "opaque12", "10x12", "", "opaque.bin", "preset=lossless"),
    ("opaque4", "opaque4", "360", "", "opaque.bin", "preset=fsz"),
    ("unit_axes", "int16", "1x37x1x29x1", "", "i16_plane.bin", "preset=cuszp3, abs=1"),
    ("five_axes", "int32", "2x3x1x9x10", "", "i32_volume.bin", "preset=cuszp3, abs=1"),
    ("no_mask", *FLOATS3, "preset=fsz, abs=0.01, mask=no"),
    ("mask_no_fill", *FLOATS3, "preset=fsz, abs=0.01, fill=no"),
    ("pfpl_rel", *SMOOTH, "preset=pfpl, rel=1e-3"),
    ("pfpl_rel_f64", *PLANE, "preset=pfpl, rel=1e-7"),
    ("rel_u16", *SMOOTH, 'Quantizer(error_bound_mode = "rel"; error_bound = 0.01; code_type = "uint16") > RZE'),
    ("plain_i16", *FLOATS3, 'Quantizer(error_bound = 0.05; linear_mode = true; code_type = "int16") > Zigzag > RAZE(word_size = 2)'),
    ("plain_u16", *SMOOTH, 'Quantizer(error_bound = 0.01; code_type = "uint16"; quant_radius = 500) > RARE(word_size = 2)'),
    ("plain_signed", *SMOOTH, 'Quantizer(error_bound = 0.01; zigzag_codes = false) > Difference(mode = "zigzag") > RZE(word_size = 4)'),
    ("high_precision", *SMOOTH, "Quantizer(error_bound = 0.001; linear_mode = true; linear_high_precision = true) > Lorenzo > AdaptiveBitpack"),
    ("power_of_two", *SMOOTH, 'Quantizer(error_bound = 1e-3; error_bound_mode = "prel"; power_of_two_bound = true; linear_mode = true) > Lorenzo > AdaptiveBitpack'),
    ("threshold", *FLOATS3, "Quantizer(error_bound = 0.01; outlier_threshold = 12.0; inplace_outliers = true; quant_radius = 100000) > RRE(word_size = 4)"),
    ("i64_codes", *PLANE, 'Quantizer(error_bound = 1e-11; error_bound_mode = "noa"; linear_mode = true) > Lorenzo(block_size = 64) > AdaptiveBitpack'),
    ("u64_codes", *PLANE, 'Quantizer(error_bound = 1e-9; code_type = "uint64"; quant_radius = 1099511627776) > RAZE(word_size = 8)'),
    ("unsigned_by_5", *SPARSE, "Quantizer(error_bound = 2.5) > RZE(word_size = 2)"),
    ("lorenzo_2d", *I16, "Lorenzo > AdaptiveBitpack(block_size = 50)"),
    ("lorenzo_3d", *VOLUME, "Lorenzo > AdaptiveBitpack(outlier_selection = true)"),
    ("lorenzo_order2", *LINE, "Lorenzo(order = 2) > AdaptiveBitpack"),
    ("lorenzo_centered", *LINE, "Lorenzo(block_size = 100; order = 2; centering = true) > AdaptiveBitpack"),
    ("tiles_of_choice", *VOLUME, "TiledLorenzo(tile_x = 5; tile_y = 3; tile_z = 2) > AdaptiveBitpack(block_size = 30)"),
    ("tiles_other_shape", *VOLUME, "TiledLorenzo(dim_x = 90; dim_y = 6) > AdaptiveBitpack(block_size = 64)"),
    ("adaptive_plain", *I64, "AdaptiveLorenzo(enable_order2 = false; enable_centering = false; blocks_per_tile = 1) > AdaptiveBitpack"),
    ("adaptive_outlier", *I16, "AdaptiveLorenzo(outlier_cost = true; blocks_per_tile = 3) > AdaptiveBitpack(outlier_selection = true)"),
    ("zigzag", *I16, "Zigzag > RAZE(word_size = 2)"),
    ("negabinary", *I16, "Negabinary > RARE(word_size = 2; chunk_size = 4096)"),
    ("zigzag_bytes", *TEXT, 'Zigzag(byte_transparent = true; input_type = "int16") > RRE(word_size = 8)'),
    ("negabinary_bytes", *TEXT, 'Negabinary(byte_transparent = true; input_type = "int64") > RARE'),
    ("difference_plain", *I64, "Difference > RARE(word_size = 8)"),
    ("difference_chunks", *I16, 'Difference(chunk_size = 96; mode = "zigzag") > RAZE(word_size = 2)'),
    ("rze_8", *SPARSE, "RZE(word_size = 8; chunk_size = 4096)"),
    ("rre_1", *TEXT, "Difference > RRE"),
    ("raze_1", *SPARSE, "RAZE"),
    ("rare_1", "uint8", "1000", "", "u8_line.bin", "RARE"),
    ("rare_4", *VOLUME, "RARE(word_size = 4; chunk_size = 8192)"),
    ("bitshuffle_8", "int64", "204", "", "i64_line.bin", "Difference > Bitshuffle(block_size = 8192; element_width = 8) > RZE"),
    ("bitshuffle_1", "uint8", "1073x2", "", "i16_plane.bin", "Bitshuffle(block_size = 1024) > RZE"),
    ("bitshuffle_2", *LINE, 'Difference(mode = "zigzag") > Bitshuffle(block_size = 2048) > RZE'),
    ("bitshuffle_4", *VOLUME, "Difference > Bitshuffle(block_size = 4096; element_width = 0) > RRE"),
    ("packed_twice", *VOLUME, "Lorenzo > AdaptiveBitpack > RZE"),
    ("graph", *I16, 'AdaptiveLorenzo(blocks_per_tile = 1) > AdaptiveBitpack > RZE(inputs = [{from = "s0", port = "means"}]) > RRE(inputs = [{from = "s0", port = "modes"}])'),
]


def read_lines():
    path = HERE / "frames.txt"
    return path.read_text().splitlines() if path.exists() else [
        "# Golden frames, one a line; made by make.py, which says how to add one. A line is never changed.",
        "# name | type | shape | fill value, as bits | input | request | XXH64 of the decoded bytes"]


def main():
    lines = read_lines()
    known = {line.split("|")[0].strip() for line in lines}
    for name, make in INPUTS.items():
        path = HERE / "inputs" / name
        if not path.exists():
            path.write_bytes(make())
    new = [case for case in CASES if case[0] not in known]
    table = HERE / "frames.txt"
    table.write_text("\n".join(lines + [" | ".join(case) + " |" for case in new]) + "\n")
    subprocess.run([os.path.abspath(sys.argv[1]), "--gtest_filter=*encoder_makes_the_same_frame*", "--gtest_brief=1"],
                   env={**os.environ, "FZM_GOLDEN_ADD": "1"}, check=True)
    for case in new:
        raw = decode.decode((HERE / "frames" / (case[0] + ".fzm")).read_bytes())
        lines.append(" | ".join(case) + " | %016x" % decode.xxh64(raw))
    table.write_text("\n".join(lines) + "\n")
    subprocess.run([os.path.abspath(sys.argv[1]), "--gtest_brief=1"], check=True)


if __name__ == "__main__":
    main()
