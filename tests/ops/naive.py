"""Rasterise and de-rasterise written as loops over points and corners, straight from the paper: slow and obvious."""

from itertools import product

import torch
from torch import Tensor


def cell_corners(key: list[float], size: tuple[int, ...]) -> list[tuple[tuple[int, ...], float]]:
    """The nodes around a key and its weight on each."""
    lower, fraction = [], []
    for k, side in zip(key, size, strict=True):
        coordinate = (min(max(k, -(1 - 1e-7)), 1 - 1e-7) + 1) * (side - 1) / 2
        lower.append(min(int(coordinate), max(side - 2, 0)))
        fraction.append(coordinate - lower[-1])
    result = []
    for offset in product((0, 1), repeat=len(size)):
        node = tuple(low + step for low, step in zip(lower, offset, strict=True))
        if all(index < side for index, side in zip(node, size, strict=True)):
            weight = 1.0
            for step, part in zip(offset, fraction, strict=True):
                weight *= part if step else 1 - part
            result.append((node, weight))
    return result


def rasterize(values: Tensor, keys: Tensor, size: tuple[int, ...], reduce: str, mask: Tensor | None = None) -> Tensor:
    B, H, N, C = values.shape
    grid = torch.zeros(B, H, *size, C, dtype=values.dtype)
    count = torch.zeros(B, H, *size, dtype=torch.int64)
    for b, h, n in product(range(B), range(H), range(N)):
        if mask is not None and not mask[b, n]:
            continue
        for node, weight in cell_corners(keys[b, h, n].tolist(), size):
            here = (b, h, *node)
            count[here] += 1
            contribution = weight * values[b, h, n]
            grid[here] = torch.maximum(grid[here], contribution) if reduce == "max" else grid[here] + contribution
    return grid / count.clamp(min=1)[..., None] if reduce == "mean" else grid


def derasterize(grid: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
    B, H, N, _ = keys.shape
    read = torch.zeros(B, H, N, grid.shape[-1], dtype=grid.dtype)
    for b, h, n in product(range(B), range(H), range(N)):
        if mask is None or mask[b, n]:
            for node, weight in cell_corners(keys[b, h, n].tolist(), tuple(grid.shape[2:-1])):
                read[b, h, n] += weight * grid[(b, h, *node)]
    return read
