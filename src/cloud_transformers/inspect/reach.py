"""Which points can influence which: relations between N points as packed bits, N^2 / 8 bytes each.

Row i of a relation holds, as bits, the points j that can influence point i. Letters: N points, D grid dimension,
w grid side, W words of 64 bits in a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]  # [N, W]

KERNEL_REACH = 1  # how many nodes a 3x3 (3x3x3) convolution looks to either side
_BITS_OF_BYTE = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1).astype(np.uint8)


def pack(rows: NDArray[np.bool_]) -> Bits:  # [M, N] -> [M, W]
    packed = np.packbits(rows, axis=1, bitorder="little")
    padded = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
    return np.ascontiguousarray(padded).view(np.uint64)


def unpack(rows: Bits, num: int) -> NDArray[np.bool_]:  # [M, W] -> [M, num]
    return np.unpackbits(rows.view(np.uint8), axis=1, count=num, bitorder="little").astype(bool)


def counts(rows: Bits) -> NDArray[np.int64]:  # [M, W] -> [M]: how many bits are set
    return np.asarray(_BITS_OF_BYTE[rows.view(np.uint8)].sum(axis=1, dtype=np.int64))


def itself(num: int) -> Bits:
    """Every point influences itself alone."""
    return pack(np.eye(num, dtype=bool))


def one_head(
    first: NDArray[Any],  # [N, D] the lowest grid node that a point touches, per axis
    last: NDArray[Any],  # [N, D] the highest one
) -> Bits:
    """Points whose nodes lie within the kernel's reach of each other.

    The nodes that a point touches are a box, so that two points meet if they meet along every axis; and along one axis
    a point is known by at most 2 w boxes. So a row is the conjunction of D rows of small tables.
    """
    met: Bits | None = None
    for axis in range(first.shape[1]):
        low, high = first[:, axis], last[:, axis]
        _, example, box_of_point = np.unique(2 * low + (high - low), return_index=True, return_inverse=True)
        near_below = low <= high[example, None] + KERNEL_REACH  # [boxes, N]
        near_above = high >= low[example, None] - KERNEL_REACH
        along = pack(near_below & near_above)[box_of_point]
        met = along if met is None else np.bitwise_and(met, along, out=met)
    assert met is not None
    return met


def after(relation: Bits, before: Bits) -> Bits:
    """What reaches a point through `relation` of what had reached its neighbours `before`: the Boolean product.

    Eight points at a time, all 256 unions of their rows in a table (the method of the four Russians): N^3 / 64 byte
    operations. Points that everybody had reached before, themselves among the neighbours, are not computed again.
    """
    num = len(relation)
    reached = before.copy()
    missing = np.flatnonzero(counts(before) < num)
    picked = relation[missing].view(np.uint8)
    found = np.zeros((len(missing), before.shape[1]), np.uint64)
    table = np.zeros((256, before.shape[1]), np.uint64)
    for start in range(0, num if len(missing) else 0, 8):
        rows = before[start : start + 8]
        for bit, row in enumerate(rows):
            np.bitwise_or(table[: 1 << bit], row, out=table[1 << bit : 2 << bit])
        found |= table[picked[:, start // 8]]
    reached[missing] = found
    return reached
