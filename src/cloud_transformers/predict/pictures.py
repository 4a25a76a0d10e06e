"""Pictures that users hand over: files or arrays, of any shape, on white and square."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import ReconstructionSample
from cloud_transformers.errors import InputError
from cloud_transformers.io.images import Alpha, read_image
from cloud_transformers.remote import at_hand, located
from cloud_transformers.space.pictures import composed
from cloud_transformers.transforms import ResizeImage

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")


def take_picture(
    picture: str | PathLike[str] | NDArray[Any], name: str, alpha: Alpha = "white"
) -> NDArray[np.uint8]:  # [h, w, 3]
    """Grey pictures get three equal channels; transparent pixels come out white, or without their transparency, or
    with it: [h, w, 4]."""
    if isinstance(picture, (str, PathLike)):
        with at_hand(located(picture)) as near:
            image = read_image(near, alpha)
    else:
        image = _from_array(np.asarray(picture), name, alpha)
    if not image.size:
        raise InputError(f"{name}: is a picture without pixels")
    return image


def _from_array(values: NDArray[Any], name: str, alpha: Alpha) -> NDArray[np.uint8]:
    if values.ndim == 2:
        values = values[..., None]
    if values.ndim != 3 or values.shape[2] not in (1, 3, 4):
        raise InputError(f"{name}: must be an array [h, w], [h, w, 3] or [h, w, 4], not {list(values.shape)}")
    if values.dtype.kind == "f":
        if values.size and not (values.min() >= 0 and values.max() <= 1):  # NaN fails both comparisons
            raise InputError(f"{name}: a picture of floats must lie in [0, 1]")
        values = np.rint(values * 255).astype(np.uint8)
    if values.dtype != np.uint8:
        raise InputError(f"{name}: a picture must be uint8, or floats in [0, 1], not {values.dtype}")
    if values.shape[2] == 1:
        values = np.repeat(values, 3, axis=2)
    if values.shape[2] == 4 and alpha == "dropped":
        return values[..., :3]
    return on_white(values) if alpha == "white" else values


def on_white(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture [h, w, 3] or [h, w, 4] without transparency."""
    return image if image.shape[2] == 3 else composed(image, np.full(3, 255, np.uint8))


def square(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """The picture in the middle of a white square, and the note that is due if it was none."""
    height, width = image.shape[:2]
    if height == width:
        return image, ()
    side = max(height, width)
    canvas = np.full((side, side, 3), 255, np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    canvas[top : top + height, left : left + width] = image
    return canvas, (f"{width} x {height} pixels are not square: white was added around them",)


def resized(image: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Scaled as pictures are in training."""
    empty = PointCloud(positions=np.zeros((0, 3), np.float32))
    sample = ReconstructionSample(name="picture", image=image, cloud=empty, category="", id="", view=0)
    return ResizeImage(side)(sample, np.random.default_rng(0)).image
