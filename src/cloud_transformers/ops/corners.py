"""Where a key falls on a grid: the cell that holds it, that cell's corners, and their interpolation weights.

Letters: B batch, H heads, N points, D grid dimension, K = 2^D corners of a cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

KEY_LIMIT = 1 - 1e-7  # keys are clamped to +-KEY_LIMIT, so that a cell's upper corners always exist


@dataclass(frozen=True)
class Corner:
    """One of the K corners of every point's cell."""

    is_upper: tuple[bool, ...]  # per axis: the cell's upper end?
    cell: Tensor  # [B, H, N] flat index of the grid node; the first key axis is the slowest
    weight: Tensor  # [B, H, N] product over the axes of `fraction` (upper) or `1 - fraction` (lower)


def locate(
    keys: Tensor,  # [B, H, N, D] in [-1, 1]; what lies outside is clamped
    size: tuple[int, ...],
) -> tuple[Tensor, Tensor]:
    """The lower corner of each key's cell (int64) and the key's place inside the cell (0 to 1), both [B, H, N, D].

    A key at exactly a grid node belongs to the cell above that node. On an axis of size 1 cell and fraction are 0.
    """
    last = keys.new_tensor([side - 1 for side in size])
    coordinate = (keys.clamp(-KEY_LIMIT, KEY_LIMIT) + 1) * (last / 2)
    # A key that is not a number has no cell; cell 0 keeps the index legal while its fraction stays not-a-number.
    lower = torch.minimum(torch.nan_to_num(coordinate.floor()), (last - 1).clamp(min=0))
    return lower.long(), coordinate - lower


def corners(lower: Tensor, fraction: Tensor, size: tuple[int, ...]) -> Iterator[Corner]:
    """All corners, in the order of their flat index."""
    for is_upper in product((False, True), repeat=len(size)):
        cell = torch.zeros_like(lower[..., 0])
        weight = torch.ones_like(fraction[..., 0])
        for axis, (side, upper) in enumerate(zip(size, is_upper, strict=True)):
            # On an axis of size 1 both ends are node 0; the upper one weighs nothing there.
            cell = cell * side + (lower[..., axis] + int(upper)).clamp(max=side - 1)
            weight = weight * (fraction[..., axis] if upper else 1 - fraction[..., axis])
        yield Corner(is_upper, cell, weight)


def weight_slope(corner: Corner, fraction: Tensor) -> Tensor:
    """[B, H, N, D]: the derivative of the corner's weight with respect to the grid coordinate along each axis."""
    slopes = []
    for axis in range(fraction.shape[-1]):
        slope = torch.ones_like(fraction[..., 0])
        for other, upper in enumerate(corner.is_upper):
            if other == axis:
                slope = slope if upper else -slope
            else:
                slope = slope * (fraction[..., other] if upper else 1 - fraction[..., other])
        slopes.append(slope)
    return torch.stack(slopes, dim=-1)


def key_gradient(
    coordinate_gradient: Tensor,  # [B, H, N, D]
    keys: Tensor,  # [B, H, N, D]
    size: tuple[int, ...],
    balance: bool,
) -> Tensor:
    """From grid coordinates back to keys. Balancing leaves out the factor (w - 1) / 2; clamped keys get nothing.

    On an axis of size 1 the coordinate does not depend on the key, balanced or not.
    """
    factor = [float(side > 1) if balance else (side - 1) / 2 for side in size]
    return (coordinate_gradient * keys.new_tensor(factor)).masked_fill(keys.abs() > KEY_LIMIT, 0)
