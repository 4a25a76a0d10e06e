"""De-rasterise: read a grid at the keys of points.

Letters: B batch, H heads, N points, C channels per head, D grid dimension (2 or 3).
"""

from typing import Any

import torch
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.ops.rasterize import full_precision
from cloud_transformers.tensor_checks import ShapeCheck


def derasterize(
    grid: Tensor,  # [B, H, *size, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    *,
    mask: Tensor | None = None,  # [B, N], True = a real point
    balance: bool = True,  # whether the gradient of keys leaves out the grid's size, as in `rasterize`
) -> Tensor:  # [B, H, N, C]
    """Read the grid at each point's key, by bi- or trilinear interpolation between the 2^D nodes around it.

    Corners, clamping, balancing and precision are those of `rasterize`: with the same keys, a point reads from
    exactly the nodes that it wrote to, with the same weights. Masked points read 0 and get no gradient.

    >>> grid = torch.arange(9.0).view(1, 1, 3, 3, 1)
    >>> keys = torch.tensor([[[[0.0, 0.0], [0.5, 0.0]]]])  # the middle node, and half way to the next
    >>> ct.ops.derasterize(grid, keys).flatten().tolist()
    [4.0, 5.5]
    """
    check = ShapeCheck()
    check("keys", keys, "B H N D", D=(2, 3))
    check("grid", grid, "B H X Y C" if keys.shape[3] == 2 else "B H X Y Z C")
    if mask is not None:
        check("mask", mask, "B N", kind="bool")
    if 0 in grid.shape[2:-1]:
        raise ValueError(f"grid must have at least one node per axis, got shape {list(grid.shape)}")
    grid, keys = full_precision(grid, keys)
    return _derasterize(grid, keys, mask, balance)


@torch.library.custom_op("cloud_transformers::derasterize", mutates_args=())
def _derasterize(grid: Tensor, keys: Tensor, mask: Tensor | None, balance: bool) -> Tensor:
    return implementation("derasterize", grid).forward(grid, keys, mask)


@torch.library.custom_op("cloud_transformers::derasterize_backward", mutates_args=())
def _derasterize_backward(
    gradient: Tensor, grid: Tensor, keys: Tensor, mask: Tensor | None, balance: bool
) -> tuple[Tensor, Tensor]:
    return implementation("derasterize", grid).backward(gradient, grid, keys, mask, balance)


@_derasterize.register_fake
def _(grid: Tensor, keys: Tensor, mask: Tensor | None, balance: bool) -> Tensor:
    return grid.new_empty(*keys.shape[:3], grid.shape[-1])


@_derasterize_backward.register_fake
def _(gradient: Tensor, grid: Tensor, keys: Tensor, mask: Tensor | None, balance: bool) -> tuple[Tensor, Tensor]:
    return grid.new_empty(grid.shape), keys.new_empty(keys.shape)


def _save(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    grid, keys, mask, ctx.balance = inputs
    ctx.save_for_backward(grid, keys, mask)


def _gradient(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    grid, keys, mask = ctx.saved_tensors
    grid_gradient, key_gradient = _derasterize_backward(gradient, grid, keys, mask, ctx.balance)
    return grid_gradient, key_gradient, None, None


_derasterize.register_autograd(_gradient, setup_context=_save)
