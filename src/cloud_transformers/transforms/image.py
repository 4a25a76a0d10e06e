"""Pictures of reconstruction samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cloud_transformers.datasets.sample import AnySample, ReconstructionSample
from cloud_transformers.errors import InputError
from cloud_transformers.transforms.affine import moved


@dataclass(frozen=True)
class ResizeImage:
    """Scale the picture to `size` x `size` pixels, averaging where it shrinks. Clouds are not touched."""

    size: int = 128

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        image = _pictured(sample, "resize").image
        if image.shape[:2] == (self.size, self.size):
            return sample
        try:
            from PIL import Image
        except ImportError:
            raise InputError("resizing pictures needs Pillow: pip install 'cloud-transformers[data]'") from None
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
        changed: dict[str, Any] = {"image": np.ascontiguousarray(_pictured(sample, "mirror").image[:, ::-1])}
        flipped = moved(sample, np.diag([-1.0, 1, 1]), np.array([2 * self.middle, 0, 0]))
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


def _pictured(sample: AnySample, verb: str) -> ReconstructionSample:
    if not isinstance(sample, ReconstructionSample):
        raise ValueError(f"a {type(sample).__name__} has no picture to {verb}; leave that out")
    return sample
