#!/usr/bin/env python3
"""The command line: what it prints, writes, refuses."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("FZM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("FZM_BUILD", SOURCE / "build"))
FZM = os.environ.get("FZM_CLI", str(BUILD / "bin" / "fzm"))
os.environ.setdefault("HDF5_PLUGIN_PATH", str(BUILD / "plugin"))
ID = 62042
SKIPPED = 77

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)
if not pathlib.Path(FZM).exists():
    print(f"skipped: {FZM} is not built")
    sys.exit(SKIPPED)


def fzm(*arguments, status=0, **environment):
    """stdout; with a status other than 0, stderr."""
    done = subprocess.run([FZM, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, **{k: str(v) for k, v in environment.items()}})
    if done.returncode != status:
        raise AssertionError(f"fzm {' '.join(map(str, arguments))} ended with {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def fzm_json(*arguments, **environment):
    return json.loads(fzm(*arguments, "--json", **environment))


def waves(*shape):
    grid = np.meshgrid(*[np.linspace(0, 5, n) for n in shape], indexing="ij")
    return sum(np.sin(g + i) for i, g in enumerate(grid)).astype("f4")


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fzm_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def raw_file(self, values, name="in.raw"):
        path = self.folder / name
        path.write_bytes(values.tobytes())
        return path


class Errors(CliTest):
    def test_one_line_on_stderr_and_status_1_or_2(self):
        cases = [(1, "plan", "--preset", "fzs", "--type", "f32", "--shape", "8"),
                 (1, "params", "--preset", "fsz", "--abs", "-1"),
                 (1, "compress", self.folder / "none", self.folder / "x.fzm"),
                 (1, "compress", "--preset", "fsz", FZM, self.folder / "x.fzm"),
                 (1, "params", "--words", "1,two"),
                 (1, "stages", "Quantiser"),
                 (1, "plan", "--type", "f31", "--shape", "8"),
                 (1, "plan", "--type", "f32", "--shape", "8x0"),
                 (2, "plan", "--no-such-option"),
                 (2, "params", "--abs", "1", "--noa", "1"),
                 (2, "compress"),
                 (2, "plam"),
                 (2,)]
        for status, *arguments in cases:
            with self.subTest(arguments=arguments):
                text = fzm(*arguments, status=status)
                self.assertRegex(text, r"\Afzm: .+\n\Z")
                self.assertEqual(text.count("\n"), 1)

    def test_the_nearest_name_is_offered(self):
        self.assertIn("did you mean 'fsz'?", fzm("params", "--preset", "fzs", status=1))
        self.assertIn("did you mean 'Quantizer'?", fzm("stages", "Quantiser", status=1))


class Pages(CliTest):
    def test_docs_are_not_stale(self):
        for verb in ("stages", "presets"):
            page = SOURCE / "docs" / f"{verb}.md"
            self.assertEqual(page.read_text(encoding="utf-8"), fzm(verb, "--markdown"),
                             f"docs/{verb}.md is stale: build/bin/fzm {verb} --markdown > docs/{verb}.md")

    def test_json_names_every_stage_with_its_parameters(self):
        stages = {s["name"]: s for s in fzm_json("stages")}
        self.assertIn("error_bound", [p["name"] for p in stages["Quantizer"]["params"]])
        self.assertEqual(len({s["id"] for s in stages.values()}), len(stages))

    def test_a_printed_preset_is_a_pipeline_file(self):
        for preset in fzm_json("presets"):
            with self.subTest(preset=preset["name"]):
                path = self.folder / "p.toml"
                path.write_text(fzm("presets", preset["name"]), encoding="utf-8")
                fzm("plan", "--toml", path, "--type", "f32", "--shape", "16x32x32")

    def test_plan_prints_json_that_reads(self):
        self.assertTrue(fzm_json("plan", "--preset", "fsz", "--type", "f32", "--shape", "64x64"))


class Params(CliTest):
    def test_short_words_are_preset_mode_and_a_double_low_word_first(self):
        p = fzm_json("params", "--preset", "fsz", "--abs", "1e-3")
        low, high = struct.unpack("<II", struct.pack("<d", 1e-3))
        self.assertEqual(p["words"], [1, 1, low, high])
        self.assertIn(f"UD={ID},0,4,1,1,{low},{high}", p["h5repack"])
        self.assertIn(f"*,{ID},1,1,0.001d", p["nccopy"])
        self.assertIn(f"compression={ID}, compression_opts=(1, 1, {low}, {high})", p["h5py"])
        self.assertIn(f"{{1u, 1u, {low}u, {high}u}}", p["C"])
        self.assertIn(f"[1, 1, {low - 2**32}, {high}]", p["Fortran"])

    def test_words_come_back_as_the_same_sentence_signed_or_not(self):
        for preset in fzm_json("presets"):
            for bound in (["--abs", "0.1"], ["--noa", "3e-4"]) if preset["lossy"] else ([],):
                with self.subTest(preset=preset["name"], bound=bound):
                    p = fzm_json("params", "--preset", preset["name"], *bound)
                    signed = [w - 2**32 if w >= 2**31 else w for w in p["words"]]
                    for words in (",".join(map(str, p["words"])), " ".join(map(str, signed))):
                        self.assertEqual(fzm_json("params", "--words", words)["sentence"], p["sentence"])

    def test_h5repacks_own_spelling_is_understood(self):
        p = fzm_json("params", "--options", "preset=fsz, noa=1e-4")
        ud = re.search(r"UD=\S+", p["h5repack"]).group(0)
        self.assertEqual(fzm_json("params", "--words", ud)["sentence"], p["sentence"])

    def test_ncdumps_own_spelling_is_understood(self):
        p = fzm_json("params", "--options", "preset=fsz, noa=1e-4")
        words = re.search(r'"(.*)"', p["CDL"]).group(1)
        self.assertEqual(fzm_json("params", "--words", words)["sentence"], p["sentence"])

    def test_no_words_are_lossless(self):
        self.assertIn("lossless", fzm("params", "--words", ""))

    def test_h5pys_line_runs(self):
        line = fzm_json("params", "--preset", "fsz", "--abs", "1e-2")["h5py"]
        data = waves(32, 64)
        with h5py.File(self.folder / "t.h5", "w") as f:
            eval(line, {"f": f, "name": "x", "data": data, "chunks": (32, 64)})  # pylint: disable=eval-used
            self.assertLessEqual(np.abs(f["x"][()].astype("f8") - data).max(), 1e-2)


class Frames(CliTest):
    def test_compress_and_decompress_keep_the_bound(self):
        data = waves(20, 30, 40)
        raw, frame, back = self.raw_file(data), self.folder / "x.fzm", self.folder / "back.raw"
        fzm("compress", raw, frame, "--preset", "fsz", "--abs", "1e-3", "--type", "f32", "--shape", "20x30x40")
        self.assertLess(frame.stat().st_size, data.nbytes)
        fzm("decompress", frame, back)
        got = np.frombuffer(back.read_bytes(), "f4").reshape(data.shape)
        self.assertLessEqual(np.abs(got.astype("f8") - data).max(), 1e-3)
        compared = fzm_json("compare", raw, back, "--type", "f32", "--abs", "1e-3")
        self.assertEqual(compared["over"], 0)
        self.assertAlmostEqual(compared["max_error"], np.abs(got.astype("f8") - data).max())

    def test_lossless_is_the_default_and_takes_any_bytes(self):
        raw, frame, back = self.folder / "a", self.folder / "a.fzm", self.folder / "b"
        raw.write_bytes(bytes(range(256)) * 41 + b"rest")
        fzm("compress", raw, frame)
        fzm("decompress", frame, back)
        self.assertEqual(raw.read_bytes(), back.read_bytes())
        self.assertIn("equal", fzm("compare", raw, back))

    def test_inspect_tells_bound_stages_and_segments(self):
        raw, frame = self.raw_file(waves(64, 64)), self.folder / "x.fzm"
        fzm("compress", raw, frame, "--preset", "fsz", "--abs", "1e-3", "--type", "f32", "--shape", "64x64")
        info = fzm_json("inspect", frame)
        self.assertEqual(info["abs_bound"], 1e-3)
        self.assertEqual(info["stages"][0]["name"], "Quantizer")
        self.assertEqual(info["stored_bytes"], frame.stat().st_size)
        self.assertLessEqual(info["header_bytes"] + sum(s["bytes"] for s in info["segments"]), info["stored_bytes"])

    def test_damaged_frames_are_told(self):
        raw, frame = self.raw_file(waves(64, 64)), self.folder / "x.fzm"
        fzm("compress", raw, frame, "--preset", "fsz", "--type", "f32", "--shape", "64x64")
        good = frame.read_bytes()
        for damage in (good[:-5], good[:40] + bytes([good[40] ^ 1]) + good[41:], good[:-1] + bytes([good[-1] ^ 1]), b"nothing"):
            frame.write_bytes(damage)
            self.assertRegex(fzm("decompress", frame, self.folder / "y", status=1), r"\Afzm: .*x\.fzm: .+\n\Z")


class Datasets(CliTest):
    def setUp(self):
        super().setUp()
        self.data = waves(64, 96)
        self.path = self.folder / "t.h5"
        words = tuple(fzm_json("params", "--preset", "fsz", "--abs", "1e-3")["words"])
        with h5py.File(self.path, "w") as f:
            f.create_dataset("g/x", data=self.data, chunks=(32, 32), compression=ID, compression_opts=words)
            f.create_dataset("sum", data=self.data, chunks=(64, 96), compression=ID, compression_opts=words, fletcher32=True)
            f.create_dataset("plain", data=self.data)
            f.create_dataset("big", data=self.data.astype(">f8"))

    def test_inspect_sees_every_chunk(self):
        seen = fzm_json("inspect", self.path, "g/x")
        self.assertEqual(len(seen["chunks"]), 6)
        self.assertTrue(all(c["is_frame"] and c["abs_bound"] == 1e-3 for c in seen["chunks"]))
        with h5py.File(self.path, "r") as f:
            self.assertEqual(seen["stored_bytes"], f["g/x"].id.get_storage_size())
        self.assertIn("6 chunks", fzm("inspect", f"{self.path}:/g/x"))

    def test_inspect_reads_below_fletcher32(self):
        self.assertTrue(fzm_json("inspect", self.path, "sum")["chunks"][0]["is_frame"])

    def test_inspect_needs_no_plugin(self):
        fzm("inspect", self.path, "g/x", HDF5_PLUGIN_PATH=self.folder)

    def test_inspect_says_what_it_cannot(self):
        self.assertIn("not in its pipeline", fzm("inspect", self.path, "plain", status=1))
        self.assertIn("no such dataset", fzm("inspect", self.path, "none", status=1))
        self.assertIn("/g/x", fzm("inspect", self.path, status=1))

    def test_compare_reads_datasets_and_finds_what_is_over(self):
        a, b = f"{self.path}:/plain", f"{self.path}:/g/x"
        self.assertIn("over it     0 values", fzm("compare", a, b, "--abs", "1e-3"))
        fzm("compare", a, b, "--abs", "1e-6", status=1)
        fzm("compare", a, f"{self.path}:/big", status=1)

    def test_a_dataset_survives_as_a_frame_with_its_type(self):
        frame, out = self.folder / "big.fzm", self.folder / "out.h5"
        fzm("compress", f"{self.path}:/big", frame)
        fzm("decompress", frame, f"{out}:/a/b")
        with h5py.File(out, "r") as f, h5py.File(self.path, "r") as source:
            self.assertEqual(f["a/b"].dtype, np.dtype(">f8"))
            self.assertEqual(f["a/b"][()].tobytes(), source["big"][()].tobytes())


class Compare(CliTest):
    def test_one_ulp_over_the_bound_is_over(self):
        a = np.zeros(4, "f8")
        b = np.array([0, 0.125, np.nextafter(0.125, 1), -0.125])
        got = fzm_json_status(1, "compare", self.raw_file(a, "a"), self.raw_file(b, "b"), "--type", "f64", "--abs", "0.125")
        self.assertEqual((got["over"], got["equal_bits"]), (1, 1))

    def test_a_difference_that_rounds_to_the_bound_is_over(self):
        a, b = np.array([1.0]), np.array([-2.0**-60])  # 1 + 2^-60 apart
        got = fzm_json_status(1, "compare", self.raw_file(a, "a"), self.raw_file(b, "b"), "--type", "f64", "--abs", "1")
        self.assertEqual(got["over"], 1)
        a, b = np.array([2**62 + 1]), np.array([0])
        got = fzm_json_status(1, "compare", self.raw_file(a, "a"), self.raw_file(b, "b"), "--type", "i64", "--abs", str(2**62))
        self.assertEqual(got["over"], 1)

    def test_nan_counts_for_its_bits_only(self):
        a = np.array([1, np.nan, np.inf, 2], "f4")
        b = np.array([1, np.nan, np.inf, np.nan], "f4")
        got = fzm_json_status(1, "compare", self.raw_file(a, "a"), self.raw_file(b, "b"), "--type", "f32", "--abs", "1")
        self.assertEqual((got["not_finite"], got["not_finite_differs"], got["max_error"]), (3, 1, 0))


class Bench(CliTest):
    def test_json_has_what_the_tables_need(self):
        got = fzm_json("bench", "--preset", "fsz", "--size", "1M", "--noa", "1e-3", "--repeat", "2")
        run = got["runs"][0]
        self.assertEqual(run["over"], 0)
        self.assertEqual(run["raw_bytes"], 1 << 20)
        self.assertGreater(run["ratio"], 1)
        self.assertGreater(run["encode_gb_s"]["best"], 0)
        self.assertGreaterEqual(run["peak_bytes"], run["raw_bytes"] + run["frame_bytes"])

    def test_every_preset_keeps_the_bound_on_every_field_and_type(self):
        for field in ("turb", "noise", "sparse", "constant"):
            for kind in ("f32", "f64", "i16"):
                with self.subTest(field=field, kind=kind):
                    fzm("bench", "--all-presets", "--size", "256K", "--field", field, "--type", kind, "--repeat", "1", "--bound", "1e-3")


class Doctor(CliTest):
    def test_all_is_well_with_the_plugin(self):
        self.assertTrue(fzm_json("doctor")["well"])

    def test_what_is_wrong_is_said_and_the_status_is_1(self):
        nowhere = self.folder / "nowhere"
        text = subprocess.run([FZM, "doctor"], capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "HDF5_PLUGIN_PATH": str(nowhere)})
        self.assertEqual(text.returncode, 1)
        self.assertIn(f"{nowhere}: no such directory", text.stdout)
        self.assertIn(f"no plugin for filter {ID}", text.stdout)

    def test_a_setting_that_is_not_understood_is_named(self):
        text = subprocess.run([FZM, "doctor"], capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "FZM_BACKEND": "gpu"})
        self.assertEqual(text.returncode, 1)
        self.assertIn("FZM_BACKEND=gpu: must be one of auto, host, cuda", text.stdout)

    def test_dead_links_are_found(self):
        (self.folder / "libgone.so").symlink_to(self.folder / "nothing.so")
        text = subprocess.run([FZM, "doctor"], capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "HDF5_PLUGIN_PATH": str(self.folder)})
        self.assertEqual(text.returncode, 1)
        self.assertIn("libgone.so: the link leads nowhere", text.stdout)


def fzm_json_status(status, *arguments):
    done = subprocess.run([FZM, *map(str, arguments), "--json"], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != status:
        raise AssertionError(f"{arguments} ended with {done.returncode}, not {status}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main()
