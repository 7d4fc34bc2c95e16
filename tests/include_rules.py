#!/usr/bin/env python3
"""Keeps the include table of docs/architecture.md true, and every header able to compile alone.

Three checks over the source tree:
  includes      a file includes only what its place allows
  alone         every header compiles by itself
  freestanding  kernels/base and every codec compile without system headers, as NVRTC will compile them
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = {".h", ".hpp", ".cuh", ".cpp", ".cu", ".c"}
# Folders of kernels/ that are not a stage.
KERNEL_FOLDERS = ("base", "host", "fast", "device", "cuda", "jit")

# What a folder may include of ours: the first row whose pattern matches the file's path counts.
OWN = [
    (r"core/", r"core/|kernels/base/(bits|codec|portable)\.h"),
    (r"kernels/base/", r"kernels/base/"),
    (r"kernels/host/", r"core/(base|stage|plan|run)/|kernels/(base|lc|host|fast)/"),
    (r"kernels/fast/", r"core/(base|stage|plan|run)/|kernels/"),
    (r"kernels/device/", r"core/|kernels/(base|device)/"),
    (r"kernels/(cuda|jit)/", r"core/|kernels/"),
    (r"kernels/(?P<stage>\w+)/\w+\.h", r"kernels/(base|lc)/|kernels/{stage}/"),
    (r"kernels/(?P<stage>\w+)/", r"core/(base|stage)/|kernels/(base|lc|host|fast)/|kernels/{stage}/"),
    (r"kernels/", r"core/(run|stage)/|kernels/"),
    (r"filter/", r"core/fzm\.h|filter/"),
    (r"tools/", r"core/fzm\.h|tools/|filter/"),
]

# Who may include which libraries. Standard headers are not listed: they may stand wherever system headers may.
LIBRARIES = [
    (r"hdf5\.h|H5\w+\.h", r"filter/|tools/", "HDF5"),
    (r"cuda|cub/|nvrtc|cooperative_groups|thrust/|driver_types", r"kernels/(cuda|jit)/", "CUDA"),
    (r"toml\+\+/", r"core/spec/", "toml++"),
    (r"xxhash", r"core/base/", "xxHash"),
    (r"CLI/", r"tools/", "CLI11"),
    (r"\w*intrin\.h|arm_neon\.h", r"kernels/(base|fast|host)/", "intrinsics"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def files():
    for top in ("core", "kernels", "filter", "tools"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SOURCES:
                yield path.relative_to(ROOT).as_posix()


def is_codec(path):
    """kernels/<stage>/*.h, the text that also becomes device code."""
    parts = path.split("/")
    return parts[0] == "kernels" and len(parts) == 3 and parts[1] not in KERNEL_FOLDERS and path.endswith(".h")


def allowed_own(path):
    for place, allowed in OWN:
        found = re.match(place, path)
        if found:
            return allowed.format(**found.groupdict())
    return r".*"


def complaint(path, bracket, name):
    """The sentence about one include, or None when it is allowed."""
    if bracket == '"':
        if "/" not in name:
            return f'includes "{name}"; write the path from the root of the repository'
        allowed = allowed_own(path)
        return None if re.match(allowed, name) else f'includes "{name}"; this place may include {allowed}'
    for pattern, places, library in LIBRARIES:
        if re.match(pattern, name) and not re.match(places, path):
            return f"includes <{name}>; {library} belongs to {places}"
    if is_codec(path):
        return f"includes <{name}>; a codec includes kernels/base only"
    return None


def check_includes():
    errors = []
    for path in files():
        text = (ROOT / path).read_text(encoding="utf-8")
        for found in INCLUDE.finditer(text):
            sentence = complaint(path, *found.groups())
            if sentence:
                line = text.count("\n", 0, found.start(2)) + 1
                errors.append(f"{path}:{line}: {sentence}")
    return errors


def compile_header(path, command):
    source = f'#include "{path}"\n#include "{path}"\n'
    done = subprocess.run([*command, "-x", "c++", "-fsyntax-only", "-std=c++20", f"-I{ROOT}", "-"],
                          input=source, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{path}: does not compile ({' '.join(command)}):\n{done.stderr[:1500]}"


def check_headers(options):
    alone = [options.compiler, "-Wall", "-Wextra", "-Werror"]
    for folder in options.library:
        alone += ["-idirafter", folder]  # /usr/include may be among them
    freestanding = [options.compiler, "-nostdinc", "-nostdinc++", "-D__CUDACC_RTC__"]
    hdf5 = subprocess.run(["pkg-config", "--cflags", "hdf5"], capture_output=True, text=True).stdout.split()
    jobs = []
    for path in files():
        if not path.endswith((".h", ".hpp")) or path.startswith(("kernels/cuda/", "kernels/jit/")):
            continue
        jobs.append((path, alone + (hdf5 if path.startswith(("filter/", "tools/")) else [])))
        if path.startswith("kernels/base/") or is_codec(path):
            jobs.append((path, freestanding))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compile_header(*job), jobs))
    return len(jobs), [sentence for sentence in results if sentence]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--library", action="append", default=[], help="folder of a library's headers")
    options = parser.parse_args()
    checked = list(files())
    errors = check_includes()
    compiled, failed = check_headers(options)
    for sentence in errors + failed:
        print(sentence)
    print(f"{len(checked)} files read, {compiled} header compilations, {len(errors) + len(failed)} errors")
    if not checked:
        sys.exit("no source files found: the check looked in the wrong place")
    sys.exit(1 if errors or failed else 0)


if __name__ == "__main__":
    main()
