#!/usr/bin/env python3
"""Counts the instructions that a value costs, which are the same in every run, and holds them to a limit. Seconds are for `fzm bench`.

  tests/speed/test_instructions.py            the test
  tests/speed/test_instructions.py --measure  prints the table below anew
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROBE = pathlib.Path(os.environ.get("FZM_BUILD", "build")) / "tests/speed_probe"
SIZES = (1 << 16, 3 << 16)  # their difference leaves start-up out
HEADROOM = 1.25             # for what another compiler makes of the same text

# Options of the request, whether tuned groups may run, instructions a value (encode, decode) as measured with GCC 12.
TABLE = [
]


def instructions(options, values, work, fast):
    environment = dict(os.environ, FZM_TARGET="avx2", FZM_FAST="on" if fast else "off", FZM_BACKEND="host")
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", PROBE, options, str(values), work]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        sys.exit(f"speed_probe {options} {values} {work}: exit code {run.returncode}\n{run.stderr}")
    return int(found.group(1))


def cost(row):
    """Instructions a value of encoding and of decoding."""
    options, fast = row
    totals = []
    for values in SIZES:
        made, encoded, decoded = (instructions(options, values, work, fast) for work in ("make", "encode", "decode"))
        totals.append((encoded - made, decoded - encoded))
    values = SIZES[1] - SIZES[0]
    return tuple((large - small) / values for small, large in zip(*totals))


def costs(rows):
    with concurrent.futures.ThreadPoolExecutor(min(len(os.sched_getaffinity(0)), 4)) as pool:
        return list(pool.map(cost, rows))


def measure():
    presets = ["fsz", "cuszp", "cuszp2", "cuszp3", "cuszp3_outlier", "cuszp3_fixed", "szp", "pfpl", "lossless"]
    rows = [(f"preset={p}" + ("" if p == "lossless" else ", abs=1e-4"), True) for p in presets]
    rows += [("preset=fsz, abs=1e-4", False), ("preset=pfpl, abs=1e-4", False)]
    for (options, fast), (encode, decode) in zip(rows, costs(rows)):
        print(f'    ("{options}", {fast}, {encode:.1f}, {decode:.1f}),')


def main():
    if shutil.which("valgrind") is None:
        print("no valgrind, which counts the instructions")
        return 77
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        print("this CPU has no AVX2; the limits are those of the AVX2 code")
        return 77
    if "--measure" in sys.argv:
        return measure()
    over = 0
    for (options, fast, *limits), found in zip(TABLE, costs([row[:2] for row in TABLE])):
        for verb, limit, count in zip(("encode", "decode"), limits, found):
            is_over = count > limit * HEADROOM
            over += is_over
            print(f"{'OVER' if is_over else 'ok  '} {options}{'' if fast else ', no tuned groups'}: {verb} {count:.1f} "
                  f"instructions a value, {limit} when it was written")
    assert TABLE, "no limits"
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
