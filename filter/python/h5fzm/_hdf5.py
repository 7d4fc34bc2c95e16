"""What h5py, h5netcdf and xarray need."""
import collections.abc
import os
import pathlib

import h5py
import numpy as np

from ._advice import chunks_for
from ._options import options_line
from ._plugin import plugin_file, sentence_of, words_of

FILTER_ID = 62042


def register():
    """Makes sure that h5py finds the plugin, also for appending to datasets (HDF5 loads no plugin to write). True if it does."""
    if h5py.h5z.filter_avail(FILTER_ID):
        return True
    try:
        folder = str(pathlib.Path(plugin_file()).parent)
    except FileNotFoundError:
        return False
    h5py.h5pl.prepend(os.fsencode(folder))
    return bool(h5py.h5z.filter_avail(FILTER_ID))


class Fzm(collections.abc.Mapping):
    """Keywords for create_dataset: f.create_dataset('x', data=a, **h5fzm.Fzm('fsz', abs=1e-3)).

    Fzm(preset, abs=|rel=|noa=|prel=bound, mask=True, fill=True, **{'stage.parameter': value}), or toml=PATH, or
    options='preset=fsz, abs=1e-3'. Errors: FzmError, with the plugin's sentence.
    """

    def __init__(self, preset=None, **settings):
        self.options = options_line(preset, **settings)
        self.words = words_of(self.options)
        self._keywords = {"compression": FILTER_ID, "compression_opts": self.words}

    def __getitem__(self, key):
        return self._keywords[key]

    def __iter__(self):
        return iter(self._keywords)

    def __len__(self):
        return len(self._keywords)

    def __repr__(self):
        return f"<h5fzm.Fzm: {sentence_of(self.words)}>"


def params(preset=None, **settings):
    """A request in the spellings of the tools: {'sentence', 'words', 'h5repack', 'nccopy'}."""
    words = words_of(options_line(preset, **settings))
    listed = ",".join(str(w) for w in words)
    return {"sentence": sentence_of(words), "words": words, "h5repack": f"-f UD={FILTER_ID},0,{len(words)},{listed}",
            "nccopy": f'-F "*,{FILTER_ID},{listed}"'}


def _words_in(dataset):
    plist = dataset.id.get_create_plist()
    for i in range(plist.get_nfilters()):
        number, _flags, words, _name = plist.get_filter(i)
        if number == FILTER_ID:
            return tuple(int(w) & 0xFFFFFFFF for w in words)
    return None


def describe(dataset):
    """How a dataset is stored: {'sentence', 'words', 'chunks', 'raw_bytes', 'stored_bytes', 'ratio'}; None without the filter."""
    words = _words_in(dataset)
    if words is None:
        return None
    raw = int(np.prod(dataset.shape, dtype=np.int64)) * dataset.dtype.itemsize
    stored = dataset.id.get_storage_size()
    return {"sentence": sentence_of(words), "words": words, "chunks": dataset.chunks, "raw_bytes": raw, "stored_bytes": stored,
            "ratio": raw / stored if stored else float("nan")}


def xarray_encoding(dataset, preset=None, **settings):
    """`encoding` for Dataset.to_netcdf(engine='h5netcdf'): the filter for every variable with at least one dimension.

    Coordinates of dimensions (time, lat, ...) and non-numbers are kept to the bit, by the preset `lossless`.
    """
    wanted, exact = dict(Fzm(preset, **settings)), dict(Fzm("lossless"))
    encoding = {}
    for name, variable in dataset.variables.items():
        if variable.ndim == 0 or variable.dtype.hasobject:
            continue
        is_field = variable.dtype.kind in "fiu" and name not in dataset.coords
        encoding[name] = dict(wanted if is_field else exact, chunksizes=chunks_for(variable.shape, variable.dtype))
    return encoding
