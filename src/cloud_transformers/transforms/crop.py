"""Crops around a random point, for scenes larger than a network's input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import AnySample, map_clouds
from cloud_transformers.errors import InputError
from cloud_transformers.space.blocks import MIN_POINTS, block_frame
from cloud_transformers.space.floors import Estimate, floor_under
from cloud_transformers.space.frames import Axis
from cloud_transformers.space.spheres import in_sphere
from cloud_transformers.transforms.affine import moved, reference_cloud


@dataclass(frozen=True)
class BlockCrop:
    """A column of side `size` in x and y, from floor to ceiling, as in the S3DIS block protocol.

    It is centred on a random point; one with fewer than `min_points` is drawn again, ten times at most, after which
    the fullest is taken. The block's smallest x and y come to -size / 2, the floor to 0: that of the sample where it is
    known, else what the `floor` estimate finds. If another axis points `up`, columns run along that one, and the block
    is turned until z does.
    """

    size: float = 1.0
    min_points: int = MIN_POINTS
    up: Axis = "z"
    floor: Estimate = "lowest"

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        cloud = _crowd(sample)
        ground = [axis for axis in range(3) if axis != "xyz".index(self.up)]
        best = np.zeros(0, np.int64)
        for _ in range(10):
            center = cloud.positions[rng.integers(len(cloud))]
            inside = [np.abs(cloud.positions[:, axis] - center[axis]) <= self.size / 2 for axis in ground]
            rows = np.flatnonzero(inside[0] & inside[1])
            if len(rows) > len(best):
                best = rows
            if len(best) >= self.min_points:
                break
        floor = getattr(sample, "floor", None)
        if floor is None:
            floor = floor_under(cloud.positions, "xyz".index(self.up), self.size, self.floor)
        frame = block_frame(cloud.positions[best], self.size, self.up, floor)
        return moved(map_clouds(sample, lambda whole: whole.select(best)), frame.matrix, frame.shift)


@dataclass(frozen=True)
class SphereCrop:
    """The at most `max_points` nearest points within `radius` of a random centre, which becomes the origin.

    The centre is a random point plus noise of standard deviation `radius * noise`; nearest points come first. A noisy
    centre that has nothing within reach is replaced by its point.
    """

    radius: float = 2.0
    max_points: int = 8192
    noise: float = 0.1

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        cloud = _crowd(sample)
        point = cloud.positions[rng.integers(len(cloud))]
        center = point + rng.normal(0, self.radius * self.noise, 3)
        _, rows = in_sphere(cloud.positions, center, self.radius, self.max_points)
        if not len(rows):
            center = point
            _, rows = in_sphere(cloud.positions, center, self.radius, self.max_points)
        return moved(map_clouds(sample, lambda whole: whole.select(rows)), np.eye(3), -center)


@dataclass(frozen=True)
class KeepHeight:
    """Store z as the field `height` [N] before a crop or augmentation changes it: the sphere protocol's 7th channel."""

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return map_clouds(sample, lambda cloud: cloud.with_fields(height=cloud.positions[:, 2].copy()))


def _crowd(sample: AnySample) -> PointCloud:
    """The one cloud of the sample, with at least one point."""
    if len(sample.CLOUDS) > 1:
        raise ValueError(f"a crop needs a sample with one cloud, got a {type(sample).__name__}")
    cloud = reference_cloud(sample)
    if not len(cloud):
        raise InputError(f"{sample.name}: cannot crop an empty cloud")
    return cloud
