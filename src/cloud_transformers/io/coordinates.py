"""Splits coordinates of any size into float32 positions and a float64 offset.

The rule. Coordinates that come as float32 keep offset zero and every bit. Wider ones do too while the largest of
them is below 1024, where float32 errs by at most 3.1e-5. From there on the offset is the centre of the bounding box,
rounded to whole units, and positions are what remains: they err by at most 2^-24 of half the longest side, which is
below 1e-3 for clouds up to 65 km wide (and below 2.5e-4 up to 16 km).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

LARGEST_WITHOUT_OFFSET = 1024.0
_LARGEST = float(np.finfo(np.float32).max)


def choose_offset(world: NDArray[Any]) -> NDArray[np.float64]:
    """The offset for finite coordinates [N, 3], by the rule above."""
    if world.dtype == np.float32 or not len(world):
        return np.zeros(3)
    if max(-world.min(), world.max()) < LARGEST_WITHOUT_OFFSET:
        return np.zeros(3)
    low, high = world.min(axis=0).astype(np.float64), world.max(axis=0).astype(np.float64)
    return np.rint(low / 2 + high / 2) + 0.0  # + 0.0 turns -0.0 into 0.0


def split(world: NDArray[Any], offset: NDArray[np.float64], source: object) -> NDArray[np.float32]:
    """The positions [N, 3] that belong to an offset; refuses what float32 cannot hold at all."""
    if world.dtype == np.float32 and not offset.any():
        return world
    if not offset.any() and (not len(world) or max(-world.min(), world.max()) <= _LARGEST):
        return world.astype(np.float32)
    positions = np.empty(world.shape, np.float32)
    for axis in range(3):  # one axis at a time: a third of the scratch memory
        local = world[:, axis] - offset[axis]
        if len(local) and np.abs(local).max() > _LARGEST:
            row = int(np.abs(local).argmax())
            raise InputError(
                f"point {row} lies at {world[row].tolist()}, beyond the range of float32; "
                "look for a damaged file or a wrong column",
                path=source,
                place=f"point {row}",
            )
        positions[:, axis] = local
    return positions


def finite_rows(world: NDArray[Any]) -> NDArray[np.bool_] | None:
    """The mask of points with three finite coordinates, or None when that is all of them."""
    # The sum is finite unless some coordinate is not (or overflows): one pass without a temporary in the usual case.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(world.sum(dtype=np.float64)):
            return None
    finite = np.isfinite(world).all(axis=1)
    return None if finite.all() else finite
