"""What a transform is, and several of them in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cloud_transformers.datasets.sample import AnySample


class Transform(Protocol):
    """A sample and a generator in, a changed copy out. All randomness comes from the generator.

    Any function that does so is a transform; a frozen dataclass prints itself as well.

    >>> def lifted(sample, rng):
    ...     return ct.transforms.moved(sample, np.eye(3), [0, 0, rng.uniform(1, 2)])
    >>> data = ct.world.sources.modelnet40("test", size=1, transform=lifted)
    >>> bool(data[0].cloud.positions[:, 2].mean() > 0.5)
    True
    """

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        """The changed copy."""


@dataclass(frozen=True)
class Compose:
    """The steps one after the other, all drawing from the same generator.

    >>> steps = ct.transforms.Compose((ct.transforms.Center(), ct.transforms.RotateAbout("z")))
    >>> sample = ct.world.sources.modelnet40("test", size=1)[0]
    >>> steps(sample, np.random.default_rng(0)).cloud
    PointCloud(2,048 points; no fields)
    """

    steps: tuple[Transform, ...]

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        for step in self.steps:
            sample = step(sample, rng)
        return sample
