"""Splits coordinates of any size into float32 positions, a float64 offset and, if need be, a float32 residual.

Coordinates that come as float32 keep offset zero and every bit. Doubles keep offset zero while the largest of them is
below 1024 and the cloud is not small against its distance from the origin (or float32 is exact all the same): there
float32 errs by at most 3.1e-5. Otherwise, in UTM or in degrees, the offset is the centre of the bounding box, rounded
to whole units or, for clouds of less than a thirtieth of one, to as many decimals as they need.

Positions then err by at most 2^-24 of half the longest side. Where that is more than a file's own step allows, what
they leave out is kept as a residual: no point moves by more than half a step.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

LARGEST_WITHOUT_OFFSET = 1024.0
_FAR = 32  # times half the longest side: nearer than that, an offset would gain less than five bits
_DECIMALS = 6  # of an offset, at most
_LARGEST = float(np.finfo(np.float32).max)

Tolerance = float | NDArray[np.float64]  # for all axes, or [3]


def choose_offset(world: NDArray[Any], tolerance: Tolerance = 0.0) -> NDArray[np.float64]:
    """The offset for finite coordinates [N, 3], by the rule above; errors up to the tolerance do not matter."""
    if world.dtype == np.float32 or not len(world):
        return np.zeros(3)
    low, high = world.min(axis=0).astype(np.float64), world.max(axis=0).astype(np.float64)
    reach, half = float(max(-low.min(), high.max())), float((high / 2 - low / 2).max())
    if reach < LARGEST_WITHOUT_OFFSET:
        precise = reach <= _FAR * half or reach * 2.0**-24 <= np.min(tolerance)
        if precise or np.array_equal(world.astype(np.float32), world):
            return np.zeros(3)
    # To whole units, unless what rounding leaves would again be far against the cloud's size.
    digits = min(max(math.ceil(-math.log10(2 * _FAR * min(half, 1.0))), 0), _DECIMALS) if half else _DECIMALS
    return np.round(low / 2 + high / 2, digits) + 0.0  # + 0.0 turns -0.0 into 0.0


def residual_of(
    world: NDArray[Any], offset: NDArray[np.float64], positions: NDArray[np.float32], tolerance: Tolerance
) -> NDArray[np.float32] | None:
    """What float32 positions leave out of the coordinates, or None if that is within the tolerance everywhere."""
    if world.dtype == np.float32:
        return None
    residual = np.empty(world.shape, np.float32)
    needed = False
    for axis, allowed in enumerate(np.broadcast_to(tolerance, 3)):
        with np.errstate(invalid="ignore"):
            rest = (world[:, axis] - offset[axis]) - positions[:, axis]
        residual[:, axis] = np.nan_to_num(rest, copy=False, nan=0.0, posinf=0.0, neginf=0.0)
        needed = needed or bool(len(world) and np.abs(residual[:, axis]).max() > allowed)
    return residual if needed else None


def split(world: NDArray[Any], offset: NDArray[np.float64], source: object) -> NDArray[np.float32]:
    """The positions [N, 3] that belong to an offset; refuses what float32 cannot hold at all."""
    if world.dtype == np.float32 and not offset.any():
        return world
    if not offset.any() and (not len(world) or max(-world.min(), world.max()) <= _LARGEST):
        return world.astype(np.float32)
    positions = np.empty(world.shape, np.float32)
    for axis in range(3):  # one axis at a time: a third of the scratch memory
        local = world[:, axis] - offset[axis]
        beyond = np.isfinite(local) & (np.abs(local) > _LARGEST)
        if beyond.any():
            row = int(beyond.argmax())
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
