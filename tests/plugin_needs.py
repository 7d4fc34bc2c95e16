#!/usr/bin/env python3
"""The plugin needs only the C library, and shows only the names HDF5 looks for.

   plugin_needs.py libh5zfzm.so
"""
import re
import subprocess
import sys

ALLOWED_LIBRARIES = re.compile(r"(libc|libm|ld-linux[\w-]*)\.so\.\d+$")
ALLOWED_NAMES = re.compile(r"(H5PLget_plugin_type|H5PLget_plugin_info|H5Z_FZM_\w+)$")
REQUIRED_NAMES = {"H5PLget_plugin_type", "H5PLget_plugin_info"}


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], check=True, capture_output=True, text=True).stdout


def main():
    plugin = sys.argv[1]
    errors = []
    dynamic = readelf("--dynamic", plugin)
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", dynamic)
    errors += [f"needs {name}" for name in needed if not ALLOWED_LIBRARIES.match(name)]
    if "NODELETE" not in dynamic:
        errors.append("is not marked NODELETE")

    exported, undefined = set(), set()
    for line in readelf("--dyn-syms", plugin).splitlines():
        columns = line.split()
        if len(columns) < 8 or columns[4] not in ("GLOBAL", "WEAK", "UNIQUE"):
            continue
        name = columns[7].split("@")[0]
        if columns[6] != "UND":
            exported.add(name)
        elif columns[4] == "GLOBAL":
            undefined.add(name)
    errors += [f"exports {name}" for name in sorted(exported) if not ALLOWED_NAMES.match(name)]
    errors += [f"does not export {name}" for name in sorted(REQUIRED_NAMES - exported)]
    errors += [f"expects {name} from the process" for name in sorted(undefined) if name.startswith("H5")]

    for sentence in errors:
        print(f"{plugin}: {sentence}")
    print(f"needs {', '.join(needed)}; exports {', '.join(sorted(exported))}")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
