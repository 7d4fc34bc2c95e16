#!/usr/bin/env python3
"""Forks, threads, a process without HDF5, an exit with the file still open."""
import ctypes
import multiprocessing
import sys
import threading
import unittest

from _common import (BUILD, ID, LOSSLESS, PLUGIN, FileTest, bound_words, h5py, np, run, run_python,
                     stderr_text, waves)

BOUND = 1e-3


def read_rows(arguments):
    path, first = arguments
    with h5py.File(path, "r") as f:
        return f["x"][first:first + 10]


class ForkTest(FileTest):
    def test_children_read_after_the_parent_has_used_the_filter(self):
        data = waves(100, 200)
        self.store(data, bound_words(BOUND), chunks=(10, 200))
        with h5py.File(self.path) as f:
            whole = f["x"][()]
        with multiprocessing.get_context("fork").Pool(4) as pool:
            parts = pool.map(read_rows, [(self.path, i) for i in range(0, 100, 10)] * 3)
        np.testing.assert_array_equal(np.concatenate(parts[:10]), whole)

    def test_children_with_threads_asked_for(self):
        code = """
import sys, _common, h5py, numpy as np, multiprocessing, test_processes
h5py.File(sys.argv[1])["x"][()]
with multiprocessing.get_context("fork").Pool(2) as pool:
    parts = pool.map(test_processes.read_rows, [(sys.argv[1], i) for i in range(0, 100, 10)])
print(np.concatenate(parts).shape)
"""
        self.store(waves(100, 200), bound_words(BOUND), chunks=(10, 200))
        self.assertIn("(100, 200)", run_python(code, self.path, FZM_THREADS=4).stdout)


class ThreadsTest(FileTest):
    def test_threads_with_files_of_their_own(self):
        failures = []

        def work(i):
            try:
                path = self.folder / f"{i}.h5"
                data = waves(50, 60) + np.float32(i)
                for _ in range(5):
                    self.store(data, bound_words(BOUND), path, chunks=(10, 60))
                    with h5py.File(path) as f:
                        self.assert_within(f["x"][()], data, BOUND)
            except Exception as e:  # a thread's exceptions would be lost
                failures.append(e)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])

    def test_the_number_of_threads_changes_no_byte(self):
        code = """
import sys, hashlib, _common, h5py
with h5py.File(sys.argv[1], "w") as f:
    d = f.create_dataset("x", data=_common.waves(300, 1000), chunks=(300, 1000), compression=_common.ID,
                         compression_opts=_common.bound_words(1e-3))
    f.flush()
    print(hashlib.sha256(d.id.read_direct_chunk((0, 0))[1]).hexdigest())
"""
        digests = {run_python(code, self.path, FZM_THREADS=n).stdout for n in ("1", "2", "3", "7", "0")}
        self.assertEqual(len(digests), 1)


class NoHdf5Test(unittest.TestCase):
    def test_the_plugin_loads_where_there_is_no_hdf5(self):
        code = ("import ctypes, sys; p = ctypes.CDLL(sys.argv[1]); p.H5PLget_plugin_info.restype = ctypes.c_void_p;"
                "assert p.H5PLget_plugin_type() == 0 and p.H5PLget_plugin_info();"
                "assert not any('libhdf5' in line for line in open('/proc/self/maps')); print('loaded')")
        self.assertIn("loaded", run(sys.executable, "-c", code, PLUGIN).stdout)

    def test_loading_it_starts_no_thread_and_prints_nothing(self):
        code = ("import ctypes, os, sys; before = len(os.listdir('/proc/self/task')); ctypes.CDLL(sys.argv[1]);"
                "assert len(os.listdir('/proc/self/task')) == before")
        done = run(sys.executable, "-c", code, PLUGIN, FZM_LOG="info")
        self.assertEqual(done.stdout + done.stderr, "")


class ExitTest(FileTest):
    def test_a_file_left_open_at_exit_is_complete(self):
        program = BUILD / "tests" / "filter" / "leave_open"
        self.assertTrue(program.exists(), program)
        self.assertEqual(run(program, self.path).stderr, "")
        np.testing.assert_allclose(self.load(), np.arange(4096, dtype="f4").reshape(64, 64), atol=BOUND)


class LastErrorTest(FileTest):
    def test_it_tells_why_a_read_failed(self):
        with h5py.File(self.path, "w") as f, stderr_text() as collected:
            d = f.create_dataset("x", (10,), "f4", chunks=(10,), compression=ID, compression_opts=LOSSLESS)
            d.id.write_direct_chunk((0,), b"broken")
            with self.assertRaises(OSError):
                d[()]
        plugin = ctypes.CDLL(str(PLUGIN))
        plugin.H5Z_FZM_last_error.restype = ctypes.c_char_p
        self.assertIn(b"cannot decode a chunk of 6 bytes", plugin.H5Z_FZM_last_error())
        self.assertIn("fzm: cannot decode a chunk of 6 bytes", collected[0])


class LevelsTest(FileTest):
    def write(self, **environment):
        code = ("import sys, _common, h5py; f = h5py.File(sys.argv[1], 'w');"
                "f.create_dataset('x', data=_common.waves(9, 9), chunks=(9, 9), compression=_common.ID,"
                "compression_opts=_common.bound_words(1e-3)); f.close()")
        return run_python(code, self.path, **environment)

    def test_success_is_silent(self):
        for level in ("", "error", "warn", "off"):
            done = self.write(FZM_LOG=level)
            self.assertEqual(done.stdout + done.stderr, "")

    def test_info_tells_what_will_be_done_on_stderr(self):
        done = self.write(FZM_LOG="info")
        self.assertEqual(done.stdout, "")
        self.assertIn("fzm: preset fsz", done.stderr)


if __name__ == "__main__":
    unittest.main()
