#!/usr/bin/env python3
"""Many chunks in one process: memory stays where it is."""
import os
import resource
import unittest

from _common import ID, FileTest, bound_words, h5py, np, stderr_text, waves


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


@unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "the address sanitizer keeps freed memory for a while")
class ManyChunksTest(FileTest):
    CHUNKS = 20_000  # a leak of one 512-byte object a chunk would show as 10 MB each way

    def one_round(self, fill):
        with h5py.File(self.path, "w", libver="latest") as f:
            d = f.create_dataset("x", (self.CHUNKS * 64,), "f4", chunks=(64,), compression=ID,
                                 compression_opts=bound_words(1e-3))
            block = waves(1000 * 64) + np.float32(fill)
            for at in range(0, self.CHUNKS * 64, block.size):
                d[at:at + block.size] = block
            for at in range(0, self.CHUNKS * 64, block.size):
                d[at:at + block.size]

    def test_resident_memory_stays_flat(self):
        self.one_round(0)
        before = resident_bytes()
        for i in range(2):
            self.one_round(i)
        grown = resident_bytes() - before
        self.assertLess(grown, 8 << 20, f"{grown} bytes more after {2 * self.CHUNKS} chunks written and read")

    def test_failures_do_not_leak(self):
        def fail_often(n):
            with h5py.File(self.path, "w") as f:
                d = f.create_dataset("x", (1 << 18,), "f4", chunks=(1 << 18,), compression=ID)
                d[...] = 0
                f.flush()
                good = d.id.read_direct_chunk((0,))[1]
                bad = bytearray(good)
                bad[-1] ^= 1
                d.id.write_direct_chunk((0,), bytes(bad))
                for _ in range(n):
                    try:
                        d[()]
                    except OSError:
                        pass

        with stderr_text():
            fail_often(20)
            before = resident_bytes()
            fail_often(200)
        self.assertLess(resident_bytes() - before, 32 << 20)  # 200 buffers of 1 MiB would be 200 MiB


if __name__ == "__main__":
    unittest.main()
