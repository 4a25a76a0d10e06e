"""Pictures from files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

Alpha = Literal["white", "dropped"]  # what becomes of transparent pixels


def read_image(path: Path, alpha: Alpha = "white") -> NDArray[np.uint8]:
    """A picture as RGB [height, width, 3].

    Transparent pixels come out white, the usual ground of renderings, or with `alpha="dropped"` in whichever colour is
    stored below their transparency.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise InputError("reading pictures needs Pillow: pip install 'cloud-transformers[data]'", path=path) from None
    if not path.is_file():
        raise InputError("no such file", path=path)
    try:
        with Image.open(path) as picture:
            if "A" not in picture.getbands() and "transparency" not in picture.info:
                return np.asarray(picture.convert("RGB"))
            layered = picture.convert("RGBA")
            if alpha == "white":
                layered = Image.alpha_composite(Image.new("RGBA", layered.size, (255, 255, 255, 255)), layered)
            return np.asarray(layered.convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"not a readable picture ({error}); fetch it again", path=path) from None
