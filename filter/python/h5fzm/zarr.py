"""The codec `fzm` of numcodecs, for Zarr: numcodecs.get_codec({'id': 'fzm', 'options': 'preset=fsz, abs=1e-3'})."""
import numcodecs.abc
import numpy as np

from ._codec import decode, encode
from ._options import options_line


class FzmCodec(numcodecs.abc.Codec):
    """Of Fzm's keywords, or of a whole line of options, as it is stored in the array's metadata."""

    codec_id = "fzm"

    def __init__(self, preset=None, options=None, **settings):
        self.options = options_line(preset, options=options, **settings)

    def encode(self, buf):
        return encode(np.asarray(buf), self.options)

    def decode(self, buf, out=None):
        made = decode(buf)
        if out is None:
            return made
        target = np.frombuffer(out, dtype=np.uint8)
        target[:] = made.reshape(-1).view(np.uint8)
        return out

    def get_config(self):
        return {"id": self.codec_id, "options": self.options}


numcodecs.register_codec(FzmCodec)
