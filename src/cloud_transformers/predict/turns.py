"""Looking at the same thing several times, turned about the up axis in between, and averaging the answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.space.frames import rotation_about


def turns_about(up: str, count: int) -> list[NDArray[np.float32]]:
    """The matrices [3, 3] of `count` equal steps of one full turn about the axis `up`; the first turns nothing.

    InputError for fewer than one.
    """
    if count < 1:
        raise InputError(f"turns must be at least 1, got {count}")
    angles = 2 * np.pi * np.arange(count) / count
    return [rotation_about(up.lstrip("-"), angle).astype(np.float32) for angle in angles.tolist()]
