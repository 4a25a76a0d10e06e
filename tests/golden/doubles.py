"""3D convolutions of doubles, for which torch has no fast way: three quarters of the time of the golden tests.

A 3x3x3 convolution is the sum of three 3x3 ones, each over all slices at one distance.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

FORWARD, BACKWARD = torch.ops.aten.convolution, torch.ops.aten.convolution_backward
PLAIN, PLAIN_2D = (([1] * D, [1] * D, [1] * D, False, [0] * D) for D in (3, 2))


def convolution(grid: Tensor, weight: Tensor, bias: Tensor, *geometry: Any) -> Tensor:
    """As torch.ops.aten.convolution, which serves all others."""
    *way, groups = geometry
    if not _is_slow(grid, weight, way):
        return FORWARD(grid, weight, bias, *geometry)
    parts = [FORWARD(some, weight[:, :, tap], None, *PLAIN_2D, groups) for tap, some in enumerate(_slices(grid))]
    return _volume(sum(parts[1:], parts[0]), len(grid)) + bias[:, None, None, None]


def convolution_backward(
    gradient: Tensor, grid: Tensor, weight: Tensor, bias_sizes: list[int], *geometry: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """As torch.ops.aten.convolution_backward: gradients of grid, weight and bias."""
    *way, groups, wanted = geometry
    if not _is_slow(grid, weight, way):
        return BACKWARD(gradient, grid, weight, bias_sizes, *geometry)
    assert wanted == [True, True, True]
    B, _, depth, *_ = grid.shape
    flat = gradient.transpose(1, 2).flatten(0, 1)
    to_grid = pad(torch.zeros_like(grid), (0, 0, 0, 0, 1, 1))
    to_weight = torch.empty_like(weight)
    for tap, some in enumerate(_slices(grid)):
        to_slices, to_weight[:, :, tap], _ = BACKWARD(
            flat, some, weight[:, :, tap], None, *PLAIN_2D, groups, [True, True, False]
        )
        to_grid[:, :, tap : tap + depth] += _volume(to_slices, B)
    return to_grid[:, :, 1:-1], to_weight, gradient.sum(dim=(0, 2, 3, 4))


def _is_slow(grid: Tensor, weight: Tensor, way: list[Any]) -> bool:
    return grid.dtype == torch.float64 and list(weight.shape[2:]) == [3, 3, 3] and tuple(way) == PLAIN


def _slices(grid: Tensor) -> list[Tensor]:  # [B, C, d, h, w] -> three times [B * d, C, h, w]
    """For every slice, the one before it, itself, and the one behind it."""
    depth = grid.shape[2]
    padded = pad(grid, (0, 0, 0, 0, 1, 1)).transpose(1, 2)
    return [padded[:, tap : tap + depth].flatten(0, 1) for tap in range(3)]


def _volume(slices: Tensor, batch: int) -> Tensor:  # [B * d, C, h, w] -> [B, C, d, h, w]
    return slices.unflatten(0, (batch, -1)).transpose(1, 2)
