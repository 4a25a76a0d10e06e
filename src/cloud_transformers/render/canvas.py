"""A sheet of paper for figures: pictures, lines and words at places in pixels, and the PNG file it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.render import Picture

Color = tuple[int, int, int]
INK: Color = (40, 44, 52)
FAINT: Color = (128, 134, 142)
RULE: Color = (214, 217, 221)


class Canvas:
    """White, `width` x `height` pixels, with the origin at the top left: x to the right, y down.

    A `color` is red, green and blue from 0 to 255. InputError if Pillow is not installed.
    """

    def __init__(self, width: int, height: int) -> None:
        try:
            from PIL import Image, ImageDraw
        except ImportError:
            raise InputError("figures need Pillow: pip install 'cloud-transformers[data]'") from None
        self._image = Image.new("RGB", (width, height), (255, 255, 255))
        self._draw = ImageDraw.Draw(self._image)

    def text(self, x: float, y: float, words: str, *, size: int = 13, color: Color = INK, anchor: str = "la") -> None:
        """Some `words` at a place, of a size in pixels.

        `anchor` is Pillow's: horizontally l, m or r, then vertically a (top), m or s (base).
        """
        from PIL import ImageFont

        self._draw.text((x, y), words, fill=color, font=ImageFont.load_default(size), anchor=anchor)

    def line(self, points: Sequence[tuple[float, float]], *, color: Color = INK, width: int = 1) -> None:
        """Through all `points`."""
        self._draw.line(list(points), fill=color, width=width, joint="curve")

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        *,
        fill: Color | None = None,
        edge: Color | None = None,
    ) -> None:
        """A rectangle from left to right and from top to bottom, with a `fill` and an `edge`; None: without."""
        self._draw.rectangle((left, top, right, bottom), fill=fill, outline=edge)

    def dot(self, x: float, y: float, radius: float, color: Color) -> None:
        """A disc of a radius around a place."""
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)

    def paste(self, picture: Picture, x: int, y: int) -> None:
        """A picture [H, W, 3] with its top left corner at a place."""
        from PIL import Image

        self._image.paste(Image.fromarray(picture), (x, y))

    @property
    def pixels(self) -> Picture:
        """All of it, [height, width, 3]."""
        return np.asarray(self._image)

    def png(self) -> bytes:
        """The content of its file."""
        stream = BytesIO()
        self._image.save(stream, "PNG", optimize=True)
        return stream.getvalue()

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        with whole_file(path) as temporary:
            temporary.write_bytes(self.png())
