"""What a transform is, and several of them in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cloud_transformers.datasets.sample import AnySample


class Transform(Protocol):
    """A sample and a generator in, a changed copy out. All randomness comes from the generator."""

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample: ...


@dataclass(frozen=True)
class Compose:
    """The steps one after the other, all drawing from the same generator."""

    steps: tuple[Transform, ...]

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        for step in self.steps:
            sample = step(sample, rng)
        return sample
