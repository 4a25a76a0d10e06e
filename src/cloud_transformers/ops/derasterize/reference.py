"""De-rasterise in plain PyTorch: the specification that every fast kernel is held to.

Letters: B batch, H heads, N points, C channels per head, D grid dimension.
"""

import torch
from einops import repeat
from torch import Tensor

from cloud_transformers.ops.corners import corners, key_gradient, locate, weight_slope


def forward(
    grid: Tensor,  # [B, H, *size, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    mask: Tensor | None,  # [B, N], True = a real point
) -> Tensor:  # [B, H, N, C]
    size = tuple(grid.shape[2:-1])
    nodes = grid.flatten(2, -2)
    lower, fraction = locate(_hide_masked(keys, mask), size)
    read = grid.new_zeros(*keys.shape[:3], grid.shape[-1])
    for corner in corners(lower, fraction, size):
        read = read + corner.weight[..., None] * nodes.gather(2, _per_channel(corner.cell, grid))
    return read if mask is None else read.where(mask[:, None, :, None], 0)


def backward(
    gradient: Tensor,  # [B, H, N, C]
    grid: Tensor,
    keys: Tensor,
    mask: Tensor | None,
    balance: bool,
) -> tuple[Tensor, Tensor]:
    """Gradients of grid and keys."""
    size = tuple(grid.shape[2:-1])
    nodes = grid.flatten(2, -2)
    keys = _hide_masked(keys, mask)
    if mask is not None:
        gradient = gradient.where(mask[:, None, :, None], 0)
    lower, fraction = locate(keys, size)
    node_gradient = torch.zeros_like(nodes)
    coordinate_gradient = torch.zeros_like(keys)
    for corner in corners(lower, fraction, size):
        index = _per_channel(corner.cell, grid)
        node_gradient.scatter_add_(2, index, corner.weight[..., None] * gradient)
        weight_gradient = (nodes.gather(2, index) * gradient).sum(-1, keepdim=True)
        coordinate_gradient += weight_gradient * weight_slope(corner, fraction)
    return node_gradient.unflatten(2, size), key_gradient(coordinate_gradient, keys, size, balance)


def _hide_masked(keys: Tensor, mask: Tensor | None) -> Tensor:
    return keys if mask is None else keys.where(mask[:, None, :, None], 0)


def _per_channel(cell: Tensor, grid: Tensor) -> Tensor:
    return repeat(cell, "b h n -> b h n c", c=grid.shape[-1])
