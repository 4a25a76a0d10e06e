"""How many points a cloud has: a fixed count, or one per grid cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import AnySample, map_clouds
from cloud_transformers.errors import InputError
from cloud_transformers.space.subsample import CATEGORICAL, grid_subsample


@dataclass(frozen=True)
class FixedCount:
    """Draw `count` points, in random order and without repetition where there are enough.

    A cloud with fewer keeps all of them and either repeats some ("repeat") or stays shorter ("keep"), which a padded
    batch with its mask can take. By default for the input clouds; `on` names others.
    """

    count: int
    short: Literal["repeat", "keep"] = "repeat"  # what becomes of a cloud with fewer points
    on: tuple[str, ...] | None = None

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        def draw(cloud: PointCloud) -> PointCloud:
            num = len(cloud)
            if num == 0 and self.short == "repeat":
                raise InputError(f"{sample.name}: cannot draw {self.count} points from an empty cloud")
            rows = rng.permutation(num)[: self.count]
            if num < self.count and self.short == "repeat":
                rows = np.concatenate([rows, rng.integers(0, num, self.count - num)])
            return cloud.select(rows)

        return map_clouds(sample, draw, sample.INPUTS if self.on is None else self.on)


@dataclass(frozen=True)
class PointDropout:
    """Drop each point with one probability per cloud, uniform between 0 and `limit`.

    In the place of a dropped point comes a copy of the first one, as PointNet++ has it: clouds keep their length.
    """

    limit: float = 0.875

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        def drop(cloud: PointCloud) -> PointCloud:
            is_dropped = rng.random(len(cloud)) < rng.random() * self.limit
            return cloud.select(np.where(is_dropped, 0, np.arange(len(cloud))))

        return map_clouds(sample, drop, sample.INPUTS)


@dataclass(frozen=True)
class GridSubsample:
    """One point per occupied cube of side `cell`: mean positions and amounts, the most frequent categorical value.

    By default for the input clouds; `on` names others.
    """

    cell: float
    categorical: tuple[str, ...] = CATEGORICAL
    on: tuple[str, ...] | None = None

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        def thin(cloud: PointCloud) -> PointCloud:
            return grid_subsample(cloud, self.cell, categorical=self.categorical)[0]

        return map_clouds(sample, thin, sample.INPUTS if self.on is None else self.on)
