"""NumPy arrays to frames and back, without a file."""
import ctypes

import numpy as np

from ._options import options_line
from ._plugin import Array, call, library

_NUMBERS = {"u1": 0, "u2": 1, "u4": 2, "u8": 3, "i1": 4, "i2": 5, "i4": 6, "i8": 7, "f4": 8, "f8": 9}
_TYPES = {number: code for code, number in _NUMBERS.items()}
_OPAQUE = 255


def _describe(array):
    about = Array()
    about.type = _NUMBERS.get(array.dtype.str[1:], _OPAQUE)
    about.big_endian = array.dtype.byteorder == ">"  # NumPy writes "=" or "<" for the other; big-endian hosts are not supported
    about.item_bytes = array.dtype.itemsize
    about.rank = array.ndim
    if array.ndim > 32:
        raise ValueError(f"an array of {array.ndim} dimensions; at most 32 are possible")
    about.extents[:array.ndim] = array.shape
    return about


def _pointer(buffer):
    """Address and length of something that has the buffer interface, without a copy."""
    view = np.frombuffer(buffer, dtype=np.uint8)
    return view.ctypes.data, view.size, view


def encode(array, preset_or_options="lossless", **settings):
    """The frame of an array, as bytes. `preset_or_options`: a preset's name, with the keywords of Fzm, or a whole line of options.

    No copy of the array is made if it is contiguous in C order. Types other than integers and float32/64 are coded without loss.
    Errors: FzmError.
    """
    array = np.ascontiguousarray(array) if np.ndim(array) else np.asarray(array)
    if array.dtype.hasobject:
        raise TypeError("arrays of Python objects cannot be encoded")
    if "=" in preset_or_options:
        line = options_line(options=preset_or_options, **settings)
    else:
        line = options_line(preset_or_options, **settings)
    frame, size = ctypes.c_void_p(), ctypes.c_size_t()
    about = _describe(array)
    call("encode", line.encode(), ctypes.byref(about), array.ctypes.data, ctypes.byref(frame), ctypes.byref(size))
    try:
        return ctypes.string_at(frame, size.value)
    finally:
        library().H5Z_FZM_free(frame)


def frame_array(frame):
    """(dtype, shape) of what a frame holds. Opaque items have a dtype of bytes, 'V' and their size. Errors: FzmError."""
    address, size, _keep = _pointer(frame)
    about = Array()
    call("frame_array", address, size, ctypes.byref(about))
    order = ">" if about.big_endian else "<"
    code = _TYPES.get(about.type)
    dtype = np.dtype(order + code) if code else np.dtype(f"V{about.item_bytes}")
    return dtype, tuple(about.extents[:about.rank])


def decode(frame, out=None):
    """The array of a frame; into `out` (contiguous, of the frame's size in bytes) if given. Errors: FzmError, ValueError."""
    if out is None:
        out = np.empty(*reversed(frame_array(frame)))
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be contiguous in C order and writeable")
    address, size, _keep = _pointer(frame)
    call("decode", address, size, out.ctypes.data, out.nbytes)
    return out
