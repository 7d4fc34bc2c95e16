#!/usr/bin/env python3
"""Chunks that were damaged in the file: an error and a line, never a crash, never wrong data without a word."""
import unittest

from _common import ID, LOSSLESS, FileTest, bound_words, h5py, np, run_python, waves

# Reads every listed file in one process and prints one word for each, so that a crash shows as a missing word.
READ = """
import sys, _common, h5py, numpy as np
want = np.load(sys.argv[1])
for path in sys.argv[2:]:
    try:
        with h5py.File(path, "r") as f:
            got = f["x"][()]
        print("same" if got.tobytes() == want.tobytes() else "different", flush=True)
    except OSError:
        print("refused", flush=True)
"""


class CorruptionTest(FileTest):
    def setUp(self):
        super().setUp()
        self.words = bound_words(1e-2)
        self.store(waves(40, 50), self.words)
        with h5py.File(self.path) as f:
            self.want = f["x"][()]
            _, self.chunk = f["x"].id.read_direct_chunk((0, 0))
        np.save(self.folder / "want.npy", self.want)

    def write_chunk(self, chunk, name="bad.h5"):
        path = self.folder / name
        with h5py.File(path, "w") as f:
            d = f.create_dataset("x", (40, 50), "f4", chunks=(40, 50), compression=ID, compression_opts=self.words)
            d.id.write_direct_chunk((0, 0), chunk)
        return path

    def read(self, paths, **environment):
        done = run_python(READ, self.folder / "want.npy", *paths, check=False, **environment)
        self.assertEqual(done.returncode, 0, f"the reader ended with {done.returncode}\n{done.stderr[-2000:]}")
        words = done.stdout.split()
        self.assertEqual(len(words), len(paths))
        return words, done.stderr

    def test_the_untouched_chunk_can_be_written_directly(self):
        self.assertEqual(self.read([self.write_chunk(self.chunk)])[0], ["same"])

    def test_every_flipped_byte_is_noticed(self):
        rng = np.random.default_rng(1)
        places = sorted(set(range(min(160, len(self.chunk)))) | set(rng.integers(0, len(self.chunk), 200).tolist()))
        paths = []
        for at in places:
            bad = bytearray(self.chunk)
            bad[at] ^= 1 << int(rng.integers(8))
            paths.append(self.write_chunk(bytes(bad), f"{at}.h5"))
        words, stderr = self.read(paths)
        self.assertNotIn("different", words, "damaged data were handed out")
        self.assertGreater(words.count("refused"), len(words) * 0.9)
        self.assertIn("fzm: cannot decode a chunk", stderr)

    def test_truncated_chunks(self):
        lengths = sorted({1, 2, 3, 7, 8, 16, 31, 50, len(self.chunk) // 2, len(self.chunk) - 1})
        words, _ = self.read([self.write_chunk(self.chunk[:n], f"{n}.h5") for n in lengths])
        self.assertEqual(set(words), {"refused"})

    def test_foreign_bytes(self):
        rng = np.random.default_rng(2)
        chunks = [rng.bytes(int(rng.integers(1, 500))) for _ in range(50)] + [b"\0" * 100, b"\xff" * 100]
        words, _ = self.read([self.write_chunk(c, f"{i}.h5") for i, c in enumerate(chunks)])
        self.assertEqual(set(words), {"refused"})

    def test_a_frame_of_another_size_is_refused(self):
        """A small frame that unpacks to something large must not be believed."""
        big = self.folder / "big.h5"
        with h5py.File(big, "w") as f:
            d = f.create_dataset("x", (4 << 20,), "f4", chunks=(4 << 20,), compression=ID, compression_opts=self.words)
            d[...] = 0
            f.flush()
            chunk = d.id.read_direct_chunk((0,))[1]
        words, stderr = self.read([self.write_chunk(chunk)])
        self.assertEqual(words, ["refused"])
        self.assertIn("16777216 bytes", stderr)

    def test_garbage_behind_a_frame_is_noticed_or_ignored(self):
        words, _ = self.read([self.write_chunk(self.chunk + b"garbage")])
        self.assertIn(words[0], ("same", "refused"))

    def test_silence_on_request(self):
        bad = bytearray(self.chunk)
        bad[len(bad) // 2] ^= 0xFF
        _, stderr = self.read([self.write_chunk(bytes(bad))], FZM_LOG="off")
        self.assertNotIn("fzm:", stderr)

    def test_the_lines_are_limited(self):
        _, stderr = self.read([self.write_chunk(b"not a frame")] * 200)
        self.assertLessEqual(stderr.count("fzm:"), 30)

    def test_other_chunks_of_the_dataset_stay_readable(self):
        path = self.folder / "many.h5"
        data = waves(40, 50)
        with h5py.File(path, "w") as f:
            d = f.create_dataset("x", data=data, chunks=(10, 50), compression=ID, compression_opts=LOSSLESS)
            d.id.write_direct_chunk((10, 0), b"broken")
        with h5py.File(path) as f:
            with self.assertRaises(OSError):
                f["x"][10:20]
            self.assert_same(f["x"][:10], data[:10])
            self.assert_same(f["x"][20:], data[20:])


if __name__ == "__main__":
    unittest.main()
