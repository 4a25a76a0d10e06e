"""Random changes of pose, size and place. They move all clouds of a sample alike; jitter is for the input alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import AnySample, ReconstructionSample, map_clouds
from cloud_transformers.space.frames import Axis, rotation_about, up_rotation
from cloud_transformers.transforms.affine import moved


def _turned(sample: AnySample, matrix: NDArray[np.float64]) -> AnySample:
    if isinstance(sample, ReconstructionSample):
        raise ValueError(
            f"{sample.name}: the cloud of a reconstruction sample cannot be turned, stretched or mirrored, because "
            "its picture would no longer show it; leave this transform out"
        )
    return moved(sample, matrix, np.zeros(3))


@dataclass(frozen=True)
class Upright:
    """A quarter turn from the axis that points up in the files, `up`, to the one that the model expects, `to`."""

    up: Axis
    to: Axis

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return sample if self.up == self.to else _turned(sample, up_rotation(self.up, self.to))


@dataclass(frozen=True)
class RotateAbout:
    """Turn about one axis through the origin by an angle uniform within +-`degrees`.

    A share of the samples, `quarter`, is turned by a multiple of 90 degrees instead, each equally likely.
    """

    axis: Axis
    degrees: float = 180.0
    quarter: float = 0.0

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        degrees = rng.uniform(-self.degrees, self.degrees)
        if self.quarter and rng.random() < self.quarter:
            degrees = 90.0 * rng.integers(4)
        return _turned(sample, rotation_about(self.axis, np.deg2rad(degrees)))


@dataclass(frozen=True)
class AnisotropicScale:
    """Stretch each axis by its own factor, uniform between `low` and `high`."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _check_factors(self.low, self.high)

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return _turned(sample, np.diag(rng.uniform(self.low, self.high, 3)))


@dataclass(frozen=True)
class IsotropicScale:
    """Change the size by one factor, uniform between `low` and `high`."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _check_factors(self.low, self.high)

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return moved(sample, np.eye(3) * rng.uniform(self.low, self.high), np.zeros(3))


def _check_factors(low: float, high: float) -> None:
    if not 0 < low <= high:
        raise ValueError(f"scale factors must satisfy 0 < low <= high, got {low} and {high}")


@dataclass(frozen=True)
class Mirror:
    """Flip one axis with probability `p`."""

    axis: Axis = "x"
    p: float = 0.5

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        if rng.random() >= self.p:
            return sample
        signs = np.ones(3)
        signs["xyz".index(self.axis)] = -1
        return _turned(sample, np.diag(signs))


@dataclass(frozen=True)
class Shift:
    """Move along each axis by a distance uniform within +-`limit`."""

    limit: float = 0.1

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return moved(sample, np.eye(3), rng.uniform(-self.limit, self.limit, 3))


@dataclass(frozen=True)
class Jitter:
    """Gaussian noise on every coordinate, clipped at +-`clip`. By default on the input clouds; `on` names others."""

    sigma: float = 0.01  # standard deviation, in units of the positions
    clip: float = 0.05
    on: tuple[str, ...] | None = None

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        def disturb(cloud: PointCloud) -> PointCloud:
            noise = np.clip(rng.normal(0, self.sigma, cloud.positions.shape), -self.clip, self.clip)
            return replace(cloud, positions=(cloud.positions + noise).astype(np.float32))

        return map_clouds(sample, disturb, sample.INPUTS if self.on is None else self.on)
