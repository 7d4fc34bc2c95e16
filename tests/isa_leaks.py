#!/usr/bin/env python3
"""Instructions of newer CPUs stand only where the CPU was asked first; nothing is contracted to fused multiply-add.

   isa_leaks.py libh5zfzm.so

The library carries codecs for several instruction sets. An inline function shared by two of them is kept once by the
linker; were it the AVX-512 copy, the library would crash on an older machine. So: a function with AVX or BMI
instructions has "avx2" or "avx512" in its name, or is local to a file whose name has.
"""
import re
import subprocess
import sys

NEWER = re.compile(r"^(v[a-z]\w+|andn|bextr|blsi|blsmsk|blsr|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|tzcnt|k\w+[bwdq])$")
# Not from our flags: verr and verw are old system instructions; tzcnt runs as bsf on older machines, and compilers
# use it so when both give the same.
HARMLESS = {"verr", "verw", "tzcnt"}
FUSED = re.compile(r"^vf(n?m(add|sub)|maddsub|msubadd)")
NAMED = re.compile(r"avx2|avx512")


def functions_local_to_isa_files(plugin):
    """Addresses of the local functions that the symbol table lists under an *_avx2.cpp or *_avx512.cpp."""
    table = subprocess.run(["readelf", "--wide", "--symbols", plugin], check=True, capture_output=True, text=True).stdout
    inside, addresses = False, set()
    for line in table.splitlines():
        columns = line.split()
        if len(columns) < 7 or columns[4] != "LOCAL":
            continue
        if columns[3] == "FILE":
            inside = bool(NAMED.search(columns[7])) if len(columns) > 7 else False
        elif inside and columns[3] in ("FUNC", "NOTYPE"):
            addresses.add(int(columns[1], 16))
    return addresses


def main():
    plugin = sys.argv[1]
    local = functions_local_to_isa_files(plugin)
    text = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", plugin],
                          check=True, capture_output=True, text=True).stdout
    leaks, fused, newer, name, excused = {}, {}, set(), "", False
    for line in text.splitlines():
        head = re.match(r"([0-9a-f]+) <(.+)>:$", line)
        if head:
            name = head.group(2)
            excused = bool(NAMED.search(name)) or int(head.group(1), 16) in local
            continue
        parts = line.split("\t")
        if len(parts) < 2 or not parts[1].split():
            continue
        mnemonic = parts[1].split()[0]
        if FUSED.match(mnemonic):
            fused.setdefault(name, line.strip())
        if NEWER.match(mnemonic) and mnemonic not in HARMLESS:
            newer.add(name)
            if not excused:
                leaks.setdefault(name, line.strip())
    for name, line in leaks.items():
        print(f"{plugin}: {name}: has an instruction of a newer CPU: {line}")
    for name, line in fused.items():
        print(f"{plugin}: {name}: is contracted: {line}")
    print(f"{len(newer)} functions use newer instructions, {len(leaks)} of them unguarded, {len(fused)} contracted")
    sys.exit(1 if leaks or fused else 0)


if __name__ == "__main__":
    main()
