"""The plugin's C entry points (filter/h5z_fzm_plugin.h), by ctypes."""
import ctypes
import functools
import os
import pathlib

NAME = "libh5zfzm.so"
MOST_WORDS = 20


class FzmError(Exception):
    """What the plugin says; `code` is its number (100-199 the request, 200-299 the data, 300-399 room, 400-499 the machine)."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


class Array(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("big_endian", ctypes.c_int32), ("item_bytes", ctypes.c_uint32), ("rank", ctypes.c_uint32),
                ("extents", ctypes.c_uint64 * 32)]


def _candidates():
    here = pathlib.Path(__file__).resolve()
    if "FZM_PLUGIN" in os.environ:
        yield pathlib.Path(os.environ["FZM_PLUGIN"])
    yield here.parent / "plugin" / NAME
    for folder in os.environ.get("HDF5_PLUGIN_PATH", "").split(os.pathsep):
        if folder:
            yield pathlib.Path(folder) / NAME
    if len(here.parents) > 3:
        yield here.parents[3] / "build" / "plugin" / NAME  # in the source tree
    for folder in ("/usr/local/lib/hdf5/plugin", "/usr/lib/hdf5/plugin", "/usr/local/hdf5/lib/plugin",
                   "/usr/lib/x86_64-linux-gnu/hdf5/plugins", "/usr/lib/x86_64-linux-gnu/hdf5/serial/plugins"):
        yield pathlib.Path(folder) / NAME


@functools.lru_cache(maxsize=None)
def plugin_file():
    """Where libh5zfzm.so is, as a string. Errors: FileNotFoundError with the places that were looked at."""
    tried = []
    for path in _candidates():
        if path.is_file():
            return str(path)
        tried.append(str(path))
    raise FileNotFoundError("libh5zfzm.so was not found; set FZM_PLUGIN to it. Looked at: " + ", ".join(tried))


@functools.lru_cache(maxsize=None)
def library():
    lib = ctypes.CDLL(plugin_file())
    size_p, array_p = ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(Array)
    words_p = ctypes.POINTER(ctypes.c_uint32)
    signatures = {
        "words": [ctypes.c_char_p, words_p, size_p],
        "sentence": [words_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t],
        "encode": [ctypes.c_char_p, array_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), size_p],
        "frame_array": [ctypes.c_void_p, ctypes.c_size_t, array_p],
        "decode": [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t],
        "free": [ctypes.c_void_p],
        "last_error": [],
    }
    for name, arguments in signatures.items():
        function = getattr(lib, "H5Z_FZM_" + name)
        function.argtypes = arguments
        function.restype = {"free": None, "last_error": ctypes.c_char_p}.get(name, ctypes.c_int)
    return lib


def call(name, *arguments):
    lib = library()
    code = getattr(lib, "H5Z_FZM_" + name)(*arguments)
    if code:
        raise FzmError(code, lib.H5Z_FZM_last_error().decode(errors="replace"))


def words_of(options):
    """cd_values for a line of options, as a tuple of int."""
    words, count = (ctypes.c_uint32 * MOST_WORDS)(), ctypes.c_size_t(MOST_WORDS)
    call("words", options.encode(), words, ctypes.byref(count))
    return tuple(words[:count.value])


def sentence_of(words):
    given = (ctypes.c_uint32 * max(len(words), 1))(*words)
    text = ctypes.create_string_buffer(1024)
    call("sentence", given, len(words), text, len(text))
    return text.value.decode()
