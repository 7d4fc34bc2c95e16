#!/usr/bin/env python3
"""Every datatype, through h5py, which registers filters as optional: what the filter refused would be stored raw."""
import unittest

from _common import ID, LOSSLESS, FileTest, bound_words, h5py, np, stored_entry, waves

BOUND = 1e-2


class NumbersKeepTheBound(FileTest):
    def check(self, dtype, bound=BOUND, words=None):
        data = waves(24, 50, dtype="f8").astype(dtype)
        self.store(data, words or bound_words(bound))
        with h5py.File(self.path) as f:
            self.assert_filtered(f["x"])
        got = self.load()
        self.assertEqual(got.dtype, data.dtype)
        self.assert_within(got, data, bound)
        return got, data

    def test_floats_of_both_byte_orders(self):
        for dtype in ("<f4", ">f4", "<f8", ">f8"):
            with self.subTest(dtype):
                got, data = self.check(dtype)
                self.assertNotEqual(got.tobytes(), data.tobytes(), "a lossy preset changed nothing")

    def test_big_and_little_endian_give_the_same_values(self):
        results = [self.check(dtype)[0].astype("f8") for dtype in ("<f4", ">f4")]
        np.testing.assert_array_equal(*results)

    def test_integers_of_all_sizes_and_orders(self):
        for dtype in ("i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8"):
            with self.subTest(dtype):
                data = (np.abs(waves(24, 50, dtype="f8")) % 100).astype(dtype)
                self.store(data, bound_words(2.9))
                self.assert_within(self.load(), data, 2)

    def test_integers_are_exact_below_a_bound_of_one(self):
        for dtype in ("i1", "<u2", ">i4", "<i8", ">u8"):
            with self.subTest(dtype):
                data = (np.abs(waves(24, 50, dtype="f8")) % 100).astype(dtype)
                self.store(data, bound_words(0.9))
                self.assert_same(self.load(), data)

    def test_extreme_integers(self):
        for dtype in ("<i8", ">i8", "<u8", "<i4", ">u2", "i1"):
            with self.subTest(dtype):
                info = np.iinfo(dtype)
                data = np.array([info.min, info.max, 0, 1, info.max - 1, info.min + 1] * 20, dtype)
                self.store(data, bound_words(1.0))
                got = self.load()
                worst = max(abs(int(a) - int(b)) for a, b in zip(got, data))
                self.assertLessEqual(worst, 1)


class TypesWithoutAnErrorBoundAreKeptExactly(FileTest):
    def check(self, data, words=None, **options):
        self.store(data, bound_words(10.0) if words is None else words, **options)
        with h5py.File(self.path) as f:
            self.assert_filtered(f["x"])
        self.assert_same(self.load(), data)

    def test_half_floats(self):
        self.check(waves(33, 40, dtype="f4").astype("<f2"))
        self.check(waves(33, 40, dtype="f4").astype(">f2"))

    def test_long_double(self):
        self.check(waves(33, 40, dtype="f8").astype(np.longdouble))

    def test_complex(self):
        self.check((waves(20, 30) + 1j * waves(20, 30)).astype("<c8"))
        self.check((waves(20, 30) + 1j * waves(20, 30)).astype("<c16"))

    def test_bool(self):
        self.check(waves(40, 50) > 0)

    def test_enumeration(self):
        dtype = h5py.enum_dtype({"LAND": 0, "SEA": 1000}, basetype="<i4")
        data = np.where(waves(40, 50) > 0, 1000, 0).astype("<i4")
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("x", data.shape, dtype, chunks=data.shape, compression=ID,
                                 compression_opts=bound_words(10.0))
            d[...] = data
        self.assert_same(self.load().astype("<i4"), data)

    def test_strings(self):
        self.check(np.array([f"station {i}".encode() for i in range(300)]))
        self.check(np.array([b"a", b"", b"c"] * 100))

    def test_compound_with_floats_inside(self):
        data = np.zeros(200, [("id", "<i4"), ("t", ">f4"), ("where", "<f8", 3)])
        data["id"], data["t"], data["where"] = np.arange(200), waves(200), waves(200, 3, dtype="f8")
        self.check(data)

    def test_opaque(self):
        self.check(np.frombuffer(np.random.default_rng(1).bytes(700), "V7"))

    def test_references(self):
        with h5py.File(self.path, "w") as f:
            groups = [f.create_group(f"g{i}") for i in range(50)]
            d = f.create_dataset("x", (50,), h5py.ref_dtype, chunks=(50,), compression=ID,
                                 compression_opts=bound_words(10.0))
            d[...] = [g.ref for g in groups]
        with h5py.File(self.path) as f:
            self.assertEqual([f[r].name for r in f["x"][()]], [f"/g{i}" for i in range(50)])

    def test_integers_with_unused_bits(self):
        t = h5py.h5t.STD_I32LE.copy()
        t.set_precision(20)
        t.set_offset(3)
        data = np.arange(-500, 500, dtype="<i4")
        with h5py.File(self.path, "w") as f:
            dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            dcpl.set_chunk((1000,))
            dcpl.set_filter(ID, h5py.h5z.FLAG_OPTIONAL, bound_words(10.0))
            h5py.h5d.create(f.id, b"x", t, h5py.h5s.create_simple((1000,)), dcpl).write(
                h5py.h5s.ALL, h5py.h5s.ALL, data)
        np.testing.assert_array_equal(self.load(), data)

    def test_floats_of_other_layout(self):
        t = h5py.h5t.IEEE_F32LE.copy()  # a bfloat16 in its upper half
        t.set_fields(15, 7, 8, 0, 7)
        t.set_size(2)
        self.assertEqual(t.get_size(), 2)
        data = np.array([1.0, -2.5, 1e30, 0.0] * 50, "f4")
        with h5py.File(self.path, "w") as f:
            dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            dcpl.set_chunk((200,))
            dcpl.set_filter(ID, h5py.h5z.FLAG_OPTIONAL, bound_words(10.0))
            d = h5py.h5d.create(f.id, b"x", t, h5py.h5s.create_simple((200,)), dcpl)
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        with h5py.File(self.path) as f:
            got = np.zeros(200, "f4")
            f["x"].id.read(h5py.h5s.ALL, h5py.h5s.ALL, got, h5py.h5t.IEEE_F32LE)
        np.testing.assert_allclose(got, data, rtol=1e-2)  # bfloat16's own rounding; a bound of 10 would show


class ArrayTypesAreTrailingAxes(FileTest):
    def test_array_of_floats_keeps_the_bound_and_is_lossy(self):
        data = waves(30, 8, 3)
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("x", (30,), np.dtype((">f4", (8, 3))), chunks=(30,), compression=ID,
                                 compression_opts=bound_words(BOUND))
            d[...] = data
            self.assert_filtered(d)
        got = self.load()
        self.assertEqual(got.shape, data.shape)
        self.assert_within(got, data, BOUND)
        self.assertNotEqual(got.astype("f4").tobytes(), data.tobytes())


class EverythingIsExactWithoutARequest(FileTest):
    def test_empty_cd_values_are_lossless(self):
        for dtype in ("<f4", ">f8", "<i2", "u1", "<f2", "<c8"):
            with self.subTest(dtype):
                data = waves(30, 41, dtype="f4").astype(dtype)
                self.store(data, LOSSLESS)
                self.assert_same(self.load(), data)

    def test_every_bit_pattern_survives(self):
        data = np.frombuffer(np.random.default_rng(3).bytes(1 << 16), "<f4")
        self.store(data, LOSSLESS)
        self.assert_same(self.load(), data)


class VariableLengthTypes(FileTest):
    """HDF5 itself refuses a mandatory filter and passes by an optional one. Their chunks hold addresses."""

    def test_mandatory_is_refused(self):
        for dtype in (h5py.string_dtype(), h5py.vlen_dtype("f4")):
            dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            dcpl.set_chunk((10,))
            dcpl.set_filter(ID, h5py.h5z.FLAG_MANDATORY, ())
            with h5py.File(self.path, "w") as f, self.subTest(dtype), self.assertRaises((ValueError, OSError)):
                h5py.h5d.create(f.id, b"x", h5py.h5t.py_create(dtype, logical=True),
                                h5py.h5s.create_simple((10,)), dcpl)

    def test_optional_is_never_lossy(self):
        texts = ["", "a", "chunk " * 50] * 10
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("x", (30,), h5py.string_dtype(), chunks=(10,), compression=ID,
                                 compression_opts=bound_words(10.0))
            d[...] = texts
        with h5py.File(self.path) as f:
            self.assertEqual([t.decode() for t in f["x"][()]], texts)


class TheStoredValuesSayWhatAChunkHolds(FileTest):
    def test_they_differ_between_types_orders_and_shapes(self):
        seen = set()
        for dtype in ("<f4", ">f4", "<f8", "<i4"):
            for chunks in ((10, 20), (20, 10)):
                self.store(np.zeros((20, 20), dtype), bound_words(BOUND), chunks=chunks)
                with h5py.File(self.path) as f:
                    seen.add(stored_entry(f["x"])[1])
        self.assertEqual(len(seen), 8)
        self.assertTrue(all(len(words) <= 20 for words in seen))


if __name__ == "__main__":
    unittest.main()
