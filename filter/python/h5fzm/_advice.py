"""Chunk shapes and caches: what suits a filter that works on whole chunks."""
import math

import numpy as np

MEBI = 1 << 20


def chunks_for(shape, dtype, target_bytes=16 * MEBI):
    """A chunk shape of about target_bytes: whole fast axes, and a share of the first axis that is too much.

    Large enough for a GPU and for good ratios, small enough to be read in part. Never larger than the array; extents of 0 become 1.
    """
    shape = tuple(max(int(n), 1) for n in shape)
    left = max(int(target_bytes) // max(np.dtype(dtype).itemsize, 1), 1)
    chunk = []
    for extent in reversed(shape):
        parts = math.ceil(extent / min(extent, left))
        chunk.append(math.ceil(extent / parts))  # equal parts, so that the last one is not a sliver
        left = max(left // chunk[-1], 1)
    return tuple(reversed(chunk))


def cache_for(chunks, dtype, count=2):
    """Keywords for h5py.File: a chunk cache that holds `count` chunks. With a smaller one than a chunk, every access to a part
    of a chunk decodes (and a write encodes) all of it."""
    bytes_needed = count * math.prod(int(n) for n in chunks) * np.dtype(dtype).itemsize
    return {"rdcc_nbytes": max(bytes_needed, 8 * MEBI)}
