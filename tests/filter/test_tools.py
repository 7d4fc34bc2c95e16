#!/usr/bin/env python3
"""The stock tools: h5repack, h5ls, h5diff, h5stat, h5copy, ncdump, nccopy, ncgen."""
import unittest

from _common import (ABS, FSZ, ID, NAME, NOA, SOURCE, FileTest, bound_words, h5py, need, np, run, stored_entry, ud,
                     waves)

BOUND = 1e-3


class Hdf5ToolsTest(FileTest):
    def setUp(self):
        super().setUp()
        need("h5repack", "h5dump", "h5ls", "h5diff")
        self.plain = self.folder / "plain.h5"
        self.data = waves(60, 70)
        with h5py.File(self.plain, "w") as f:
            f.create_dataset("x", data=self.data, chunks=(20, 30))
        run("h5repack", "-f", ud(bound_words(BOUND)), self.plain, self.path)

    def test_h5ls_shows_name_and_ratio(self):
        text = run("h5ls", "-v", self.path).stdout
        self.assertIn(NAME, text)
        self.assertIn(str(ID), text)

    def test_h5diff_accepts_the_bound_and_notices_less(self):
        self.assertEqual(run("h5diff", "-d", str(BOUND * 1.000001), self.plain, self.path).returncode, 0)
        self.assertNotEqual(run("h5diff", "-d", str(BOUND / 100), self.plain, self.path, check=False).returncode, 0)

    def test_h5dump_prints_the_data(self):
        done = run("h5dump", "-d", "x", "-c", "1,4", self.path)
        self.assertIn("(0,0)", done.stdout)
        self.assertNotIn("unable to print", done.stdout + done.stderr)

    def test_headers_and_copies_need_no_plugin(self):
        nowhere = {"HDF5_PLUGIN_PATH": self.folder}
        self.assertIn(NAME, run("h5dump", "-pH", self.path, **nowhere).stdout)
        copy = self.folder / "copy.h5"
        run("h5copy", "-i", self.path, "-o", copy, "-s", "x", "-d", "x", **nowhere)
        self.assertEqual(run("h5diff", self.path, copy).returncode, 0)

    def test_a_file_with_every_kind_of_dataset(self):
        mixed, packed = self.folder / "mixed.h5", self.folder / "packed.h5"
        with h5py.File(mixed, "w") as f:
            f["float"], f["double"], f["int"] = waves(40, 50), waves(40, 50, dtype="f8"), np.arange(1000)
            f["half"], f["bool"] = waves(500).astype("f2"), waves(500) > 0
            f["text"] = np.array([b"abc", b"d"] * 100)
            f["table"] = np.zeros(100, [("a", "i4"), ("b", "f8")])
            f["scalar"] = 3.5
            f.create_dataset("empty", (0,), "f4", chunks=(10,), maxshape=(None,))
        run("h5repack", "-f", ud(bound_words(BOUND)), mixed, packed)
        self.assertEqual(run("h5diff", "-d", str(BOUND * 1.000001), mixed, packed).returncode, 0)
        with h5py.File(packed) as f:
            for name in ("float", "double", "int", "half", "bool", "text", "table"):
                self.assert_filtered(f[name])

    def test_refusal_under_h5repack_leaves_a_line(self):
        out = self.folder / "out.h5"
        done = run("h5repack", "-f", ud(bound_words(-1.0)), self.plain, out, check=False)
        self.assertIn("fzm: cannot create the dataset", done.stderr)

    def test_real_fields(self):
        """One file of each type, by h5repack with a bound relative to the range."""
        data = SOURCE / "tests" / "data"
        files = sorted(data.glob("*.h5"))
        self.assertTrue(files, data)
        for source in files:
            if source.stat().st_size > 400_000:
                continue
            with self.subTest(source.name):
                packed = self.folder / source.name
                run("h5repack", "-f", ud(bound_words(1e-3, mode=NOA)), source, packed)
                with h5py.File(source) as a, h5py.File(packed) as b:
                    self.check_fields(a, b)

    def check_fields(self, a, b):
        compared = 0
        for name, plain in a.items():
            if not isinstance(plain, h5py.Dataset) or plain.dtype.kind not in "fiu" or stored_entry(b[name]) is None:
                continue
            want, got = plain[()], b[name][()]
            usual = np.isfinite(want.astype("f8")) & (np.abs(want.astype("f8")) < 1e30)
            spread = np.ptp(want[usual].astype("f8")) if usual.any() else 0
            self.assert_within(got[usual], want[usual], 1e-3 * spread)
            compared += 1
        self.assertGreater(compared, 0)


class NetcdfToolsTest(FileTest):
    CDL = """netcdf t {
dimensions: time = UNLIMITED ; y = 40 ; x = 50 ; name = 12 ;
variables:
  double time(time) ;
  float t(time, y, x) ; t:_FillValue = 9.96921e+36f ; t:units = "K" ;
  int count(y) ;
  char station(name) ;
  byte flag(y) ;
data:
  time = 1, 2, 3 ;
  count = 5, 6, 7 ;
  station = "Kilpisjaervi" ;
  flag = 1, 0, 1 ;
}
"""

    def setUp(self):
        super().setUp()
        need("ncgen", "nccopy", "ncdump")
        cdl = self.folder / "t.cdl"
        cdl.write_text(self.CDL, encoding="utf-8")
        self.plain, self.packed = self.folder / "plain.nc", self.folder / "packed.nc"
        run("ncgen", "-k", "nc4", "-o", self.plain, cdl)
        self.data = waves(3, 40, 50) + np.float32(280)
        self.data[1, 10:20] = 9.96921e36
        with h5py.File(self.plain, "r+") as f:
            f["t"].resize(3, axis=0)  # ncgen has written "time" only
            f["t"][...] = self.data

    def check(self):
        with h5py.File(self.packed) as f:
            self.assertIsNotNone(stored_entry(f["t"]))
            self.assert_filtered(f["t"])
            land = self.data > 1e30
            self.assert_within(f["t"][()][~land], self.data[~land], BOUND)
            np.testing.assert_array_equal(f["t"][()][land], self.data[land])
        text = run("ncdump", self.packed).stdout
        self.assertIn("time = 1, 2, 3", text)
        self.assertIn("count = 5, 6, 7", text)
        self.assertIn("Kilpisjaervi", text)

    def test_nccopy_on_all_variables_with_a_double_suffix(self):
        run("nccopy", "-F", f"*,{ID},{FSZ},{ABS},{BOUND}d", self.plain, self.packed)
        self.check()

    def test_nccopy_on_one_variable(self):
        run("nccopy", "-F", f"t,{ID}," + ",".join(map(str, bound_words(BOUND))), self.plain, self.packed)
        self.check()

    def test_ncdump_shows_the_filter(self):
        run("nccopy", "-F", f"t,{ID},{FSZ},{ABS},{BOUND}d", self.plain, self.packed)
        self.assertIn(f't:_Filter = "{ID},', run("ncdump", "-hs", self.packed).stdout)

    def test_copying_the_copy_again(self):
        run("nccopy", "-F", f"t,{ID},{FSZ},{ABS},{BOUND}d", self.plain, self.packed)
        again = self.folder / "again.nc"
        run("nccopy", self.packed, again)
        self.packed = again
        self.check()

    def test_a_file_with_other_filters_takes_two_steps(self):
        """nccopy -F does not replace the filters a variable has; it keeps them and says nothing."""
        shuffled, bare = self.folder / "shuffled.nc", self.folder / "bare.nc"
        run("nccopy", "-d1", "-s", self.plain, shuffled)
        run("nccopy", "-F", "none", shuffled, bare)
        run("nccopy", "-F", f"*,{ID},{FSZ},{ABS},{BOUND}d", bare, self.packed)
        self.check()


if __name__ == "__main__":
    unittest.main()
