#!/usr/bin/env python3
"""Decodes .fzm frames with nothing but the standard library. Written from docs/format.md, docs/stages.md and kernels/*/*.md
alone, so that the pages are known to suffice. Slow; the checks of hostile frames are the library's.

    python3 tests/golden/decode.py FRAME.fzm OUT
"""
import math
import struct
import sys

M64 = (1 << 64) - 1


class Corrupt(Exception):
    pass


# --- checksums ---------------------------------------------------------------------------------------------------------

P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotated(v, bits):
    return (v << bits | v >> 64 - bits) & M64


def xxh_round(acc, lane):
    return rotated((acc + lane * P2) & M64, 31) * P1 & M64


def xxh64(data, seed=0):
    at = 0
    if len(data) >= 32:
        acc = [(seed + P1 + P2) & M64, (seed + P2) & M64, seed, (seed - P1) & M64]
        while at + 32 <= len(data):
            acc = [xxh_round(a, lane) for a, lane in zip(acc, struct.unpack_from("<4Q", data, at))]
            at += 32
        h = sum(rotated(a, r) for a, r in zip(acc, (1, 7, 12, 18))) & M64
        for a in acc:
            h = ((h ^ xxh_round(0, a)) * P1 + P4) & M64
    else:
        h = (seed + P5) & M64
    h = (h + len(data)) & M64
    while at + 8 <= len(data):
        h = (rotated(h ^ xxh_round(0, int.from_bytes(data[at:at + 8], "little")), 27) * P1 + P4) & M64
        at += 8
    if at + 4 <= len(data):
        h = (rotated(h ^ int.from_bytes(data[at:at + 4], "little") * P1 & M64, 23) * P2 + P3) & M64
        at += 4
    for b in data[at:]:
        h = rotated(h ^ b * P5 & M64, 11) * P1 & M64
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32


def checksum(data):
    return xxh64(data) & 0xFFFFFFFF


def tree_checksum(data):
    if len(data) <= 4096:
        return checksum(data)
    return tree_checksum(b"".join(struct.pack("<Q", xxh64(data[i:i + 4096])) for i in range(0, len(data), 4096)))


# --- numbers -----------------------------------------------------------------------------------------------------------

WIDTHS = [1, 2, 4, 8, 1, 2, 4, 8, 4, 8]  # by type number
F32, F64, AUTO = 8, 9, 255


def is_float(t):
    return t in (F32, F64)


def words(data, width):
    return list(struct.unpack("<%d%s" % (len(data) // width, "BH I   Q"[width - 1]), data))


def joined(values, width):
    mask = (1 << 8 * width) - 1
    return struct.pack("<%d%s" % (len(values), "BH I   Q"[width - 1]), *(v & mask for v in values))


def signed(v, width):
    return v - (1 << 8 * width) if v >> 8 * width - 1 else v


def bit(data, i):
    return data[i // 8] >> i % 8 & 1


def bit_field(data, at, bits):
    """`bits` bits of a stream, lowest bit first, from bit `at` on."""
    first, last = at // 8, (at + bits + 7) // 8
    return int.from_bytes(data[first:last], "little") >> at % 8 & (1 << bits) - 1


def unzigzag(u, width):
    return u >> 1 ^ -(u & 1)


def unnegabinary(u, width):
    mask = int("AA" * width, 16)
    return (u ^ mask) - mask


def to_float32(v):
    if math.isinf(v) or math.isnan(v):
        return v
    try:
        return struct.unpack("<f", struct.pack("<f", v))[0]
    except OverflowError:
        return math.copysign(math.inf, v)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if n > len(self.data) - self.at:
            raise Corrupt("ends too early")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, width):
        return int.from_bytes(self.take(width), "little")

    def real(self):
        return struct.unpack("<d", self.take(8))[0]

    def varint(self):
        value = 0
        for shift in range(0, 70, 7):
            b = self.number(1)
            value |= (b & 0x7F) << shift
            if b < 0x80:
                if b == 0 and shift or value > M64:
                    break
                return value
        raise Corrupt("a varint is too long")

    def rows(self, rows):
        marks, values = self.varint(), {}
        if marks >> len(rows):
            raise Corrupt("a field that is not known")
        for i, (name, kind, default) in enumerate(rows):
            values[name] = default
            if marks >> i & 1:
                values[name] = {"boolean": lambda: not default, "varint": self.varint, "bits": lambda: self.number(8),
                                "real": self.real, "byte": lambda: self.number(1)}[kind]()
        return values


# --- stages: parameters, facts and their inverses -------------------------------------------------------------------------
# undo(stage) gives the bytes of the stage's array input. stage.ports are its outputs, stage.n the values of its input.

def undo_sign_map(s, unmap):
    width = WIDTHS[s.p["input_type"]]
    whole = len(s.ports[0]) // width * width
    return joined([unmap(u, width) for u in words(s.ports[0][:whole], width)], width) + s.ports[0][whole:]


def undo_difference(s):
    width = WIDTHS[s.p["input_type"]]
    unmap = {1: lambda u, w: u, 2: unnegabinary, 3: unzigzag}[s.p["mode"]]
    chunk = s.p["chunk_size"] // width or max(s.n, 1)
    out, before = [], 0
    for i, u in enumerate(words(s.ports[0], width)):
        before = (0 if i % chunk == 0 else before) + unmap(u, width)
        out.append(before)
    return joined(out, width)


def sums(residuals, order):
    """Undoes first or second differences with zeros before the first value."""
    out, one, two = [], 0, 0
    for e in residuals:
        v = e + one if order == 1 else e + 2 * one - two
        one, two = v, one
        out.append(v)
    return out


def undo_lorenzo(s):
    width = s.width
    e = words(s.ports[0], width)
    block = s.p["block_size"] or (256 if s.rank < 2 else 0)
    if block:
        means = words(s.ports[1], width) if s.p["centering"] else [0] * (s.n // block + 1)
        out = []
        for b, at in enumerate(range(0, s.n, block)):
            out += [v + means[b] for v in sums(e[at:at + block], s.p["order"])]
        return joined(out, width)
    nx, ny, nz = s.shape
    for step, count in ((1, nx), (nx, ny), (nx * ny, nz)):  # a running sum along every axis
        for i in range(step, s.n):
            if i // step % count:
                e[i] += e[i - step]
    return joined(e, width)


def undo_tiled_lorenzo(s):
    width = s.width
    tx, ty, tz = (s.p["tile_" + a] for a in "xyz")
    dims = [s.p["dim_" + a] for a in "xyz"]
    nx, ny, nz = [d or 1 for d in dims] if any(dims) else s.shape
    if not (tx or ty or tz):
        tx, ty, tz = (4, 4, 4) if nz > 1 else (8, 8, 1) if ny > 1 else (64, 1, 1)
    tx, ty, tz = tx or 1, ty or 1, tz or 1
    d, out, at = words(s.ports[0], width), [0] * s.n, 0
    for z0 in range(0, nz, tz):
        for y0 in range(0, ny, ty):
            for x0 in range(0, nx, tx):
                tile = d[at:at + tx * ty * tz]
                at += tx * ty * tz
                for i in range(len(tile)):
                    x, y, z = i % tx, i // tx % ty, i // tx // ty
                    tile[i] += tile[i - 1] if x else tile[i - tx] if y else tile[i - tx * ty] if z else 0
                    if x0 + x < nx and y0 + y < ny and z0 + z < nz:
                        out[((z0 + z) * ny + y0 + y) * nx + x0 + x] = tile[i]
    return joined(out, width)


def undo_adaptive_lorenzo(s):
    width, tile = s.width, 32 * s.p["blocks_per_tile"]
    r, modes, means, out = words(s.ports[0], width), s.ports[1], Reader(s.ports[2]), []
    for t, at in enumerate(range(0, s.n, tile)):
        mode = bit_field(modes, 2 * t, 2)
        mean = means.number(width) if mode & 2 else 0
        out += [v + mean for v in sums(r[at:at + tile], 1 + (mode & 1))]
    if means.at != len(s.ports[2]):
        raise Corrupt("means are left over")
    return joined(out, width)


def undo_adaptive_bitpack(s):
    width, size, apart = s.width, s.p["block_size"], s.p["outlier_selection"]
    blocks, plane, at_meta = -(-s.n // size), -(-size // 8), 1 + apart
    payload, out = Reader(s.ports[0]), []
    meta = payload.take(blocks * at_meta)
    for b in range(blocks):
        rate, select = meta[b * at_meta], meta[b * at_meta + 1] if apart else 0
        magnitude = [0] * size
        first = payload.number((select - 1) // 2 + 1) if select else None
        if rate or select:
            negative = payload.take(plane)
            for p in range(rate):
                bits = payload.take(plane)
                for i in range(size):
                    magnitude[i] |= bit(bits, i) << p
            if select:
                magnitude[0] |= first
            out += [-m if bit(negative, i) else m for i, m in enumerate(magnitude)]
        else:
            out += magnitude
    if payload.at != len(s.ports[0]):
        raise Corrupt("payload is left over")
    return joined(out[:s.n], width)


def undo_bitshuffle(s):
    width = s.p["element_width"] or s.width
    size, data, out = s.p["block_size"], s.ports[0], b""
    count, bits = size // width, 8 * width
    word = 8 if width == 8 else 4
    whole = len(data) // size * size
    for at in range(0, whole, size):
        planes = words(data[at:at + size], word)
        per_plane = count // (8 * word)
        elements = [0] * count
        for p in range(bits):
            for e in range(count):
                place = e % (8 * word)
                if width >= 4:
                    place = 8 * word - 1 - place
                elements[e] |= (planes[p * per_plane + e // (8 * word)] >> place & 1) << bits - 1 - p
        out += joined(elements, width)
    return out + data[whole:]


def read_bitmap(data, end, size):
    """The coded bitmap of `size` bytes that ends at data[end]; and where it begins."""
    sizes = [size]
    while sizes[-1] >= 8:
        sizes.append(sizes[-1] // 8)
    level = data[end - sizes[-1]:end]
    end -= sizes[-1]
    for size in reversed(sizes[:-1]):
        stored = sum(b.bit_count() for b in level)
        source, whole, before = Reader(data[end - stored:end]), [], 0
        for i in range(size):
            if bit(level, i):
                before = source.number(1)
            whole.append(before)
        level, end = bytes(whole), end - stored
    return level, end


def unpack_chunk(piece, length, w, chunk_size, by_previous, by_bits):
    if len(piece) < 2 or int.from_bytes(piece[-2:], "little") != length:
        raise Corrupt("a chunk's length")
    end = len(piece) - 2
    width, count, k = 8 * w, length // w, 0
    if by_bits:
        end -= 1
        k = piece[end]
    if by_bits and k == width:
        return piece[:end]
    beyond = piece[end - length % w:end]
    end -= length % w
    out, before = [], 0
    if k == width + 1 or not by_bits and end == 0:
        return joined([0] * count, w) + beyond
    bitmap, end = read_bitmap(piece, end, chunk_size // width)
    full = sum(bit(bitmap, i) for i in range(count))
    source, low, at = Reader(piece[:full * w]), piece[full * w:end], 0
    if len(low) != -(-k * (count - full) // 8):
        raise Corrupt("low bits")
    for i in range(count):
        reference = before if by_previous else 0
        if bit(bitmap, i):
            before = source.number(w)
        else:
            before = reference >> k << k | (bit_field(low, at, k) if k else 0) if by_bits else reference
            at += k
        out.append(before)
    return joined(out, w) + beyond


def undo_chunks(s, by_previous, by_bits):
    stream, out = Reader(s.ports[0]), b""
    total, chunks = stream.number(4), stream.number(4)
    sizes = [stream.number(4) for _ in range(chunks)]
    for i, size in enumerate(sizes):
        length = min(s.p["chunk_size"], total - i * s.p["chunk_size"])
        piece = stream.take(size & 0x7FFFFFFF)
        out += piece if size >> 31 else unpack_chunk(piece, length, s.p["word_size"], s.p["chunk_size"], by_previous, by_bits)
    rest = stream.data[stream.at:]
    if len(out) != total or len(rest) > 3 or any(rest):
        raise Corrupt("the container's length")
    return out


def read_set(data, n):
    """Positions below n."""
    kind = data.number(1)
    if kind == 0:
        return []
    if kind == 1:
        bitmap = data.take(-(-n // 8))
        return [i for i in range(n) if bit(bitmap, i)]
    low, members = kind - 2, data.number(2) + 1
    planes = [data.take(-(-members // 8)) for _ in range(low)]
    bits = members + (n - 1 >> low)
    high = data.take(-(-bits // 8))
    ones = [i for i in range(bits) if bit(high, i)]
    return [(at - i << low) | sum(bit(p, i) << b for b, p in enumerate(planes)) for i, at in enumerate(ones)]


def undo_mask(s):
    width, values = s.width, words(s.ports[0], s.width)
    stream, nx, ny, nz = Reader(s.ports[1]), *s.shape
    sizes = [stream.number(4) for _ in range(-(-s.n // 65536))]
    for t, size in enumerate(sizes):
        if size == 0:
            continue
        base, n = t * 65536, min(65536, s.n - t * 65536)
        piece = Reader(stream.take(size))
        flags = piece.number(1)
        special = [0] * n
        for i in read_set(piece, n):
            special[i] = 1
        for axis, lag in enumerate((1, nx, nx * ny)):
            if flags >> axis & 1 and axis < s.rank and lag < n:
                for i in range(lag, n):
                    special[i] ^= special[i - lag]
        places = [i for i in range(n) if special[i]]
        pattern = s.p["fill_bits"] if s.p["has_fill"] else s.f["pattern_a"] or (0x7FC00000 if s.type == F32 else 0x7FF8 << 48)
        changes = range(len(places)) if flags & 8 else set(read_set(piece, len(places)))
        for rank, i in enumerate(places):
            if rank in changes:
                pattern = piece.number(width)
            values[base + i] = pattern
        if piece.at != size:
            raise Corrupt("a mask's piece is longer than its content")
    return joined(values, width)


def tested_bound(bound, t, power_of_two):
    """The largest error the quantizer tests for, in type t."""
    bound = min(bound, 2.0 ** (124 if t == F32 else 1020))
    if bound == 2.0 ** (124 if t == F32 else 1020):
        return bound
    code, whole = ("<f", "<I") if t == F32 else ("<d", "<Q")
    bits = struct.unpack(whole, struct.pack(code, bound))[0]
    rounded = struct.unpack(code, struct.pack(whole, bits))[0]
    bits -= (rounded > bound) + (not power_of_two)
    return struct.unpack(code, struct.pack(whole, bits))[0]


EXP2_SHORT = (1.5252733804059841e-05,)
EXP2_LONG = (1.3691488853904128e-12, 2.5678435993488206e-11, 4.4455382718708116e-10, 7.054911620801123e-09,
             1.01780860092397e-07, 1.321548679014431e-06, 1.5252733804059841e-05)
EXP2_TAIL = (0.0001540353039338161, 0.0013333558146428443, 0.009618129107628477, 0.05550410866482158, 0.24022650695910072,
             0.6931471805599453, 1.0)


def exp2_of(y, t):
    y = min(max(y, -1000.0), 1024.0)
    n = round(y)  # halves to even
    f, p = y - n, 0.0
    for c in (EXP2_SHORT if t == F32 else EXP2_LONG) + EXP2_TAIL:
        p = p * f + c
    return p * 2.0 * 2.0 ** (n - 1)


def undo_quantizer(s):
    p, t = s.p, s.p["input_type"]
    code_width, width = WIDTHS[p["code_type"]], WIDTHS[t]
    codes = words(s.ports[0], code_width)

    def q_of(code):
        if p["linear_mode"] or not p["zigzag_codes"]:
            return signed(code, code_width)
        return unzigzag(code, code_width)

    if not is_float(t):
        top = (1 << 8 * width - (t >= 4)) - 1
        lowest = -top - 1 if t >= 4 else 0
        step = 2 * int(min(s.f["abs_bound"], (1 << 8 * width - 1) - 1)) + 1
        q = q_of if t >= 4 else lambda c: q_of(c) % (1 << 8 * width)
        return joined([min(max(q(c) * step, lowest), top) for c in codes], width)

    def bits_of(v):
        if t == F32:
            return struct.unpack("<I", struct.pack("<f", to_float32(v)))[0]
        return struct.unpack("<Q", struct.pack("<d", v))[0]

    out, top_bit = [], 8 * width - 1
    if p["error_bound_mode"] == 1:
        for c in codes:
            b = c - 1
            distance = float((b >> 2) & (1 << 51) - 1) * s.f["log_step"] if c else 0.0
            sign = (b & 1) << top_bit
            out.append(0 if c == 0 else sign if c in (3, 4) else bits_of(exp2_of(-distance if b & 2 else distance, t)) | sign)
    else:
        step = 2 * tested_bound(s.f["abs_bound"], t, p["power_of_two_bound"])
        for c in codes:
            is_bits = p["inplace_outliers"] and c >> 1 >= p["quant_radius"]
            out.append(c if is_bits else bits_of(float(q_of(c)) * step))
    indices = words(s.ports[2], 4)
    for i, v in zip(indices, words(s.ports[1], width)):
        out[i] = v
    return joined(out, width)


TYPE = ("byte", AUTO)
SIGN_MAP = [("input_type", *TYPE), ("output_type", *TYPE), ("byte_transparent", "boolean", False)]
CHUNKS = [("chunk_size", "varint", 16384), ("word_size", "varint", 1)]
ARRAY, STREAM, VALUES = "array", "bytes", "values"  # of a port: what a stage that reads it sees

# id: name, parameters, facts, ports, inverse
STAGES = {
    2: ("Difference", [("input_type", *TYPE), ("output_type", *TYPE), ("chunk_size", "varint", 0), ("mode", "byte", 0)], [],
        [ARRAY], undo_difference),
    12: ("Lorenzo", [("data_type", *TYPE), ("block_size", "varint", 0), ("order", "varint", 1), ("centering", "boolean", False)],
         [], [ARRAY, VALUES], undo_lorenzo),
    14: ("Quantizer",
         [("error_bound", "real", 1e-3), ("error_bound_mode", "byte", 0), ("quant_radius", "varint", 32768),
          ("zigzag_codes", "boolean", True), ("outlier_threshold", "real", math.inf),
          ("inplace_outliers", "boolean", False), ("linear_mode", "boolean", False), ("linear_high_precision", "boolean", False),
          ("power_of_two_bound", "boolean", False), ("verify_reconstruction", "boolean", False), ("value_base", "real", 0.0),
          ("input_type", *TYPE), ("code_type", *TYPE)],
         [("abs_bound", "real", 0.0), ("value_base", "real", 0.0), ("log_step", "real", 0.0)], [ARRAY, VALUES, "uint32"],
         undo_quantizer),
    15: ("Zigzag", SIGN_MAP, [], [ARRAY], lambda s: undo_sign_map(s, unzigzag)),
    16: ("Negabinary", SIGN_MAP, [], [ARRAY], lambda s: undo_sign_map(s, unnegabinary)),
    17: ("Bitshuffle", [("block_size", "varint", 16384), ("element_width", "varint", 0)], [], [ARRAY], undo_bitshuffle),
    18: ("RZE", CHUNKS, [], [STREAM], lambda s: undo_chunks(s, False, False)),
    24: ("AdaptiveBitpack", [("block_size", "varint", 32), ("outlier_selection", "boolean", False)], [], [STREAM],
         undo_adaptive_bitpack),
    25: ("TiledLorenzo", [("data_type", *TYPE)] + [(a + b, "varint", 0) for a in ("tile_", "dim_") for b in "xyz"], [], [ARRAY],
         undo_tiled_lorenzo),
    26: ("RRE", CHUNKS, [], [STREAM], lambda s: undo_chunks(s, True, False)),
    27: ("RARE", CHUNKS, [], [STREAM], lambda s: undo_chunks(s, True, True)),
    28: ("RAZE", CHUNKS, [], [STREAM], lambda s: undo_chunks(s, False, True)),
    34: ("AdaptiveLorenzo",
         [("data_type", *TYPE), ("coder_block_size", "varint", 32), ("blocks_per_tile", "varint", 8),
          ("enable_order2", "boolean", True), ("enable_centering", "boolean", True), ("outlier_cost", "boolean", False)], [],
         [ARRAY, STREAM, VALUES], undo_adaptive_lorenzo),
    43: ("Mask", [("specials", "boolean", True), ("has_fill", "boolean", False), ("fill_bits", "bits", 0)],
         [("present", "boolean", False), ("pattern_a", "bits", 0)], [ARRAY, STREAM], undo_mask),
}


class Stage:
    def __init__(self, reader):
        number = reader.varint()
        if number not in STAGES:
            raise Corrupt("stage %d is not known" % number)
        self.name, rows, self.facts, self.kinds, self.undo = STAGES[number]
        self.p, self.f, self.ports = reader.rows(rows), {}, [None] * len(self.kinds)

    def set_input(self, kind, n, shape, rank):
        self.type, self.n, self.shape, self.rank = kind, n, shape, rank
        self.width = WIDTHS[kind]

    def output_type(self, port):
        if self.kinds[port] == ARRAY:
            if self.p.get("byte_transparent"):
                return 0
            for row in ("code_type", "output_type", "data_type"):
                if self.p.get(row, AUTO) != AUTO:
                    return self.p[row]
            return self.type
        return {STREAM: 0, VALUES: self.type, "uint32": 2}[self.kinds[port]]


def folded(extents, n):
    """Axes as stages see them: (x, y, z), and how many of them there are."""
    axes = [e for e in extents if e != 1] or [n]
    x = axes[-1]
    y = axes[-2] if len(axes) > 1 else 1
    return (x, y, n // (x * y) if n else 0), min(len(axes), 3)


def read_pipeline(body):
    head = body.varint()
    stages = []
    for i in range(head // 2):
        stage = Stage(body)
        stage.inputs = [(i - 1, 0)]
        if head & 1:
            stage.inputs = [(body.varint() - 1, body.varint()) for _ in range(body.varint())] or [(-1, 0)]
        stages.append(stage)
    for stage in stages:
        if stage.facts:
            stage.f = body.rows(stage.facts)
    return stages


def decode(frame):
    """The chunk of a frame, as bytes."""
    if frame[:4] != b"FZM\x1a":
        raise Corrupt("not a frame")
    if frame[4] != 1 or frame[5] & ~7:
        raise Corrupt("a newer frame")
    flags, length = frame[5], int.from_bytes(frame[6:8], "little")
    big_endian, is_raw, has_pad = flags & 1, flags & 2, flags >> 2
    payload = Reader(frame[length:len(frame) - has_pad])
    if checksum(frame[:length - 8]) != int.from_bytes(frame[length - 8:length - 4], "little"):
        raise Corrupt("header checksum")
    if tree_checksum(payload.data) != int.from_bytes(frame[length - 4:length], "little"):
        raise Corrupt("payload checksum")
    if has_pad and frame[-1]:
        raise Corrupt("pad")

    body = Reader(frame[8:length - 8])
    kind = body.number(1)
    item = body.varint() if kind == 255 else WIDTHS[kind]
    extents = [body.varint() for _ in range(body.varint())]
    n = math.prod(extents)
    if is_raw:
        if len(payload.data) != n * item or body.at != len(body.data):
            raise Corrupt("length")
        return payload.data
    shape, rank = folded(extents, n)
    if kind == 255:
        if item in (1, 2, 4, 8):
            kind_of_values, values = {1: 0, 2: 1, 4: 2, 8: 3}[item], n
        else:
            kind_of_values, values, shape, rank = 0, n * item, (n * item, 1, 1), 1
    else:
        kind_of_values, values = kind, n

    stages = read_pipeline(body)
    read = {}
    for i, stage in enumerate(stages):
        source, port = stage.inputs[0]
        read[source, port] = i
        if source < 0:
            stage.set_input(kind_of_values, values, shape, rank)
            continue
        count, before = body.varint(), stages[source]
        same = before.kinds[port] == ARRAY and before.name != "TiledLorenzo"
        stage.set_input(before.output_type(port), count, *((before.shape, before.rank) if same else ((count, 1, 1), 1)))
    for i, stage in enumerate(stages):
        for port in range(len(stage.kinds)):
            if (i, port) not in read:
                stage.ports[port] = payload.take(body.varint())
    if body.at != len(body.data) or payload.at != len(payload.data):
        raise Corrupt("bytes are left over")

    for i in range(len(stages) - 1, -1, -1):
        array = stages[i].undo(stages[i])
        if len(array) != stages[i].n * stages[i].width:
            raise Corrupt("stage %d gives %d bytes for %d values" % (i, len(array), stages[i].n))
        source, port = stages[i].inputs[0]
        if source >= 0:
            stages[source].ports[port] = array
    if big_endian and kind != 255 and item > 1:
        array = b"".join(array[at:at + item][::-1] for at in range(0, len(array), item))
    return array


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as source, open(sys.argv[2], "wb") as target:
        target.write(decode(source.read()))
