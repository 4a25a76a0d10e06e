"""3D convolutions of doubles, for which torch has no fast way: it would take most of the golden tests' time.

In a padded grid laid out as one row, a step along any axis is a step along the row. So a 3x3x3 convolution is the sum
of products of matrices, each with the row shifted by one tap's distance; what falls into the padding is cut off. The
three taps along the last axis are one product: the row stands three times above itself, each time shifted by a cell.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

FORWARD, BACKWARD = torch.ops.aten.convolution, torch.ops.aten.convolution_backward
PLAIN = ([1] * 3, [1] * 3, [1] * 3, False, [0] * 3)


def convolution(grid: Tensor, weight: Tensor, bias: Tensor, *geometry: Any) -> Tensor:
    """As torch.ops.aten.convolution, which serves all others."""
    *way, groups = geometry
    if not _is_slow(grid, weight, way):
        return FORWARD(grid, weight, bias, *geometry)
    return _convolved(grid, weight.unflatten(0, (groups, -1)), bias.reshape(groups, -1, 1))


def convolution_backward(
    gradient: Tensor, grid: Tensor, weight: Tensor, bias_sizes: list[int], *geometry: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """As torch.ops.aten.convolution_backward: gradients of grid, weight and bias."""
    *way, groups, wanted = geometry
    if not _is_slow(grid, weight, way):
        return BACKWARD(gradient, grid, weight, bias_sizes, *geometry)
    assert wanted == [True, True, True]
    turned = weight.unflatten(0, (groups, -1)).transpose(1, 2).flip(3, 4, 5)
    to_grid = _convolved(gradient, turned, weight.new_zeros(groups, 1, 1))
    rows, starts, length = _rows(grid, groups)
    from_output = pad(gradient, (0, 2, 0, 2, 0, 2)).reshape(len(rows), -1, rows.shape[-1])[..., :length]
    to_taps = weight.new_zeros(9, groups, weight.shape[0] // groups, 3 * weight.shape[1])
    for number, row in enumerate(rows):
        columns = _columns(row)
        for to_tap, start in zip(to_taps, starts, strict=True):
            to_tap[number % groups].addmm_(from_output[number], columns[:, start : start + length].mT)
    to_weight = to_taps.unflatten(3, (-1, 3)).permute(1, 2, 3, 0, 4).reshape(weight.shape)
    return to_grid, to_weight, gradient.sum(dim=(0, 2, 3, 4))


def _is_slow(grid: Tensor, weight: Tensor, way: list[Any]) -> bool:
    return grid.dtype == torch.float64 and list(weight.shape[2:]) == [3, 3, 3] and tuple(way) == PLAIN


def _convolved(grid: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """`weight` is [groups, channels, inputs, 3, 3, 3], `bias` [groups, channels or 1, 1]."""
    groups, channels = weight.shape[:2]
    rows, starts, length = _rows(grid, groups)
    taps = weight.permute(3, 4, 0, 1, 2, 5).reshape(9, groups, channels, -1)
    output = bias.repeat(len(grid), 1, 1).expand(-1, channels, rows.shape[-1]).contiguous()
    for number, row in enumerate(rows):
        columns = _columns(row)
        for tap, start in zip(taps, starts, strict=True):
            output[number, :, :length].addmm_(tap[number % groups], columns[:, start : start + length])
    depth, height, width = grid.shape[2:]
    padded = output.reshape(len(grid), -1, depth + 2, height + 2, width + 2)
    return padded[:, :, :depth, :height, :width].contiguous()


def _rows(grid: Tensor, groups: int) -> tuple[Tensor, list[int], int]:
    """Rows [B * groups, C / groups, padded cells]; where in them the nine lines of taps begin; a line's length."""
    depth, height, width = grid.shape[2:]
    layer, line = (height + 2) * (width + 2), width + 2
    starts = [deep * layer + high * line for deep, high in product(range(3), repeat=2)]
    rows = pad(grid, [1] * 6).reshape(len(grid) * groups, grid.shape[1] // groups, -1)
    return rows, starts, (depth - 1) * layer + (height - 1) * line + width


def _columns(row: Tensor) -> Tensor:  # [C, cells] -> [C * 3, cells - 2]
    return torch.stack([row[:, :-2], row[:, 1:-1], row[:, 2:]], dim=1).flatten(0, 1)
