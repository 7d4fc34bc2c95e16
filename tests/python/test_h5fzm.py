#!/usr/bin/env python3
"""The Python package h5fzm with the h5py that is there. Its neighbours (xarray, h5netcdf, numcodecs, zarr) are tested where
test_pypi.sh has installed them."""
import os
import pathlib
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("FZM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("FZM_BUILD", SOURCE / "build"))
# Found by the package, not by the variable that a user may not have set.
os.environ.pop("HDF5_PLUGIN_PATH", None)
if not os.environ.get("H5FZM_INSTALLED"):
    os.environ.setdefault("FZM_PLUGIN", str(BUILD / "plugin" / "libh5zfzm.so"))
    sys.path.insert(0, str(SOURCE / "filter" / "python"))
try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
import h5fzm

TYPES = "u1 u2 u4 u8 i1 i2 i4 i8 f4 f8".split()


def waves(*shape, dtype="f4"):
    values = np.arange(int(np.prod(shape))).reshape(shape)
    return (50 * np.sin(values * 0.01) + 51).astype(dtype)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(pathlib.Path(folder.name) / "t.h5")

    def test_a_dataset_is_written_and_read_within_its_bound(self):
        a = waves(40, 50, 60)
        with h5py.File(self.path, "w") as f:
            f.create_dataset("a", data=a, chunks=(20, 50, 60), **h5fzm.Fzm("fsz", abs=1e-3))
        with h5py.File(self.path) as f:
            self.assertLessEqual(np.abs(f["a"][:].astype("f8") - a).max(), 1e-3)
            about = h5fzm.describe(f["a"])
            self.assertIn("preset fsz, |x - x'| <= 0.001 (abs)", about["sentence"])
            self.assertGreater(about["ratio"], 2)
            self.assertEqual(about["chunks"], (20, 50, 60))

    def test_a_dataset_without_the_filter_has_no_description(self):
        with h5py.File(self.path, "w") as f:
            self.assertIsNone(h5fzm.describe(f.create_dataset("a", data=waves(10))))

    def test_stage_parameters_and_files_reach_the_filter(self):
        pipeline = pathlib.Path(self.path).with_suffix(".toml")
        pipeline.write_text('[[stage]]\nname = "d"\ntype = "Difference"\n')
        for request in (h5fzm.Fzm("fsz", abs=1e-3, **{"predict.blocks_per_tile": 4}), h5fzm.Fzm("pfpl", rel=1e-3, mask=False),
                        h5fzm.Fzm("lossless"), h5fzm.Fzm(options="preset=szp, noa=1e-4"), h5fzm.Fzm(toml=pipeline)):
            with self.subTest(request), h5py.File(self.path, "w") as f:
                a = waves(64, 64, dtype="i4" if "toml" in request.options else "f4")
                f.create_dataset("a", data=a, chunks=(64, 64), **request)
                f.flush()
                bound = 0 if request.options.startswith(("preset=lossless", "toml")) else 0.2
                self.assertLessEqual(np.abs(f["a"][:].astype("f8") - a).max(), bound)

    def test_what_is_asked_wrongly_is_refused_with_a_sentence(self):
        for wrong, sentence in (({"preset": "fzs"}, "fsz"), ({"preset": "fsz", "abs": -1}, "greater than 0"),
                                ({"preset": "lossless", "abs": 1e-3}, "bound"), ({"toml": "/no/such/file"}, "cannot read")):
            with self.subTest(wrong), self.assertRaises(h5fzm.FzmError) as caught:
                h5fzm.Fzm(**wrong)
            self.assertIn(sentence, str(caught.exception))
            self.assertIn(caught.exception.code // 100, (1, 4))
        with self.assertRaises(TypeError):
            h5fzm.Fzm("fsz", abs=1, rel=1)
        with self.assertRaises(TypeError):
            h5fzm.Fzm()

    def test_appending_needs_nothing_more(self):
        with h5py.File(self.path, "w") as f:
            f.create_dataset("a", data=waves(10, 100), maxshape=(None, 100), chunks=(10, 100), **h5fzm.Fzm("fsz", abs=1e-3))
        with h5py.File(self.path, "a") as f:
            f["a"].resize(20, axis=0)
            f["a"][10:] = waves(10, 100)
            self.assertLessEqual(np.abs(f["a"][10:] - waves(10, 100)).max(), 1.001e-3)


class Arrays(unittest.TestCase):
    def test_every_type_order_and_shape_comes_back(self):
        for code in TYPES:
            for order in "<>":
                for shape in ((), (1,), (0,), (1000,), (7, 1, 31), (2, 3, 4, 5, 6)):
                    with self.subTest(code=code, order=order, shape=shape):
                        a = waves(*shape, dtype=order + code)
                        back = h5fzm.decode(h5fzm.encode(a))
                        self.assertEqual(back.tobytes(), a.tobytes())
                        self.assertEqual(back.size, a.size)
                        if shape:
                            self.assertEqual((back.dtype, back.shape), (a.dtype, a.shape))

    def test_bounds_are_kept(self):
        a = waves(100, 100, dtype=">f8")
        self.assertLessEqual(np.abs(h5fzm.decode(h5fzm.encode(a, "fsz", abs=0.5)) - a).max(), 0.5)
        self.assertLessEqual(np.abs(h5fzm.decode(h5fzm.encode(a.T, "preset=pfpl, rel=0.01")) / a.T - 1).max(), 0.01)

    def test_compounds_are_kept_to_the_bit(self):
        a = np.zeros(100, dtype=[("x", "f4"), ("n", "i2")])
        a["x"] = waves(100)
        self.assertEqual(h5fzm.decode(h5fzm.encode(a)).tobytes(), a.tobytes())

    def test_decode_writes_into_memory_that_is_given(self):
        a = waves(30, 30)
        out = np.empty_like(a)
        self.assertIs(h5fzm.decode(h5fzm.encode(a), out), out)
        self.assertEqual(out.tobytes(), a.tobytes())
        with self.assertRaises(h5fzm.FzmError):
            h5fzm.decode(h5fzm.encode(a), np.empty(10))
        with self.assertRaises(ValueError):
            h5fzm.decode(h5fzm.encode(a), np.empty((30, 60), "f4")[:, ::2])

    def test_damage_is_an_error_with_its_number(self):
        frame = bytearray(h5fzm.encode(waves(1000), "fsz", abs=1e-3))
        frame[-1] ^= 1
        with self.assertRaises(h5fzm.FzmError) as caught:
            h5fzm.decode(frame)
        self.assertEqual(caught.exception.code, 203)
        with self.assertRaises(h5fzm.FzmError):
            h5fzm.decode(b"not a frame")


class Advice(unittest.TestCase):
    def test_chunks_are_near_the_target_and_divide_evenly(self):
        for shape, dtype, most in (((100, 512, 512), "f4", 16), ((10_000_000,), "f8", 16), ((3, 5), "u1", 16), ((0, 4), "f4", 16),
                                   ((50_000, 50_000), "f4", 16)):
            chunk = h5fzm.chunks_for(shape, dtype)
            self.assertEqual(len(chunk), len(shape))
            self.assertTrue(all(1 <= c <= max(n, 1) for c, n in zip(chunk, shape)))
            self.assertLessEqual(np.prod(chunk) * np.dtype(dtype).itemsize, 1.01 * most * 2**20)
        self.assertEqual(h5fzm.chunks_for((100, 512, 512), "f4"), (15, 512, 512))
        self.assertGreaterEqual(h5fzm.cache_for((64, 512, 512), "f4")["rdcc_nbytes"], 2 * 64 * 512 * 512 * 4)

    def test_params_speak_the_tools_languages(self):
        p = h5fzm.params("fsz", abs=1e-3)
        self.assertEqual(p["words"], (1, 1, 3539053052, 1062232653))
        self.assertEqual(p["h5repack"], "-f UD=62042,0,4,1,1,3539053052,1062232653")


if os.environ.get("H5FZM_INSTALLED"):
    class Neighbours(unittest.TestCase):
        def test_xarray_through_h5netcdf(self):
            import xarray
            data = xarray.Dataset({"t": (("time", "y", "x"), waves(4, 90, 180))},
                                  coords={"time": np.arange(4.0), "y": np.linspace(-89, 89, 90), "x": np.arange(180.0)})
            with tempfile.TemporaryDirectory() as folder:
                path = folder + "/t.nc"
                data.to_netcdf(path, engine="h5netcdf", encoding=h5fzm.xarray_encoding(data, "fsz", abs=1e-3))
                with xarray.open_dataset(path, engine="h5netcdf") as back:
                    self.assertLessEqual(float(np.abs(back["t"].astype("f8") - data["t"]).max()), 1e-3)
                    self.assertTrue((back["y"].values == data["y"].values).all())
                with h5py.File(path) as f:
                    self.assertIn("preset fsz", h5fzm.describe(f["t"])["sentence"])
                    self.assertIn("lossless", h5fzm.describe(f["y"])["sentence"])

        def test_numcodecs(self):
            import numcodecs
            import h5fzm.zarr
            codec = numcodecs.get_codec({"id": "fzm", "options": "preset=fsz, abs=0.001"})
            a = waves(50, 50)
            self.assertLessEqual(np.abs(codec.decode(codec.encode(a)) - a).max(), 1.001e-3)
            out = np.empty_like(a)
            codec.decode(codec.encode(a), out)
            self.assertLessEqual(np.abs(out - a).max(), 1.001e-3)
            self.assertEqual(numcodecs.get_codec(h5fzm.zarr.FzmCodec("fsz", abs=1e-3).get_config()).options, "preset=fsz, abs=0.001")

        def test_zarr_arrays_of_format_2(self):
            import h5fzm.zarr
            import zarr
            a = waves(60, 80)
            with tempfile.TemporaryDirectory() as folder:
                made = zarr.create_array(store=folder + "/a", shape=a.shape, chunks=(30, 80), dtype=a.dtype, zarr_format=2,
                                         compressors=h5fzm.zarr.FzmCodec("fsz", abs=1e-3))
                made[:] = a
                back = zarr.open_array(folder + "/a", mode="r")
                self.assertLessEqual(np.abs(back[:] - a).max(), 1.001e-3)
                self.assertLess(sum(f.stat().st_size for f in pathlib.Path(folder).rglob("*") if f.is_file()), a.nbytes / 2)


if __name__ == "__main__":
    unittest.main()
