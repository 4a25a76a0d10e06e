"""3D convolutions of doubles, for which torch has no fast way: three quarters of the time of the golden tests.

A golden cloud has a few hundred points, so most cells of a grid are empty, and most of what is convolved is read by no
point: has no gradient. Only cells that hold something are multiplied, each by all 27 taps at once, and what comes out
is added where it belongs. In a padded grid laid out as one row, a step along any axis is a step along the row.
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
    taps, steps = _taps(weight, groups), _steps(grid)
    output = torch.stack(
        [
            _scattered(rows, taps[index % groups].permute(1, 2, 0), -steps)
            for index, rows in enumerate(_rows(grid, groups))
        ]
    )
    return _cut(output, grid).add_(bias[:, None, None, None])


def convolution_backward(
    gradient: Tensor, grid: Tensor, weight: Tensor, bias_sizes: list[int], *geometry: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """As torch.ops.aten.convolution_backward: gradients of grid, weight and bias."""
    *way, groups, wanted = geometry
    if not _is_slow(grid, weight, way):
        return BACKWARD(gradient, grid, weight, bias_sizes, *geometry)
    assert wanted == [True, True, True]
    taps, steps = _taps(weight, groups), _steps(grid)
    to_rows, to_taps = [], torch.zeros_like(taps)
    for index, (rows, given) in enumerate(zip(_rows(grid, groups), _rows(gradient, groups), strict=True)):
        to_rows.append(_scattered(given, taps[index % groups].permute(0, 2, 1), steps))
        cells = _cells(given)
        read = rows[cells[:, None] + steps].flatten(1)  # [cells, 27 * inputs]
        to_taps[index % groups] += (given[cells].T @ read).unflatten(1, (27, -1)).transpose(1, 2)
    to_weight = to_taps.reshape(weight.shape)
    return _cut(torch.stack(to_rows), grid), to_weight, gradient.sum(dim=(0, 2, 3, 4))


def _is_slow(grid: Tensor, weight: Tensor, way: list[Any]) -> bool:
    return grid.dtype == torch.float64 and list(weight.shape[2:]) == [3, 3, 3] and tuple(way) == PLAIN


def _rows(grid: Tensor, groups: int) -> Tensor:  # [B, C, d, h, w] -> [B * groups, padded cells, C / groups]
    return pad(grid, [1] * 6).reshape(len(grid) * groups, grid.shape[1] // groups, -1).mT.contiguous()


def _cells(rows: Tensor) -> Tensor:  # [padded cells, C] -> the places of those that hold something
    return rows.any(dim=1).nonzero()[:, 0]


def _taps(weight: Tensor, groups: int) -> Tensor:  # [groups, outputs, inputs, 27]
    return weight.unflatten(0, (groups, -1)).flatten(3)


def _steps(grid: Tensor) -> Tensor:  # [27]: from a cell to the one that a tap reads, along the row
    height, width = grid.shape[3] + 2, grid.shape[4] + 2
    return torch.tensor([(z * height + y) * width + x for z, y, x in product((-1, 0, 1), repeat=3)])


def _scattered(rows: Tensor, matrices: Tensor, steps: Tensor) -> Tensor:
    """Each cell [C], times 27 matrices [C, 27, K], added up so many steps further: [padded cells, K]."""
    cells = _cells(rows)
    products = (rows[cells] @ matrices.flatten(1)).unflatten(1, (27, -1))  # [cells, 27, K]
    output = rows.new_zeros(len(rows), products.shape[-1])
    return output.index_add_(0, (cells[:, None] + steps).flatten(), products.flatten(0, 1))


def _cut(rows: Tensor, grid: Tensor) -> Tensor:  # [B * groups, padded cells, C / groups] -> [B, C, d, h, w]
    padded = rows.mT.reshape(len(grid), -1, *(side + 2 for side in grid.shape[2:]))
    return padded[:, :, 1:-1, 1:-1, 1:-1].contiguous()
