"""3D convolutions of doubles, for which torch has no fast way: three quarters of the time of the golden tests.

In a padded grid laid out as one row, a step along any axis is a step along the row. So a 3x3x3 convolution is the sum
of 27 products of matrices, each with the row shifted by one tap's distance; what falls into the padding is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    rows = _rows(grid, groups)
    output = bias.expand(len(grid), -1).reshape(len(rows), -1, 1).expand(-1, -1, rows.shape[-1]).contiguous()
    for tap, place in _taps(grid, weight, groups):
        inner = output[..., : place.stop - place.start]
        inner.baddbmm_(tap, rows[..., place])
    return _cut(output, grid, start=0)


def convolution_backward(
    gradient: Tensor, grid: Tensor, weight: Tensor, bias_sizes: list[int], *geometry: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """As torch.ops.aten.convolution_backward: gradients of grid, weight and bias."""
    *way, groups, wanted = geometry
    if not _is_slow(grid, weight, way):
        return BACKWARD(gradient, grid, weight, bias_sizes, *geometry)
    assert wanted == [True, True, True]
    rows = _rows(grid, groups)
    to_rows = torch.zeros_like(rows)
    from_output = pad(gradient, (0, 2, 0, 2, 0, 2)).reshape(len(rows), -1, rows.shape[-1])
    to_taps = []
    for tap, place in _taps(grid, weight, groups):
        inner = from_output[..., : place.stop - place.start]
        to_rows[..., place].baddbmm_(tap.mT, inner)
        to_taps.append((inner @ rows[..., place].mT).unflatten(0, (-1, groups)).sum(dim=0))
    to_weight = torch.stack(to_taps, dim=-1).reshape(weight.shape)
    return _cut(to_rows, grid, start=1), to_weight, gradient.sum(dim=(0, 2, 3, 4))


def _is_slow(grid: Tensor, weight: Tensor, way: list[Any]) -> bool:
    return grid.dtype == torch.float64 and list(weight.shape[2:]) == [3, 3, 3] and tuple(way) == PLAIN


def _rows(grid: Tensor, groups: int) -> Tensor:  # [B, C, d, h, w] -> [B * groups, C / groups, padded cells]
    return pad(grid, [1] * 6).reshape(len(grid) * groups, grid.shape[1] // groups, -1)


def _taps(grid: Tensor, weight: Tensor, groups: int) -> Iterator[tuple[Tensor, slice]]:
    """Each tap's matrices [B * groups, outputs, inputs], and the part of the row that it reads."""
    depth, height, width = grid.shape[2:]
    steps = (height + 2) * (width + 2), width + 2, 1
    length = (depth - 1) * steps[0] + (height - 1) * steps[1] + width
    matrices = weight.unflatten(0, (groups, -1)).repeat(len(grid), 1, 1, 1, 1, 1)
    for tap in product(range(3), repeat=3):
        first = sum(number * step for number, step in zip(tap, steps, strict=True))
        yield matrices[..., tap[0], tap[1], tap[2]].contiguous(), slice(first, first + length)


def _cut(
    rows: Tensor, grid: Tensor, *, start: int
) -> Tensor:  # [B * groups, C / groups, padded cells] -> [B, C, d, h, w]
    padded = rows.reshape(len(grid), -1, *(side + 2 for side in grid.shape[2:]))
    depth, height, width = (slice(start, start + side) for side in grid.shape[2:])
    return padded[:, :, depth, height, width].contiguous()
