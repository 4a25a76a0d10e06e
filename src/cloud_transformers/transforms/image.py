"""Pictures of reconstruction samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cloud_transformers.datasets.sample import AnySample, ReconstructionSample
from cloud_transformers.errors import InputError


@dataclass(frozen=True)
class ResizeImage:
    """Scale the picture to `size` x `size` pixels, averaging where it shrinks. Clouds are not touched."""

    size: int = 128

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        if not isinstance(sample, ReconstructionSample):
            raise ValueError(f"a {type(sample).__name__} has no picture to resize; leave ResizeImage out")
        if sample.image.shape[:2] == (self.size, self.size):
            return sample
        try:
            from PIL import Image
        except ImportError:
            raise InputError("resizing pictures needs Pillow: pip install 'cloud-transformers[data]'") from None
        picture = Image.fromarray(sample.image).resize((self.size, self.size), Image.Resampling.BILINEAR)
        changed: dict[str, Any] = {"image": np.asarray(picture)}
        return replace(sample, **changed)
