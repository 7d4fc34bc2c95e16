"""What the filter's tests share. Import it before h5py: HDF5 reads HDF5_PLUGIN_PATH once, when it is loaded."""
import contextlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("FZM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("FZM_BUILD", SOURCE / "build"))
os.environ.setdefault("HDF5_PLUGIN_PATH", str(BUILD / "plugin"))
PLUGIN = pathlib.Path(os.environ["HDF5_PLUGIN_PATH"]) / "libh5zfzm.so"
SKIPPED = 77

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

_ids = (SOURCE / "filter" / "id.h").read_text(encoding="utf-8")
ID = int(re.search(r"#define H5Z_FILTER_FZM (\d+)", _ids).group(1))
NAME = re.search(r'#define H5Z_FZM_NAME "(\w+)"', _ids).group(1)

FSZ = 1  # the preset's number
ABS, REL, NOA = 1, 2, 3
LOSSLESS = ()


def bound_words(bound, mode=ABS, preset=FSZ):
    """cd_values of the short form: preset, mode, the bound's double with its low word first."""
    low, high = struct.unpack("<II", struct.pack("<d", bound))
    return (preset, mode, low, high)


def ud(words, mandatory=True):
    """h5repack's spelling."""
    return ",".join(str(w) for w in ("UD=" + str(ID), 0 if mandatory else 1, len(words), *words))


def waves(*shape, dtype="f4"):
    """A smooth field of about +-100 with a little noise; the same for everybody."""
    values = np.zeros(shape)
    for axis, extent in enumerate(shape):
        along = np.sin(np.linspace(0, 6 + axis, extent)) * 50
        values += along.reshape([extent if a == axis else 1 for a in range(len(shape))])
    return (values + np.random.default_rng(7).normal(0, 0.05, shape)).astype(dtype)


def stored_entry(dataset):
    """(flags, cd_values) of our filter as the file has them; None where it is not in the pipeline."""
    dcpl = dataset.id.get_create_plist()
    for i in range(dcpl.get_nfilters()):
        code, flags, values, name = dcpl.get_filter(i)
        if code == ID:
            return flags, tuple(v & 0xFFFFFFFF for v in values)
    return None


def masks(dataset):
    """The filter masks of all stored chunks."""
    return [dataset.id.get_chunk_info(i).filter_mask for i in range(dataset.id.get_num_chunks())]


def run(*command, check=True, **environment):
    """Runs a tool; returns its exit status and both outputs."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **{k: str(v) for k, v in environment.items()}})
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def run_python(code, *arguments, check=True, **environment):
    """Runs a program text in a process of its own, with this module in reach."""
    environment.setdefault("PYTHONPATH", pathlib.Path(__file__).parent)
    return run(sys.executable, "-c", code, *arguments, check=check, **environment)


def need(*tools):
    """Skips the calling test where a tool is missing."""
    for tool in tools:
        if not shutil.which(tool):
            raise unittest.SkipTest(f"{tool} is not installed")


@contextlib.contextmanager
def stderr_text():
    """Collects what the process writes to file descriptor 2. Yields a list that gets one text at the end."""
    collected = []
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield collected
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            collected.append(file.read().decode())


class FileTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fzm_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "t.h5"

    def store(self, data, words, path=None, **options):
        """Writes one dataset "x" through the filter."""
        options.setdefault("chunks", data.shape)
        with h5py.File(path or self.path, "w") as f:
            f.create_dataset("x", data=data, compression=ID, compression_opts=words, **options)

    def load(self, path=None):
        """Reads it in a fresh process, so that nothing is left of the writer."""
        out = self.folder / "out.npy"
        run_python("import sys, _common, h5py, numpy; numpy.save(sys.argv[2], h5py.File(sys.argv[1], 'r')['x'][()])",
                   path or self.path, out)
        return np.load(out, allow_pickle=False)

    def assert_same(self, got, want):
        self.assertEqual(got.dtype, want.dtype)
        self.assertEqual(np.ascontiguousarray(got).tobytes(), np.ascontiguousarray(want).tobytes())

    def assert_within(self, got, want, bound):
        """Every value is as near as asked for; NaN stays NaN and infinities stay themselves."""
        got, want = np.asarray(got, "f8"), np.asarray(want, "f8")
        self.assertTrue(np.array_equal(np.isnan(got), np.isnan(want)), "other values are NaN")
        self.assertTrue(np.array_equal(np.isinf(got) * got, np.isinf(want) * want, equal_nan=True), "other infinities")
        finite = np.isfinite(want)
        worst = np.abs(got[finite] - want[finite]).max(initial=0)
        self.assertLessEqual(worst, bound, f"largest error is {worst:.6g}, the bound {bound:.6g}")

    def assert_filtered(self, dataset):
        """The filter is mandatory and ran on every stored chunk."""
        entry = stored_entry(dataset)
        self.assertIsNotNone(entry, "the filter is not in the pipeline")
        self.assertEqual(entry[0] & 1, 0, "the filter is optional")
        self.assertTrue(all(m == 0 for m in masks(dataset)), "chunks were stored as they were")
