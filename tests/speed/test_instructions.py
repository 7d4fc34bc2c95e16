#!/usr/bin/env python3
"""Instructions a value, encoding and decoding, against tests/speed/instructions.txt: unlike seconds, they are the same on a busy
machine. Without arguments: fail where one is more than HEADROOM above the table. --write: measure and write the table anew."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("FZM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("FZM_BUILD", SOURCE / "build"))
TABLE = pathlib.Path(__file__).resolve().parent / "instructions.txt"
WORK = BUILD / "tests" / "speed_work"
SKIPPED = 77
HEADROOM = 1.15
HEADROOM_OF_OTHER_COMPILERS = 1.6  # vectorised loops differ from one to the next
# Valgrind 3.19 knows no AVX-512.
CODE = {"tuned": {"FZM_TARGET": "avx2"}, "walk": {"FZM_TARGET": "avx2", "FZM_FAST": "off"}}
PRESETS = ["fsz", "cuszp", "cuszp2", "cuszp3", "cuszp3_outlier", "cuszp3_fixed", "szp", "pfpl", "lossless"]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def count(preset, code, encodes, decodes):
    """Instructions of a whole run; what it printed."""
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", WORK, preset, str(encodes),
         str(decodes)], capture_output=True, text=True, timeout=600, check=False, env={**os.environ, **CODE[code]})
    if done.returncode == SKIPPED:
        skip("this build is not optimised: its instructions say nothing")
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode != 0 or not found:
        raise SystemExit(f"valgrind on {preset}, {code}: status {done.returncode}\n{done.stderr}")
    return int(found[1].replace(",", "")), done.stdout


def measure(preset, code):
    """(encode, decode) in instructions a value, and the compiler. Start-up and the first use are in both runs of a difference."""
    once, text = count(preset, code, 1, 1)
    encoded, _ = count(preset, code, 2, 1)
    decoded, _ = count(preset, code, 1, 2)
    compiler, values = text.split()[:2]
    return (encoded - once) / int(values), (decoded - once) / int(values), compiler


def read_table():
    rows, compiler = {}, None
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("compiler "):
            compiler = line.split()[1]
        elif line and not line.startswith("#"):
            preset, code, encode, decode = line.split()
            rows[preset, code] = float(encode), float(decode)
    return rows, compiler


def write_table():
    rows = {(p, c): measure(p, c) for c in CODE for p in PRESETS}
    compiler = next(iter(rows.values()))[2]
    lines = ["# Instructions a value: preset, code (tuned groups, or the generic walk; both AVX2), encode, decode.",
             "# Made by tests/speed/test_instructions.py --write; the test allows 15 % more.", f"compiler {compiler}"]
    lines += [f"{p:15} {c:6} {e:7.2f} {d:7.2f}" for (p, c), (e, d, _) in rows.items()]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check():
    rows, table_compiler = read_table()
    missing = [f"{p} {c}" for c in CODE for p in PRESETS if (p, c) not in rows]
    if missing:
        raise SystemExit(f"{TABLE.name} has no row for {', '.join(missing)}")
    wrong = 0
    for (preset, code), known in rows.items():
        encode, decode, compiler = measure(preset, code)
        headroom = HEADROOM if compiler == table_compiler else HEADROOM_OF_OTHER_COMPILERS
        for way, now, then in (("encode", encode, known[0]), ("decode", decode, known[1])):
            is_over = now > headroom * then
            wrong += is_over
            print(f"{preset:15} {code:6} {way}: {now:7.2f} instructions a value, table {then:7.2f}{'  OVER' if is_over else ''}")
    if wrong:
        raise SystemExit(f"{wrong} are more than {100 * headroom - 100:.0f} % above {TABLE.name}")


if not shutil.which("valgrind"):
    skip("valgrind is not installed (tools/setup installs it)")
if not WORK.exists():
    skip(f"{WORK} is not built")
if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split():
    skip("this machine has no AVX2, of which the table speaks")
write_table() if "--write" in sys.argv else check()
