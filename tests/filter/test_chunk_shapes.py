#!/usr/bin/env python3
"""Chunk shapes that broke other filters: unit extents, primes, one element, 32 axes, padding, constants, NaN."""
import unittest

from _common import ID, LOSSLESS, FileTest, bound_words, h5py, np, waves

BOUND = 1e-3


class ShapesTest(FileTest):
    def check(self, shape, chunks, dtype="f4", words=None):
        data = waves(*shape, dtype=dtype)
        self.store(data, bound_words(BOUND) if words is None else words, chunks=chunks)
        with h5py.File(self.path) as f:
            self.assert_filtered(f["x"])
            self.assert_within(f["x"][()], data, BOUND)

    def test_one_element(self):
        for dtype in ("f4", "f8", "i2", "u1"):
            self.check((1,), (1,), dtype)
            self.check((5,), (1,), dtype)
            self.check((1, 1, 1), (1, 1, 1), dtype)

    def test_unit_extents_in_every_place(self):
        for shape in ((1, 40, 50), (40, 1, 50), (40, 50, 1), (1, 1, 300), (300, 1, 1), (1, 40, 1, 50, 1)):
            with self.subTest(shape):
                self.check(shape, shape)

    def test_prime_extents(self):
        for shape in ((7, 11, 13), (31, 37), (1009,), (2, 3, 5, 7, 11)):
            with self.subTest(shape):
                self.check(shape, shape)

    def test_edge_chunks_are_padded(self):
        for shape, chunks in (((33, 45), (16, 16)), ((100,), (64,)), ((5, 6, 7), (4, 4, 4))):
            with self.subTest(shape):
                self.check(shape, chunks)

    def test_chunks_larger_than_the_dataset(self):
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("x", (10, 10), "f4", chunks=(64, 64), maxshape=(None, None), compression=ID,
                                 compression_opts=bound_words(BOUND))
            d[...] = waves(10, 10)
            self.assert_within(d[()], waves(10, 10), BOUND)

    def test_every_rank_up_to_32(self):
        for rank in range(1, 33):
            shape = [1] * rank
            shape[0], shape[rank // 2], shape[-1] = 5, 4, 6
            with self.subTest(rank):
                self.check(tuple(shape), tuple(shape))

    def test_32_axes_of_which_ten_are_real(self):
        shape = tuple(2 if axis % 3 == 0 else 1 for axis in range(32))
        self.check(shape, shape, "f8")

    def test_array_type_on_32_axes(self):
        shape = (1,) * 30 + (3, 4)
        data = waves(3, 4, 5, 6)
        with h5py.File(self.path, "w") as f:
            dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            dcpl.set_chunk(shape)
            dcpl.set_filter(ID, h5py.h5z.FLAG_OPTIONAL, bound_words(BOUND))
            t = h5py.h5t.array_create(h5py.h5t.IEEE_F32LE, (5, 6))
            d = h5py.h5d.create(f.id, b"x", t, h5py.h5s.create_simple(shape), dcpl)
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, data, t)
            f.flush()
        with h5py.File(self.path) as f:
            got = np.zeros((3, 4, 5, 6), "f4")
            f["x"].id.read(h5py.h5s.ALL, h5py.h5s.ALL, got, t)
            self.assert_within(got, data, BOUND)


class ValuesTest(FileTest):
    def check(self, data, words=None, **options):
        self.store(data, bound_words(BOUND) if words is None else words, **options)
        with h5py.File(self.path) as f:
            self.assert_filtered(f["x"])
            self.assert_within(f["x"][()], data, BOUND)

    def test_constant_chunks(self):
        for value in (0, 1, -9999, 3.25e30):
            for dtype in ("f4", ">f8"):
                self.check(np.full((40, 50), value, dtype))
                self.check(np.full((40, 50), value, dtype), LOSSLESS)

    def test_nan_and_infinities(self):
        data = waves(40, 50)
        data[:10] = np.nan
        data[20, ::7], data[21, ::5] = np.inf, -np.inf
        self.check(data)
        self.check(np.full((40, 50), np.nan, "f4"))

    def test_nan_fill_value_in_padding(self):
        self.check(waves(33, 45), chunks=(16, 16), fillvalue=np.nan)

    def test_fill_values_come_back_bit_for_bit(self):
        for dtype in ("<f4", ">f4", "<f8", ">f8", "<i2", ">i4"):
            fill = np.array(-9999 if "i" in dtype else 9.96921e36, dtype)
            data = waves(40, 50, dtype="f8").astype(dtype)
            data[10:20, 10:30] = fill
            with self.subTest(dtype):
                self.store(data, bound_words(BOUND), fillvalue=fill)
                got = self.load()
                self.assertTrue((got[data == fill] == fill).all())
                self.assert_within(got, data, BOUND)

    def test_unwritten_part_of_a_chunk_reads_as_fill(self):
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("x", (64, 64), "f4", chunks=(64, 64), fillvalue=-7, compression=ID,
                                 compression_opts=bound_words(BOUND))
            d[:10] = 9
        with h5py.File(self.path) as f:
            got = f["x"][()]
        self.assert_within(got[:10], np.full((10, 64), 9), BOUND)
        self.assertTrue((got[10:] == -7).all())

    def test_denormals_and_huge_values(self):
        self.check(np.array([1e-45, -1e-40, 0.0, -0.0, 3.4e38, -3.4e38, 1.0] * 50, "f4"))
        self.check(np.array([5e-324, 1.7e308, -1.7e308, 1e-300, 1.0] * 50, "f8"))

    def test_noise_does_not_fail_and_grows_little(self):
        data = np.frombuffer(np.random.default_rng(5).bytes(1 << 18), "<u4")
        self.store(data, LOSSLESS)
        with h5py.File(self.path) as f:
            self.assert_same(f["x"][()], data)
            self.assertLessEqual(f["x"].id.get_storage_size(), data.nbytes + 128)
            self.assertNotEqual(f["x"].id.get_storage_size(), data.nbytes)

    def test_stored_size_never_equals_raw_size(self):
        for count in list(range(1, 260)) + [1000, 4096]:
            self.store(np.random.default_rng(count).integers(0, 256, count, dtype="u1"), LOSSLESS)
            with h5py.File(self.path) as f:
                self.assertNotEqual(f["x"].id.get_storage_size(), count)

    def test_bounds_from_tiny_to_huge(self):
        data = waves(40, 50, dtype="f8")
        for exponent in range(-12, 13):
            with self.subTest(exponent):
                self.store(data, bound_words(10.0**exponent))
                with h5py.File(self.path) as f:
                    self.assert_within(f["x"][()], data, 10.0**exponent)

    def test_early_allocation(self):
        for fill_time in (h5py.h5d.FILL_TIME_ALLOC, h5py.h5d.FILL_TIME_NEVER):
            data = waves(100, 100)
            dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            dcpl.set_chunk((32, 32))
            dcpl.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            dcpl.set_fill_time(fill_time)
            dcpl.set_filter(ID, h5py.h5z.FLAG_OPTIONAL, bound_words(BOUND))
            with h5py.File(self.path, "w") as f:
                h5py.h5d.create(f.id, b"x", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((100, 100)), dcpl)
                self.assertEqual(f["x"].id.get_num_chunks(), 16)
                f["x"][...] = data
                f.flush()
                self.assert_filtered(f["x"])
            self.assert_within(self.load(), data, BOUND)


class LargeChunksTest(FileTest):
    def test_four_gib_are_refused_with_a_sentence(self):
        with h5py.File(self.path, "w") as f:
            with self.assertRaises((ValueError, OSError)):
                f.create_dataset("x", (1 << 16, 1 << 16), "f4", chunks=(1 << 15, 1 << 15), compression=ID)

    def test_just_below_is_accepted_at_create(self):
        with h5py.File(self.path, "w") as f:
            f.create_dataset("x", ((1 << 30) - 1,), "f4", chunks=((1 << 30) - 1,), compression=ID,
                             compression_opts=bound_words(BOUND))


if __name__ == "__main__":
    unittest.main()
