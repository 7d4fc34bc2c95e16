#!/usr/bin/env python3
"""The independent decoder makes what the table says of every golden frame, and of the example in docs/format.md."""
import pathlib
import re
import struct
import sys

sys.dont_write_bytecode = True
import decode

HERE = pathlib.Path(__file__).resolve().parent


def example_of_the_page():
    """The hexadecimal digits of the block marked `frame`, without what follows ';' on a line, and the values behind it."""
    page = (HERE / "../../docs/format.md").read_text()
    block, values = re.search(r"```frame\n(.*?)```[^`]*`([^`]*)`", page, re.S).groups()
    frame = bytes.fromhex("".join(line.split(";")[0] for line in block.splitlines()))
    return frame, [float(v) for v in values.split()]


def main():
    faults = 0
    lines = [line for line in (HERE / "frames.txt").read_text().splitlines() if line and not line.startswith("#")]
    for line in lines:
        name, *_, digest = (part.strip() for part in line.split("|"))
        try:
            found = "%016x" % decode.xxh64(decode.decode((HERE / "frames" / (name + ".fzm")).read_bytes()))
        except decode.Corrupt as fault:
            found = f"refused: {fault}"
        if found != digest:
            faults += 1
            print(f"{name}: {found}, the table says {digest}")
    frame, values = example_of_the_page()
    found = [v for v, in struct.iter_unpack("<f", decode.decode(frame))]
    if [struct.pack("<f", v) for v in values] != [struct.pack("<f", v) for v in found]:
        faults += 1
        print(f"docs/format.md: the example decodes to {found}")
    print(f"{len(lines)} frames and the example, {faults} faults")
    return 1 if faults or not lines else 0


sys.exit(main())
