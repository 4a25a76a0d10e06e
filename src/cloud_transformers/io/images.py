"""Pictures from files."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND, most_bytes

Alpha = Literal["white", "dropped", "kept"]  # what becomes of transparent pixels

_PICTURES = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP")  # Pillow knows others, which run programs or are rare
# What Pillow raises for damaged pictures, depending on where the damage is.
_DAMAGE = (OSError, SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, struct.error)
_LONGEST_SIDE = 10_000  # pixels; pictures are made square, so it bounds their number, too
_BYTES_PER_PIXEL = {"WEBP": 16}  # decoded, turned upright, and as an array
_USUAL_BYTES_PER_PIXEL = 12
_STRIP = 64  # rows
_HEIC = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")


def read_image(path: Path, alpha: Alpha = "white") -> NDArray[np.uint8]:
    """A picture as RGB [height, width, 3], turned as its camera was held; of a moving picture, the first.

    Transparent pixels come out white, the usual ground of renderings, with `alpha="dropped"` in whichever colour is
    stored below their transparency, and with "kept" as RGBA [height, width, 4], if the picture has any. Grey of 16 bits
    is scaled to 8; inks (CMYK) are converted without a colour profile.
    """
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise InputError("reading pictures needs Pillow: pip install 'cloud-transformers[data]'", path=path) from None
    if not path.is_file():
        raise InputError("no such file", path=path)
    with path.open("rb") as file:
        if file.read(12)[4:] in _HEIC:
            raise InputError("is a HEIC picture, which cannot be read here; save it as JPEG or PNG", path=path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the bound below is stricter
            picture = Image.open(path, formats=_PICTURES)
        with picture:
            _check_size(picture, path)
            return _as_rgb(_eight_bits(ImageOps.exif_transpose(picture), path), alpha)
    except InputError:
        raise
    except (*_DAMAGE, Image.DecompressionBombError) as error:
        raise InputError(f"not a readable picture ({error}); fetch it again", path=path) from None


def _check_size(picture: Any, path: Path) -> None:
    """What the pixels will take is compared with what any file may take, before they are decoded."""
    width, height = picture.size
    if max(width, height) > _LONGEST_SIDE:
        raise InputError(
            f"has {width:,} x {height:,} pixels, a side of at most {_LONGEST_SIDE:,} can be read", path=path
        )
    per_pixel = _BYTES_PER_PIXEL.get(picture.format, _USUAL_BYTES_PER_PIXEL)
    if width * height * per_pixel > most_bytes(path, MAX_EXPAND):
        raise InputError(
            f"has {width:,} x {height:,} pixels, too many for a file of its size; save it with fewer", path=path
        )


def _as_rgb(picture: Any, alpha: Alpha) -> NDArray[np.uint8]:
    """In strips: each way to another kind of pixel makes a picture of its own."""
    from PIL import Image

    is_layered = "A" in picture.getbands() or "transparency" in picture.info
    mode = "RGBA" if is_layered and alpha == "kept" else "RGB"
    made = np.empty((picture.height, picture.width, len(mode)), np.uint8)
    for top in range(0, picture.height, _STRIP):
        strip = picture.crop((0, top, picture.width, min(top + _STRIP, picture.height)))
        if is_layered:
            strip = strip.convert("RGBA")
            if alpha == "white":
                strip = Image.alpha_composite(Image.new("RGBA", strip.size, (255, 255, 255, 255)), strip)
        made[top : top + _STRIP] = np.asarray(strip.convert(mode))
    return made


def _eight_bits(picture: Any, path: Path) -> Any:
    """Grey of 16 bits, of 32 or of floats, which Pillow would cut off at 255, as grey of 8 bits."""
    from PIL import Image

    if not picture.mode.startswith(("I", "F")):
        return picture
    values = np.asarray(picture)
    full = 1.0 if picture.mode == "F" else 65535.0
    if values.size and not (values.min() >= 0 and values.max() <= full):
        raise InputError(f"its grey runs from {values.min():g} to {values.max():g}, not 0 to {full:g}", path=path)
    grey = np.empty(values.shape, np.uint8)
    for top in range(0, len(values), _STRIP):
        grey[top : top + _STRIP] = np.rint(values[top : top + _STRIP] * (255 / full))
    return Image.fromarray(grey)
