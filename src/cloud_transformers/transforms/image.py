"""Pictures of reconstruction samples.

Letters: h, w a picture's height and width.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.datasets.sample import AnySample, ReconstructionSample
from cloud_transformers.errors import InputError
from cloud_transformers.space.pictures import PICTURE_SHARE, PICTURE_VIEW, composed, covered_box
from cloud_transformers.transforms.affine import moved


@dataclass(frozen=True)
class ResizeImage:
    """Scale the picture to `size` x `size` pixels, averaging where it shrinks. Clouds are not touched."""

    size: int = 128

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        image = _pictured(sample, "resize").image
        if image.shape[:2] == (self.size, self.size):
            return sample
        Image = _imaging("resizing pictures")
        picture = Image.fromarray(image).resize((self.size, self.size), Image.Resampling.BILINEAR)
        changed: dict[str, Any] = {"image": np.asarray(picture)}
        return replace(sample, **changed)


@dataclass(frozen=True)
class MirrorImage:
    """With probability `p`, swap left and right, in the picture and in the cloud, whose middle is at x = `middle`."""

    p: float = 0.5
    middle: float = 0.5

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        if rng.random() >= self.p:
            return sample
        image = _pictured(sample, "mirror").image
        flipped = moved(sample, np.diag([-1.0, 1, 1]), np.array([2 * self.middle, 0, 0]))
        changed: dict[str, Any] = {"image": np.ascontiguousarray(image[:, ::-1])}
        return replace(flipped, **changed)


@dataclass(frozen=True)
class ImageExposure:
    """Raise the picture's colours to a random power: darker or lighter, with a tint, black and white as they were.

    The logarithm of the power is uniform within +-`limit`, and of each channel's within +-`tint` of that.
    """

    limit: float = 0.5
    tint: float = 0.15

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        image = _pictured(sample, "expose").image
        power = np.exp(rng.uniform(-self.limit, self.limit) + rng.uniform(-self.tint, self.tint, 3))
        table = np.rint(255 * (np.arange(256)[:, None] / 255) ** power).astype(np.uint8)  # [256, 3]
        changed: dict[str, Any] = {"image": np.stack([table[image[..., k], k] for k in range(3)], axis=-1)}
        return replace(sample, **changed)


@dataclass(frozen=True)
class ImageZoom:
    """Show the picture larger or smaller, at a random place, and the cloud as large and where it is then seen.

    The scale is between `low` and `high`; a picture that shrinks stays whole, one that grows loses its margins alike on
    all sides. What is new around it is transparent, or white where the picture has no transparency. Of pictures with
    transparency the share `framed` shows its object in the middle instead, as large as predictors show it to models.
    """

    low: float = 0.6
    high: float = 1.1
    framed: float = 0.0

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        image = _pictured(sample, "zoom").image
        side = len(image)
        if image.shape[1] != side:
            raise ValueError(
                f"a picture to zoom must be square, this one is {image.shape[1]} x {side}; resize it first"
            )
        is_framed = self.framed > 0 and rng.random() < self.framed and image.shape[2] == 4
        box = covered_box(image[..., 3]) if is_framed else None
        if box is not None:
            wide, left, top = _framing(side, box)
        else:
            wide = max(1, round(side * np.exp(rng.uniform(np.log(self.low), np.log(self.high)))))
            free = side - wide
            left, top = rng.integers(free + 1, size=2).tolist() if free >= 0 else (free // 2, free // 2)
        Image = _imaging("zooming")
        picture = Image.fromarray(image)
        canvas = Image.new(picture.mode, picture.size, (255,) * 3 + (0,) * (image.shape[2] - 3))
        canvas.paste(picture.resize((wide, wide), Image.Resampling.BILINEAR), (left, top))
        # Where the picture's middle went, in the cloud's unit: the view is so wide where the object stands.
        right, down = ((place + wide / 2) / side - 0.5 for place in (left, top))
        middle = np.full(3, 0.5)
        offset = middle - wide / side * middle + PICTURE_VIEW * np.array([right, -down, 0.0])
        changed: dict[str, Any] = {"image": np.asarray(canvas)}
        return replace(moved(sample, np.eye(3) * (wide / side), offset), **changed)


def _framing(side: int, box: tuple[int, int, int, int]) -> tuple[int, int, int]:
    """How wide a picture of this side with an object in the `box` becomes, and where its left upper corner goes."""
    left, top, right, bottom = box
    scale = PICTURE_SHARE * side / max(right - left, bottom - top)
    return round(side * scale), round((side - scale * (left + right)) / 2), round((side - scale * (top + bottom)) / 2)


@dataclass(frozen=True)
class ImageBackdrop:
    """Put a ground behind what is transparent: white, or in `share` of the pictures one of any colours.

    Such a ground is plain, runs from one colour to another, has a horizon, or blotches; half of them carry a soft
    shadow of the object. Pictures without transparency stay as they are.
    """

    share: float = 0.5

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        image = _pictured(sample, "put a ground behind").image
        if image.shape[2] == 3:
            return sample
        ground = np.full(3, 255, np.uint8)
        if rng.random() < self.share:
            ground = _ground(image[..., 3], rng)
        changed: dict[str, Any] = {"image": composed(image, ground)}
        return replace(sample, **changed)


def _ground(cover: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:  # [h, w] -> [h, w, 3]
    """Behind an object that covers so much of each pixel."""
    Image = _imaging("grounds behind pictures")
    height, width = cover.shape
    grey = rng.uniform(0, 255, (2, 1)) if rng.random() < 0.7 else rng.uniform(150, 255, (2, 1))
    first, second = np.clip(grey + rng.normal(0, rng.choice([3, 30]), (2, 3)), 0, 255)
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j]
    kind = rng.integers(4)
    if kind == 0:
        amount = np.zeros_like(x)
    elif kind == 1:
        angle = rng.uniform(0, 2 * np.pi)
        amount = 0.5 + x * np.cos(angle) + y * np.sin(angle)
    elif kind == 2:  # a floor and a wall
        amount = 0.5 + (y - rng.uniform(-0.3, 0.3)) / rng.uniform(0.01, 0.3)
    else:
        coarse = rng.uniform(0, 255, rng.integers(2, 9, 2)).astype(np.uint8)
        amount = np.asarray(Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)) / 255
    ground = first + (second - first) * np.clip(amount, 0, 1)[..., None]
    if rng.random() < 0.5:
        shift = rng.integers(-width // 10, width // 10 + 1), rng.integers(0, height // 10 + 1)
        shadow = Image.new("L", (width, height))
        shadow.paste(Image.fromarray(cover), tuple(map(int, shift)))
        coarse = shadow.resize((max(2, width // rng.integers(4, 17)),) * 2, Image.Resampling.BOX)
        soft = np.asarray(coarse.resize((width, height), Image.Resampling.BICUBIC)) / 255
        ground = ground * (1 - rng.uniform(0.1, 0.6) * soft)[..., None]
    ground = ground + rng.normal(0, rng.uniform(0, 8), ground.shape)
    return np.asarray(np.clip(ground, 0, 255).astype(np.uint8))


def _imaging(what: str) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise InputError(f"{what} needs Pillow: pip install 'cloud-transformers[data]'") from None
    return Image


def _pictured(sample: AnySample, verb: str) -> ReconstructionSample:
    if not isinstance(sample, ReconstructionSample):
        raise ValueError(f"a {type(sample).__name__} has no picture to {verb}; leave that out")
    return sample
