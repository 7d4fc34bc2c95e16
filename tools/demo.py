#!/usr/bin/python3
"""Compresses the fields of tests/data through the plugin with h5repack, reads them back in fresh processes with the stock
tools, and checks every value in exact arithmetic. Ends with 'N of N within the bound'; exit status 1 if one was not.

  tools/demo.py [--fields NAME ...] [--keep FOLDER]      run by tools/demo, after the build

What is measured: bytes are those HDF5 stores for the dataset. GB/s are h5py's whole-dataset write and read through the
plugin, the file in memory, best of 5; these fields are small (`fzm bench` measures large ones). A bound 'noa B' is B times
max - min of a chunk, without missing values; h5repack makes a contiguous dataset one chunk. Rows with a * are chunked.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("FZM_BUILD", ROOT / "build"))
os.environ.setdefault("HDF5_PLUGIN_PATH", str(BUILD / "plugin"))  # before h5py: HDF5 reads it once
FZM = os.environ.get("FZM_CLI", str(BUILD / "bin" / "fzm"))

import h5py  # noqa: E402
import numpy as np  # noqa: E402

ID = 62042
LOSSY = ("fsz", "cuszp", "cuszp3", "szp", "pfpl")
RELATIVE = (1e-3, 1e-4)
MISSING_FROM = 1e30  # what climate files use for missing values lies above
ROUNDS = 5
PATIENCE_S = 120


# ---- What to do: one case is a field, a preset, a bound, a layout.

def run(*command):
    """stdout of a command; whatever it wrote to stderr becomes the reason when it fails."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


_words = {}


def words_of(preset, mode, bound):
    """cd_values, from the command line that users take them from."""
    key = (preset, mode, bound)
    if key not in _words:
        settings = [] if mode is None else [f"--{mode}", repr(bound)]
        _words[key] = json.loads(run(FZM, "params", "--preset", preset, *settings, "--json"))["words"]
    return _words[key]


def native(values):
    return values.astype(values.dtype.newbyteorder("="))


def counted(values, fill):
    """Which values a range is taken over: finite, not the fill value, not a missing-value pattern."""
    if values.dtype.kind != "f":
        return np.ones(values.shape, bool) if fill is None else values != fill
    some = np.isfinite(values) & (np.abs(values) < MISSING_FROM)
    return some if fill is None or fill != fill else some & (values != fill)


def round_bound(values, some):
    """An absolute bound of one digit near a 3000th of the range; integers need 1 or more to lose anything."""
    low, high = (float(values[some].min()), float(values[some].max())) if some.any() else (0.0, 0.0)
    if values.dtype.kind != "f":
        return float(max(1, round((high - low) / 3000)))
    return float(f"1e{math.floor(math.log10(max(high - low, 1e-30) / 1000))}")


def user_fill(dataset):
    """The fill value, where the file defines one."""
    return dataset.fillvalue if dataset.id.get_create_plist().fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED else None


def longest_axes(shape):
    return sorted(range(len(shape)), key=lambda a: -shape[a])


def chunk_of(shape):
    """About six chunks: the two longest axes cut in three and in two. The last ones may be padded."""
    chunk = list(shape)
    for axis, parts in zip(longest_axes(shape), (3, 2)):
        chunk[axis] = max(1, -(-shape[axis] // parts))
    return tuple(chunk)


def even_chunk_of(shape):
    """Equal parts of the two longest axes, as few as divide them. HDF5 pads chunks that end beyond the field with the fill
    value, and a range is taken over all a chunk holds; only without padding it is known from the field."""
    chunk = list(shape)
    for axis in longest_axes(shape)[:2]:
        chunk[axis] //= next((parts for parts in range(2, 9) if shape[axis] % parts == 0), 1)
    return tuple(chunk)


def cases_of(path):
    with h5py.File(path, "r") as f:
        dataset = f["data"]
        values = native(dataset[()])
        some = counted(values, user_fill(dataset))
        chunk, even_chunk = chunk_of(dataset.shape), even_chunk_of(dataset.shape)
    absolute = round_bound(values, some)
    for preset in LOSSY:
        for bound in RELATIVE:
            yield {"preset": preset, "mode": "noa", "bound": bound, "chunk": None}
        yield {"preset": preset, "mode": "abs", "bound": absolute, "chunk": None}
    yield {"preset": "fsz", "mode": "noa", "bound": RELATIVE[0], "chunk": even_chunk}
    yield {"preset": "cuszp3", "mode": "abs", "bound": absolute, "chunk": chunk}
    yield {"preset": "lossless", "mode": None, "bound": 0.0, "chunk": None}


def compress(path, case, out):
    """h5repack through the plugin."""
    words = words_of(case["preset"], case["mode"], case["bound"])
    command = ["h5repack", "-f", "UD=" + ",".join(map(str, [ID, 0, len(words), *words]))]
    if case["chunk"]:
        command += ["-l", "CHUNK=" + "x".join(map(str, case["chunk"]))]
    run(*command, path, out)
    case.update(words=words, file=str(out))


# ---- What came of it: runs in a process of its own, with nothing of ours but the plugin.

def exact_over(x, y, bound):
    """(largest |x - y| over the bound, how many are over it). Sums of doubles in two parts, whose sum is exact; `bound` is a
    Fraction, and the few values near it are settled as fractions."""
    if x.dtype.kind != "f" and x.dtype.itemsize == 8:
        errors = [abs(int(a) - int(b)) for a, b in zip(x, y)]
        return (float(max(errors) / bound) if bound else float(max(errors) > 0)), sum(e > bound for e in errors)
    x, y = x.astype("f8"), y.astype("f8")
    error = np.abs(x - y)
    worst = float(error.max(initial=0))
    if not bound:
        return (math.inf if worst else 0.0), int((error > 0).sum())
    near = error >= float(bound) * (1 - 1e-12)
    over = sum(abs(Fraction(a) - Fraction(b)) > bound for a, b in zip(x[near].tolist(), y[near].tolist()))
    return worst / float(bound), over


def bound_of(case, x, some):
    """The bound of one chunk as an exact number: for integers only whole ones count."""
    if case["mode"] is None or not some.any():
        return Fraction(0)
    bound = Fraction(case["bound"])
    if case["mode"] == "noa":
        bound *= Fraction(x[some].max().item()) - Fraction(x[some].min().item())
    return bound if x.dtype.kind == "f" else Fraction(math.floor(bound))


def chunks_of(shape, chunk):
    """Slices of all chunks."""
    if not chunk:
        return [tuple(slice(0, n) for n in shape)]
    counts = [-(-n // c) for n, c in zip(shape, chunk)]
    return [tuple(slice(i * c, min(n, (i + 1) * c)) for i, c, n in zip(index, chunk, shape)) for index in np.ndindex(*counts)]


def bits(values):
    return np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")


def verify(case, x, y, fill):
    """Largest error over the bound, and what is wrong, over all chunks."""
    worst, over, faults = 0.0, 0, []
    for place in chunks_of(x.shape, case["chunk"]):
        a, b = x[place].ravel(), y[place].ravel()
        some = counted(a, fill)
        if not np.array_equal(bits(a[~some]), bits(b[~some])):
            faults.append("missing values changed")
        share, count = exact_over(a[some], b[some], bound_of(case, a, some))
        worst, over = max(worst, share), over + count
    if over:
        faults.append(f"{over} values over the bound")
    return worst, sorted(set(faults))


def stored_fault(dataset):
    """h5repack ends with 0 even where it compressed nothing; so look at the file itself."""
    plist = dataset.id.get_create_plist()
    if ID not in [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]:
        return f"filter {ID} is not in the pipeline"
    if any(dataset.id.get_chunk_info(i).filter_mask for i in range(dataset.id.get_num_chunks())):
        return "a chunk was stored without the filter"
    if dataset.id.get_storage_size() >= dataset.nbytes:
        return "not smaller than before"
    return None


def best_seconds(work):
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def timed(x, stored, case):
    """GB/s of writing and reading, in memory."""
    chunk = tuple(case["chunk"] or x.shape)
    with h5py.File("speed", "w", driver="core", backing_store=False, rdcc_nbytes=0) as f:
        def write():
            if "x" in f:
                del f["x"]
            made = f.create_dataset("x", x.shape, x.dtype, chunks=chunk, compression=ID, compression_opts=tuple(case["words"]))
            made[...] = x
        encode = best_seconds(write)
    out = np.empty(x.shape, x.dtype)
    decode = best_seconds(lambda: stored.read_direct(out))
    return x.nbytes / encode / 1e9, x.nbytes / decode / 1e9


def psnr(x, y, some):
    a, b = x[some].astype("f8"), y[some].astype("f8")
    rms = math.sqrt(float(np.mean((a - b) ** 2))) if a.size else 0.0
    return math.inf if rms == 0 else 20 * math.log10(max(float(a.max() - a.min()), 1e-300) / rms)


def dumped(path):
    """The values as h5dump reads them, in the file's byte order."""
    with tempfile.NamedTemporaryFile() as out:
        run("h5dump", "-d", "/data", "-b", "FILE", "-o", out.name, path)
        return pathlib.Path(out.name).read_bytes()


def check_case(case, x, fill):
    with h5py.File(case["file"], "r", driver="core", backing_store=False, rdcc_nbytes=0) as f:
        dataset = f["data"]
        stored = dataset[()]
        fault = stored_fault(dataset)
        y = native(stored)
        worst, faults = verify(case, native(x), y, fill)
        if fault:
            faults.insert(0, fault)
        if stored.dtype != x.dtype or stored.shape != x.shape:
            faults.append("another type or shape")
        if case.get("dump") and dumped(case["file"]) != stored.tobytes():
            faults.append("h5dump reads other values")
        speeds = timed(x, dataset, case)
        return {**case, "before": int(dataset.nbytes), "after": int(dataset.id.get_storage_size()), "worst": worst, "faults": faults,
                "psnr": psnr(native(x), y, counted(native(x), fill)), "encode": speeds[0], "decode": speeds[1]}


def check_field(order):
    """The fresh process: {"field", "cases"} as JSON in, the same with results out."""
    with h5py.File(order["field"], "r") as f:
        x, fill = f["data"][()], user_fill(f["data"])
    fill = None if fill is None else native(np.asarray(fill))[()]
    return [check_case(case, x, fill) for case in order["cases"]]


# ---- The table.

COLUMNS = (("field", 24), ("type", 6), ("shape", 14), ("preset", 9), ("bound", 11), ("before", 8), ("after", 8), ("ratio", 7),
           ("err/bound", 9), ("PSNR", 6), ("enc GB/s", 8), ("dec GB/s", 8))


def row(cells):
    return "  ".join(f"{c:<{w}}" if i < 5 else f"{c:>{w}}" for i, (c, (_, w)) in enumerate(zip(cells, COLUMNS)))


def type_name(dtype):
    return f"{dtype.kind}{8 * dtype.itemsize}" + ("be" if dtype.byteorder == ">" else "")


def cells_of(field, dtype, shape, r):
    bound = "exact" if r["mode"] is None else f"{r['mode']} {r['bound']:g}"
    preset = r["preset"] + (" *" if r["chunk"] else "")
    return (field, type_name(dtype), "x".join(map(str, shape)), preset, bound, str(r["before"]), str(r["after"]),
            f"{r['before'] / r['after']:.2f}", f"{r['worst']:.4f}", "exact" if math.isinf(r["psnr"]) else f"{r['psnr']:.1f}",
            f"{r['encode']:.2f}", f"{r['decode']:.2f}")


def print_summary(results):
    print(f"\n{'preset':<10}{'bound':<12}{'all bytes':>12}{'stored':>12}{'ratio':>8}   median GB/s: encode, decode")
    for key in dict.fromkeys((r["preset"], r["mode"], r["bound"] if r["mode"] == "noa" else None) for r in results):
        some = [r for r in results if not r["chunk"] and (r["preset"], r["mode"], r["bound"] if r["mode"] == "noa" else None) == key]
        before, after = sum(r["before"] for r in some), sum(r["after"] for r in some)
        bound = "exact" if key[1] is None else "abs" if key[1] == "abs" else f"noa {key[2]:g}"
        print(f"{key[0]:<10}{bound:<12}{before:>12}{after:>12}{before / after:>8.2f}   "
              f"{statistics.median(r['encode'] for r in some):.2f}, {statistics.median(r['decode'] for r in some):.2f}")


def do_field(path, folder):
    """Compresses here, checks in a fresh process; prints the rows."""
    cases = list(cases_of(path))
    cases[0]["dump"] = cases[-1]["dump"] = True
    for number, case in enumerate(cases):
        compress(path, case, folder / f"{path.stem}_{number}.h5")
    order = json.dumps({"field": str(path), "cases": cases})
    done = subprocess.run([sys.executable, __file__, "--check"], input=order, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"reading {path.name} back failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}")
    results = json.loads(done.stdout)
    with h5py.File(path, "r") as f:
        dtype, shape = f["data"].dtype, f["data"].shape
    for r in results:
        print(row(cells_of(path.stem, dtype, shape, r)))
        for fault in r["faults"]:
            print(f"  FAULT {path.stem}, {r['preset']}, {r['mode']} {r['bound']:g}: {fault}")
    sys.stdout.flush()
    return results


def demo(arguments):
    fields = sorted((ROOT / "tests" / "data").glob("*.h5"))
    fields = [f for f in fields if not arguments.fields or f.stem in arguments.fields]
    results, broken = [], []
    print(row([name for name, _ in COLUMNS]))
    with tempfile.TemporaryDirectory(prefix="fzm_demo_") as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for path in fields:
            try:
                results += do_field(path, folder)
            except (RuntimeError, subprocess.TimeoutExpired) as fault:
                broken.append(path.stem)
                print(f"  FAULT {path.stem}: {fault}")
    if results:
        print_summary(results)
    print("\n* in several chunks. before, after: bytes. GB/s: h5py's whole-dataset write and read, file in memory, best of 5, through"
          "\nthe plugin with one thread; the fields are small: `build/bin/fzm bench --all-presets` measures 64 MiB.")
    good = sum(not r["faults"] for r in results)
    for stem in broken:
        print(f"{stem}: not finished, see FAULT above")
    print(f"{good} of {len(results)} within the bound")
    return 0 if results and good == len(results) and not broken else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fields", nargs="*", help="only these, by file name without .h5")
    parser.add_argument("--keep", help="leave the compressed files in this folder")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.check:
        json.dump(check_field(json.load(sys.stdin)), sys.stdout)
        return 0
    return demo(arguments)


if __name__ == "__main__":
    sys.exit(main())
