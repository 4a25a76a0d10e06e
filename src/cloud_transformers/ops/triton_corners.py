"""Where a key falls on a grid, inside Triton kernels: `corners.py` for one block of one head's points.

A planar key is treated as one of three axes of which the last has a single node: that axis takes no part in the
corners, and its factors are exact ones. No product may be fused with a sum, or weights would differ from the
reference's in their last bit and another point could win a node: kernels are launched with `enable_fp_fusion` off.
A branch that a constant chooses keeps its `else`: Triton compiles that branch and no other.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, S0, S1, S2 grid nodes per axis.
"""

from typing import Any

import triton
import triton.language as tl

from cloud_transformers.ops.corners import KEY_LIMIT

ELEMENTS_PER_PROGRAM = 1024  # points x channels

_LIMIT = tl.constexpr(KEY_LIMIT)


def programs(B: int, H: int, N: int, C: int) -> tuple[int, int]:
    """One program per block of points and head."""
    return triton.cdiv(N, _points_per_program(C)), B * H


def constants(H: int, C: int, size: tuple[int, ...], has_mask: bool) -> dict[str, Any]:
    """What every kernel over points is compiled for."""
    sides = (*size, 1)[:3]
    return {
        "H": H,
        "C": C,
        "CHANNELS": triton.next_power_of_2(C),
        "POINTS": _points_per_program(C),
        "D": len(size),
        "S0": sides[0],
        "S1": sides[1],
        "S2": sides[2],
        "HAS_MASK": has_mask,
        "enable_fp_fusion": False,
    }


def _points_per_program(C: int) -> int:
    return max(16, ELEMENTS_PER_PROGRAM // triton.next_power_of_2(C))


@triton.jit
def block_of_points(mask, N, H: tl.constexpr, HAS_MASK: tl.constexpr, POINTS: tl.constexpr):
    """This program's points: head, index in the cloud, which of them exist, which of those are not masked."""
    head = tl.program_id(1).to(tl.int64)  # of B * H; offsets of whole heads do not fit 32 bits
    point = tl.program_id(0) * POINTS + tl.arange(0, POINTS)
    exists = point < N
    is_real = exists
    if HAS_MASK:
        is_real = tl.load(mask + (head // H) * N + point, mask=exists, other=0) != 0
    return head, point, exists, is_real


@triton.jit
def locate(keys, point, is_real, AXIS: tl.constexpr, D: tl.constexpr, SIDE: tl.constexpr):
    """Along one axis: the lower node of each point's cell, its fraction, and whether its key is not clamped."""
    if AXIS < D:
        key = tl.load(keys + point * D + AXIS, mask=is_real, other=0.0)
        is_clamped = tl.abs(key) > _LIMIT
        key = tl.where(is_clamped, tl.where(key > 0.0, _LIMIT, -_LIMIT), key)
        coordinate = (key + 1.0) * ((SIDE - 1) / 2)
        # Comparisons with what is not a number are false: such a key has node 0 and a fraction that is no number.
        lower = tl.where(coordinate >= 0.0, tl.floor(coordinate), 0.0)
        if SIDE > 1:
            lower = tl.minimum(lower, (SIDE - 2) * 1.0)
        return lower.to(tl.int32), coordinate - lower, is_clamped == 0
    else:  # noqa: RET505
        return point * 0, point * 0.0, is_real


@triton.jit
def corner_node(lower0, lower1, lower2, S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, CORNER: tl.constexpr):
    """Flat index of a corner; bits 2, 1, 0 of CORNER say whether it is the upper end along axes 0, 1, 2."""
    node0 = tl.minimum(lower0 + (CORNER // 4) % 2, S0 - 1)
    node1 = tl.minimum(lower1 + (CORNER // 2) % 2, S1 - 1)
    node2 = tl.minimum(lower2 + CORNER % 2, S2 - 1)
    return (node0 * S1 + node1) * S2 + node2


@triton.jit
def end_weight(fraction, IS_UPPER: tl.constexpr):
    """The weight of one end of a cell along one axis."""
    if IS_UPPER:
        return fraction
    else:  # noqa: RET505
        return 1.0 - fraction


@triton.jit
def corner_weight(fraction0, fraction1, fraction2, CORNER: tl.constexpr):
    """The product over the axes."""
    weight = end_weight(fraction0, (CORNER // 4) % 2) * end_weight(fraction1, (CORNER // 2) % 2)
    return weight * end_weight(fraction2, CORNER % 2)


@triton.jit
def corner_slopes(fraction0, fraction1, fraction2, CORNER: tl.constexpr):
    """The derivative of the corner's weight with respect to the grid coordinate along each axis."""
    weight0 = end_weight(fraction0, (CORNER // 4) % 2)
    weight1 = end_weight(fraction1, (CORNER // 2) % 2)
    weight2 = end_weight(fraction2, CORNER % 2)
    slope0 = weight1 * weight2 * ((CORNER // 4) % 2 * 2.0 - 1.0)
    slope1 = weight0 * weight2 * ((CORNER // 2) % 2 * 2.0 - 1.0)
    slope2 = weight0 * weight1 * (CORNER % 2 * 2.0 - 1.0)
    return slope0, slope1, slope2


@triton.jit
def store_key_gradient(
    key_gradient,
    point,
    exists,
    is_free,  # neither masked nor clamped
    coordinate_gradient,
    AXIS: tl.constexpr,
    D: tl.constexpr,
    SIDE: tl.constexpr,
    BALANCE: tl.constexpr,
):
    """From a grid coordinate back to the key: the reference's `key_gradient`."""
    if AXIS < D:
        if SIDE == 1:
            coordinate_gradient = coordinate_gradient * 0.0
        elif not BALANCE:
            coordinate_gradient = coordinate_gradient * ((SIDE - 1) / 2)
        tl.store(key_gradient + point * D + AXIS, tl.where(is_free, coordinate_gradient, 0.0), mask=exists)
