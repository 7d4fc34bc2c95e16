#!/usr/bin/env python3
"""HDF5 decodes and encodes a chunk again when a part of it is written. Errors must not add up."""
import unittest

from _common import ID, LOSSLESS, FileTest, bound_words, h5py, np, run_python, waves

BOUND = 1e-3


class RowsTest(FileTest):
    def test_rows_of_a_chunk_larger_than_the_cache_stay_within_the_bound(self):
        data = waves(64, 16384)
        for dtype in ("<f4", ">f4", "<f8"):
            with self.subTest(dtype), h5py.File(self.path, "w", rdcc_nbytes=0) as f:
                d = f.create_dataset("x", data.shape, dtype, chunks=data.shape, compression=ID,
                                     compression_opts=bound_words(BOUND))
                for row in range(64):
                    d[row] = data[row]
                self.assert_filtered(d)
            self.assert_within(self.load(), data.astype(dtype), BOUND)

    def test_rows_give_what_one_write_gives(self):
        data = waves(16, 5000)
        for cache, step in ((0, 1), (1 << 24, 16)):
            path = self.folder / f"{cache}.h5"
            with h5py.File(path, "w", rdcc_nbytes=cache) as f:
                d = f.create_dataset("x", data.shape, "f4", chunks=data.shape, compression=ID,
                                     compression_opts=bound_words(BOUND))
                for row in range(0, 16, step):
                    d[row:row + step] = data[row:row + step]
        np.testing.assert_array_equal(self.load(self.folder / "0.h5"), self.load(self.folder / f"{1 << 24}.h5"))

    def test_writing_back_what_was_read_changes_nothing(self):
        data = waves(100, 100)
        self.store(data, bound_words(BOUND))
        once = self.load()
        for _ in range(3):
            with h5py.File(self.path, "r+") as f:
                f["x"][...] = f["x"][()]
        self.assert_same(self.load(), once)


class OverwritingTest(FileTest):
    def test_filter_mask_stays_clear_when_chunks_are_overwritten(self):
        rng = np.random.default_rng(2)
        with h5py.File(self.path, "w", rdcc_nbytes=0) as f:
            d = f.create_dataset("x", (4096,), "f4", chunks=(1024,), compression=ID,
                                 compression_opts=bound_words(BOUND))
            for _ in range(20):
                data = rng.normal(size=4096).astype("f4") if rng.integers(2) else np.zeros(4096, "f4")
                d[...] = data
                f.flush()
                self.assert_filtered(d)
                self.assert_within(d[()], data, BOUND)

    def test_noise_over_noise(self):
        with h5py.File(self.path, "w", rdcc_nbytes=0) as f:
            d = f.create_dataset("x", (4096,), "u1", chunks=(1024,), compression=ID, compression_opts=LOSSLESS)
            for seed in range(10):
                data = np.random.default_rng(seed).integers(0, 256, 4096, dtype="u1")
                d[...] = data
                f.flush()
                self.assert_filtered(d)
                self.assert_same(d[()], data)


class GrowingTest(FileTest):
    def test_a_fresh_process_appends_through_the_filter(self):
        data = waves(300, 20)
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("x", (100, 20), "f4", chunks=(16, 20), maxshape=(None, 20), compression=ID,
                                 compression_opts=bound_words(BOUND))
            d[...] = data[:100]
        # Reading or H5Zfilter_avail loads the plugin; a write alone does not. 96 is inside a stored chunk.
        append = ("import sys, _common, h5py; f = h5py.File(sys.argv[1], 'r+'); d = f['x'];"
                  "h5py.h5z.filter_avail(_common.ID); d.resize(300, 0); d[96:] = _common.waves(300, 20)[96:]; f.close()")
        run_python(append, self.path)
        with h5py.File(self.path) as f:
            self.assert_filtered(f["x"])
        self.assert_within(self.load(), data, BOUND)

    def test_without_loading_the_plugin_the_append_fails_aloud(self):
        self.store(waves(160, 20)[:160], bound_words(BOUND), chunks=(16, 20), maxshape=(None, 20))
        append = ("import sys, _common, h5py; f = h5py.File(sys.argv[1], 'r+'); d = f['x'];"
                  "d.resize(320, 0); d[160:] = 1; f.close()")
        done = run_python(append, self.path, check=False)
        self.assertNotEqual(done.returncode, 0, "chunks were stored raw without a word")


if __name__ == "__main__":
    unittest.main()
