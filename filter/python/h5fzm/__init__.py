"""Error-bounded compression of arrays in HDF5, by the filter fzm. See filter/python/README.md."""
from ._advice import cache_for, chunks_for
from ._codec import decode, encode, frame_array
from ._hdf5 import FILTER_ID, Fzm, describe, params, register, xarray_encoding
from ._plugin import FzmError, plugin_file

__all__ = ["FILTER_ID", "Fzm", "FzmError", "cache_for", "chunks_for", "decode", "describe", "encode", "frame_array", "params",
           "plugin_file", "register", "xarray_encoding"]

register()
