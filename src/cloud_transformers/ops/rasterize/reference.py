"""Rasterise in plain PyTorch: the specification that every fast kernel is held to.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, G grid nodes (product of `size`).
"""

import torch
from einops import repeat
from torch import Tensor

from cloud_transformers.ops.corners import corners, key_gradient, locate, weight_slope

NOBODY = -1  # the "winner" of a node where the floor of zero won


def forward(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,  # [B, N], True = a real point
) -> tuple[Tensor, Tensor]:
    """The grid [B, H, *size, C], and what the backward pass needs to know of it.

    That is, for max: int32 [B, H, *size, C], the point that won each node, or NOBODY; for mean: the number of points
    that touch each node, int32 [B, H, *size]; for sum nothing, an empty tensor.
    """
    values, keys = hide_masked(values, keys, mask)
    num_nodes = _product(size)
    grid = values.new_zeros(*values.shape[:2], num_nodes, values.shape[3])
    if reduce == "max":
        for cell, weight in _splat(keys, size):
            grid.scatter_reduce_(2, _per_channel(cell, values), weight[..., None] * values, "amax")
        note = _winners(values, keys, size, grid)
    else:
        for cell, weight in _splat(keys, size):
            grid.scatter_add_(2, _per_channel(cell, values), weight[..., None] * values)
        note = values.new_empty(0, dtype=torch.int32)
        if reduce == "mean":
            note = _counts(keys, size, mask)
            grid = grid / note.clamp(min=1)[..., None]
            note = note.unflatten(2, size)
    return grid.unflatten(2, size), note


def backward(
    grid_gradient: Tensor,  # [B, H, *size, C]
    values: Tensor,
    keys: Tensor,
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
    note: Tensor,  # as returned by forward
) -> tuple[Tensor, Tensor]:
    """Gradients of values and keys. A node passes its gradient on through the product weight * value, to both."""
    hidden_values, hidden_keys = hide_masked(values, keys, mask)
    grid_gradient = grid_gradient.flatten(2, -2)
    if reduce == "mean":
        grid_gradient = grid_gradient / note.flatten(2).clamp(min=1)[..., None]
    lower, fraction = locate(hidden_keys, size)
    point = torch.arange(values.shape[2], device=values.device)[:, None]  # [N, 1]
    value_gradient = torch.zeros_like(values)
    coordinate_gradient = torch.zeros_like(keys)
    for corner in corners(lower, fraction, size):
        index = _per_channel(corner.cell, values)
        received = grid_gradient.gather(2, index)  # [B, H, N, C]
        if reduce == "max":
            winner = note.flatten(2, -2).long().gather(2, index)
            received = received.where(winner == point, 0)
        value_gradient += corner.weight[..., None] * received
        weight_gradient = (hidden_values * received).sum(-1, keepdim=True)
        coordinate_gradient += weight_gradient * weight_slope(corner, fraction)
    key_grad = key_gradient(coordinate_gradient, hidden_keys, size, balance)
    if mask is not None:
        value_gradient = value_gradient.where(mask[:, None, :, None], 0)
        key_grad = key_grad.where(mask[:, None, :, None], 0)
    return value_gradient, key_grad


def hide_masked(values: Tensor, keys: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Replace what masked points carry (it may be anything, NaN too) by a value of zero at the grid's centre."""
    if mask is None:
        return values, keys
    visible = mask[:, None, :, None]
    return values.where(visible, 0), keys.where(visible, 0)


def _splat(keys: Tensor, size: tuple[int, ...]) -> list[tuple[Tensor, Tensor]]:
    lower, fraction = locate(keys, size)
    return [(corner.cell, corner.weight) for corner in corners(lower, fraction, size)]


def _winners(values: Tensor, keys: Tensor, size: tuple[int, ...], grid: Tensor) -> Tensor:
    """Who holds each node's maximum: of equal contributions the lowest point index, of contributions <= 0 nobody."""
    num_points = values.shape[2]
    point = torch.arange(num_points, device=values.device)[:, None]  # [N, 1]
    winner = torch.full_like(grid, num_points, dtype=torch.int64)
    for cell, weight in _splat(keys, size):
        index = _per_channel(cell, values)
        contribution = weight[..., None] * values
        holds = (contribution == grid.gather(2, index)) & (contribution > 0)
        winner.scatter_reduce_(2, index, point.where(holds, num_points), "amin")
    return winner.where(winner < num_points, NOBODY).to(torch.int32).unflatten(2, size)


def _counts(keys: Tensor, size: tuple[int, ...], mask: Tensor | None) -> Tensor:
    """int32 [B, H, G]: of how many points' cells each node is a corner (with weight 0 too, at a cell's very edge)."""
    B, H, N, _ = keys.shape
    visible = torch.ones(B, N, dtype=torch.int32, device=keys.device) if mask is None else mask.int()
    counts = keys.new_zeros(B, H, _product(size), dtype=torch.int32)
    lower, fraction = locate(keys, size)
    for corner in corners(lower, fraction, size):
        if any(upper and side == 1 for upper, side in zip(corner.is_upper, size, strict=True)):
            continue  # the same node as the lower end of that axis: a point counts once
        counts.scatter_add_(2, corner.cell, repeat(visible, "b n -> b h n", h=H))
    return counts


def _per_channel(cell: Tensor, values: Tensor) -> Tensor:
    return repeat(cell, "b h n -> b h n c", c=values.shape[3])


def _product(size: tuple[int, ...]) -> int:
    result = 1
    for side in size:
        result *= side
    return result
