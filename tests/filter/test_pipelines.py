#!/usr/bin/env python3
"""Other filters before and after ours, and ours twice."""
import unittest

from _common import ID, LOSSLESS, FileTest, bound_words, h5py, np, stored_entry, waves

BOUND = 1e-2
MANDATORY = h5py.h5z.FLAG_MANDATORY


class PipelineTest(FileTest):
    def create(self, f, filters, data):
        """`filters` are (id, values) in writing order; 2 is shuffle, 3 fletcher32, 1 deflate."""
        dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        dcpl.set_chunk(data.shape)
        for code, values in filters:
            dcpl.set_filter(code, MANDATORY, values)
        return h5py.Dataset(h5py.h5d.create(f.id, b"x", h5py.h5t.py_create(data.dtype),
                                            h5py.h5s.create_simple(data.shape), dcpl))

    def round_trip(self, filters, data):
        with h5py.File(self.path, "w") as f:
            self.create(f, filters, data)[...] = data
        got = self.load()
        with h5py.File(self.path) as f:
            self.assert_filtered(f["x"])
        return got

    def test_lossy_after_another_filter_is_refused(self):
        for before in ((2, ()), (1, (4,)), (3, ())):
            with h5py.File(self.path, "w") as f, self.subTest(before):
                with self.assertRaisesRegex((ValueError, OSError), r"fzm.*before fzm"):
                    self.create(f, [before, (ID, bound_words(BOUND))], waves(20, 30))

    def test_the_sentence_names_shuffle(self):
        with h5py.File(self.path, "w") as f, self.assertRaisesRegex((ValueError, OSError), "shuffle"):
            f.create_dataset("x", data=waves(20, 30), chunks=(20, 30), shuffle=True, compression=ID,
                             compression_opts=bound_words(BOUND))

    def test_lossless_after_another_filter_is_exact(self):
        data = waves(40, 50)
        for before in ((2, (4,)), (1, (4,)), (3, ())):
            with self.subTest(before):
                self.assert_same(self.round_trip([before, (ID, LOSSLESS)], data), data)

    def test_lossless_after_deflate_on_noise_which_grows(self):
        data = np.random.default_rng(1).integers(0, 256, (64, 64), dtype="u1")
        self.assert_same(self.round_trip([(1, (9,)), (ID, LOSSLESS)], data), data)

    def test_other_filters_after_ours(self):
        data = waves(40, 50)
        for after in ([(3, ())], [(1, (4,))], [(2, (4,))], [(1, (4,)), (3, ())]):
            with self.subTest(after):
                got = self.round_trip([(ID, bound_words(BOUND))] + after, data)
                self.assert_within(got, data, BOUND)

    def test_ours_twice(self):
        data = waves(40, 50)
        got = self.round_trip([(ID, bound_words(BOUND)), (ID, bound_words(BOUND))], data)
        self.assert_within(got, data, BOUND)

    def test_a_list_that_gains_shuffle_is_refused_later(self):
        with h5py.File(self.path, "w") as f:
            old = self.create(f, [(ID, bound_words(BOUND))], waves(20, 30))
            words = stored_entry(old)[1]
            del f["x"]
            with self.assertRaisesRegex((ValueError, OSError), "shuffle"):
                self.create(f, [(2, (4,)), (ID, words)], waves(20, 30))


if __name__ == "__main__":
    unittest.main()
