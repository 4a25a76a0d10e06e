"""Normalisation of position and size. Both are recorded in `sample.frame` and undone by `sample.frame.undo`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cloud_transformers.datasets.sample import AnySample
from cloud_transformers.transforms.affine import moved, reference_cloud


@dataclass(frozen=True)
class Center:
    """Bring the input's mean ("mean") or the middle of its bounding box ("box") to the origin.

    In a completion sample the partial cloud decides and the complete one follows. An empty cloud stays where it is.
    """

    by: Literal["mean", "box"] = "mean"  # what comes to the origin

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        positions = reference_cloud(sample).positions.astype(np.float64)
        if not len(positions):
            return sample
        middle = positions.mean(axis=0)
        if self.by == "box":
            middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
        return moved(sample, np.eye(3), -middle)


@dataclass(frozen=True)
class Scale:
    """Multiply all coordinates by one factor."""

    factor: float

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return sample if self.factor == 1 else moved(sample, np.eye(3) * self.factor, np.zeros(3))


@dataclass(frozen=True)
class UnitDiagonal:
    """The middle of the input's bounding box to `middle` on every axis, the diagonal of the box to 1.

    In a completion sample the partial cloud decides and the complete one follows. A cloud of one place keeps its size.
    """

    middle: float = 0.0

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        positions = reference_cloud(sample).positions.astype(np.float64)
        if not len(positions):
            return sample
        low, high = positions.min(axis=0), positions.max(axis=0)
        scale = 1 / (np.linalg.norm(high - low) or 1.0)
        return moved(sample, np.eye(3) * scale, self.middle - scale * (low + high) / 2)


@dataclass(frozen=True)
class UnitSphere:
    """Scale about the origin until the input's farthest point lies at distance 1. Put `Center` before it.

    A cloud whose points are all at the origin keeps its size.
    """

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        positions = reference_cloud(sample).positions.astype(np.float64)
        reach = np.sqrt(np.square(positions).sum(axis=1).max(initial=0.0))
        return sample if reach == 0 else moved(sample, np.eye(3) / reach, np.zeros(3))
