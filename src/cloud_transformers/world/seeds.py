"""Random draws of the world: one generator per thing, keyed by what it is, its seed and its index.

No global state and no generator shared between samples, so sample i is the same in any order, in any process.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

# Each split draws from its own far-off range of indices, so train, val and test never share an object and a larger
# training set leaves the test set as it was. Multiples of 120 keep `index % classes` aligned for 8, 15 and 40 classes.
SPLIT_START = {"train": 0, "val": 120 * 10**9, "test": 240 * 10**9}


def generator(kind: str, seed: int, index: int, *more: int) -> np.random.Generator:
    """The generator of one thing. Any integers serve as seed and index, negative ones included."""
    words = [zlib.crc32(kind.encode())]
    for number in (seed, index, *more):
        words.append(2 * int(number) if number >= 0 else -2 * int(number) - 1)
    return np.random.default_rng(words)


def pick(rng: np.random.Generator, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """One of the options, equally likely or by weight."""
    if weights is None:
        return options[int(rng.integers(len(options)))]
    cumulative = np.cumsum(weights)
    return options[int(np.searchsorted(cumulative, rng.uniform(0, cumulative[-1]), side="right"))]


def chance(rng: np.random.Generator, probability: float) -> bool:
    return bool(rng.uniform() < probability)
