"""Pictures in the frame that their weights know best: the object in the middle, of one size, on white.

Public renderings and product photographs show things on any plain ground, small in a corner or cut off at the edge.
Weights that saw things at many sizes and places take any frame, so nothing is lost where an object was framed wrongly.

Letters: h, w a picture's height and width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.space.pictures import PICTURE_SHARE, PICTURE_VIEW, covered_box

_DIFFERENT = 16  # a pixel's brightest channel from the ground's, at least
_LONGEST = 2048  # pixels of a side
_PLAIN = 0.8  # of the pixels along the edge, at least, that are not different from their median


@dataclass(frozen=True)
class Frame:
    """A square window of a picture, in its pixels: `middle` (column, row), `side`; and the picture's own frame, the
    square around it."""

    middle: tuple[float, float] = (0.0, 0.0)
    side: float = 1.0
    whole_middle: tuple[float, float] = (0.0, 0.0)
    whole_side: float = 1.0

    def undo(self, points: NDArray[np.float64], center: float) -> NDArray[np.float64]:  # [N, 3]
        """Points as the whole picture shows them, of points as the window does; `center` is their cube's middle."""
        right, down = (np.array(self.middle) - self.whole_middle) / self.whole_side
        return (points - center) * (self.side / self.whole_side) + center + PICTURE_VIEW * np.array([right, -down, 0.0])


def framed(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Frame, tuple[str, ...]]:  # [h, w, 3] or [h, w, 4]
    """The object on its `Frame`, on nothing ([side, side, 4]), and what to tell about it.

    It is told by transparency, or by a ground of one colour along the picture's edge; where neither is there, the
    picture stays as it is.
    """
    image = _smaller(image)
    notes: tuple[str, ...] = ()
    cover = image[..., 3] if image.shape[2] == 4 else np.full(image.shape[:2], 255, np.uint8)
    if cover.min() == 255:
        edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])[:, :3].astype(np.int16)
        ground = np.median(edge, axis=0)
        if (_distance(edge, ground) > _DIFFERENT).mean() > 1 - _PLAIN:
            return image, Frame(), ("its ground has several colours and stays; on a plain one answers are better",)
        if ground.min() < 255 - _DIFFERENT:
            notes = ("its ground, of one colour, was made white",)
        cover = np.where(_distance(image[..., :3].astype(np.int16), ground) > _DIFFERENT, 255, 0).astype(np.uint8)
    box = covered_box(cover)
    if box is None:
        return image, Frame(), ("shows nothing but its ground",)
    left, top, right, bottom = box
    side = int(np.ceil(max(bottom - top, right - left) / PICTURE_SHARE))
    first = (left + right - side) // 2, (top + bottom - side) // 2
    height, width = cover.shape
    frame = Frame(
        middle=(first[0] + side / 2, first[1] + side / 2),
        side=side,
        whole_middle=(width / 2, height / 2),
        whole_side=max(height, width),
    )
    return _window(np.dstack([image[..., :3], cover]), first, side), frame, notes


def _smaller(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """By a whole factor, if it has more pixels than any weights look at."""
    factor = -(-max(image.shape[:2]) // _LONGEST)
    if factor == 1:
        return image
    from PIL import Image

    return np.asarray(Image.fromarray(image).reduce(factor))


def _distance(colors: NDArray[Any], ground: NDArray[Any]) -> NDArray[Any]:
    return np.abs(colors - ground).max(axis=-1)


def _window(image: NDArray[np.uint8], first: tuple[int, int], side: int) -> NDArray[np.uint8]:
    """`side` pixels each way from the `first` (column, row), transparent beside the picture."""
    canvas = np.zeros((side, side, 4), np.uint8)
    inside = []
    for start, size in zip(reversed(first), image.shape[:2], strict=True):
        low, high = max(start, 0), min(start + side, size)
        inside.append((slice(low, high), slice(low - start, high - start)))
    (rows, to_rows), (columns, to_columns) = inside
    canvas[to_rows, to_columns] = image[rows, columns]
    return canvas
