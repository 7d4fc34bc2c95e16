"""_exchange.py write|read FILE: datasets that one version of HDF5 writes and another reads. Not a test by itself:
other_hdf5.sh runs it with two interpreters."""
import sys

from _common import ABS, ID, LOSSLESS, NOA, bound_words, h5py, np, waves

TYPES = ("<f4", ">f4", "<f8", ">f8", "<i2", ">i4", "u1")
REQUESTS = {"lossless": (LOSSLESS, 0), "abs": (bound_words(1e-3, ABS), 1e-3), "noa": (bound_words(1e-4, NOA), 0.03)}


def field(dtype):
    return (waves(45, 70, dtype="f8") + 200).astype(dtype) if dtype != "u1" else waves(45, 70, dtype="f8").astype("i1").view("u1")


def main(verb, path):
    with h5py.File(path, "w" if verb == "write" else "r") as f:
        for dtype in TYPES:
            for name, (words, bound) in REQUESTS.items():
                key, want = f"{dtype} {name}", field(dtype)
                if verb == "write":
                    f.create_dataset(key, data=want, chunks=(16, 32), compression=ID, compression_opts=words)
                    continue
                worst = np.abs(f[key][()].astype("f8") - want.astype("f8")).max()
                assert worst <= bound, f"{key}: {worst} over {bound}"
    print(f"{verb}: {len(TYPES) * len(REQUESTS)} datasets")


main(*sys.argv[1:])
