#!/usr/bin/env python3
"""The plugin in a program of somebody else: the same chunks by the GPU and by the CPU, in whatever HDF5 h5py brings.

   plugin_check.py libh5zfzm.so
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ.get("FZM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
SKIPPED = 77


def write_and_read(path):
    """In a process of its own: writes the datasets, reads them back, prints seconds and the chunks' digests."""
    import hashlib
    import struct

    import h5py
    import numpy as np

    code = int(re.search(r"#define H5Z_FILTER_FZM (\d+)", (SOURCE / "filter" / "id.h").read_text(encoding="utf-8")).group(1))
    low, high = struct.unpack("<II", struct.pack("<d", 1e-3))
    grid = np.linspace(0, 9, 192)
    field = (np.sin(grid)[:, None, None] * np.cos(grid)[None, :, None] * np.sin(2 * grid)[None, None, :]).astype("f4")
    field += np.random.default_rng(3).normal(0, 1e-3, field.shape).astype("f4")
    arrays = {"f4": field, "f8": field[:96].astype("f8"), "i2": (field[:64] * 3e4).astype("i2")}
    digest = hashlib.sha256()
    start = time.perf_counter()
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            for preset in (1, 2, 3):
                file.create_dataset(f"{name}_{preset}", data=array, chunks=(48, *array.shape[1:]), compression=code,
                                    compression_opts=(preset, 1, low, high))
    middle = time.perf_counter()
    with h5py.File(path, "r") as file:
        for name in sorted(file):
            dataset, original = file[name], arrays[name[:2]]
            worst = np.abs(dataset[...].astype("f8") - original.astype("f8")).max()
            if worst > 1e-3:
                sys.exit(f"{name}: error {worst}")
            for i in range(dataset.id.get_num_chunks()):
                mask, chunk = dataset.id.read_direct_chunk(dataset.id.get_chunk_info(i).chunk_offset)
                if mask:
                    sys.exit(f"{name}: chunk {i} was stored without the filter")
                digest.update(chunk)
            digest.update(dataset[...].tobytes())
    end = time.perf_counter()
    print(f"{digest.hexdigest()} wrote in {middle - start:.2f} s, read in {end - middle:.2f} s")


# A child of a process that used the GPU, and HDF5's own flush while the process ends.
AWKWARD = """
import os, sys
sys.argv = ["plugin_check.py"]
import importlib.util
spec = importlib.util.spec_from_file_location("plugin_check", {script!r})
check = importlib.util.module_from_spec(spec); spec.loader.exec_module(check)
check.write_and_read({folder!r} + "/parent.h5")
child = os.fork()
if child == 0:
    check.write_and_read({folder!r} + "/child.h5")
    os._exit(0)
status = os.waitpid(child, 0)[1]
import h5py, numpy as np
left_open = h5py.File({folder!r} + "/open.h5", "w")
data = left_open.create_dataset("x", shape=(64, 512, 512), dtype="f4", chunks=(16, 512, 512), compression={code}, compression_opts=(1, 1, 3539053052, 1062232653))
data[...] = np.sin(np.arange(64 * 512 * 512, dtype="f4").reshape(64, 512, 512) * 1e-4)
sys.exit(1 if status else 0)
"""


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **environment})


def main():
    plugin = pathlib.Path(sys.argv[1]).resolve()
    try:
        import h5py  # noqa: F401
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    code = re.search(r"#define H5Z_FILTER_FZM (\d+)", (SOURCE / "filter" / "id.h").read_text(encoding="utf-8")).group(1)
    failures, digests = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for backend in ("host", "cuda"):
            done = run([sys.executable, __file__, "--worker", f"{folder}/{backend}.h5"], FZM_BACKEND=backend, FZM_LOG="info",
                       HDF5_PLUGIN_PATH=str(plugin.parent))
            print(f"{backend}: {done.stdout.strip()} {done.stderr.strip()[-500:]}")
            digests.add(done.stdout.split(" ")[0])
            if done.returncode or "CPU" in done.stderr:
                failures.append(f"{backend}: status {done.returncode}")
        if len(digests) != 1:
            failures.append("the chunks or the values differ between the GPU and the CPU")
        text = AWKWARD.format(script=__file__, folder=folder, code=code)
        done = run([sys.executable, "-c", text], FZM_BACKEND="cuda", FZM_LOG="warn", HDF5_PLUGIN_PATH=str(plugin.parent))
        print(f"fork and flush at the end: status {done.returncode} {done.stderr.strip()[-500:]}")
        if done.returncode:
            failures.append("fork, or the flush at the process's end")
    for sentence in failures:
        print("FAILED:", sentence)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        write_and_read(sys.argv[2])
    else:
        main()
