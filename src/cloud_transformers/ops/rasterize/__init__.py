"""Rasterise: values of points onto a grid, at their keys.

Letters: B batch, H heads, N points, C channels per head, D grid dimension (2 or 3).
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from cloud_transformers.ops.rasterize.reductions import REDUCTIONS, note_shape, rasterizer
from cloud_transformers.tensor_checks import ShapeCheck


def rasterize(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    size: int | Sequence[int],  # nodes per axis; one number means the same on all D axes
    *,
    reduce: str = "max",  # or "sum", "mean": what becomes of values that meet at a node
    mask: Tensor | None = None,  # [B, N], True = a real point
    balance: bool = True,
) -> Tensor:  # [B, H, *size, C]
    """Spread each point's value over the 2^D grid nodes around its key, and reduce what meets at a node.

    **Corners.** Along an axis of `w` nodes the key k sits at coordinate (k + 1) (w - 1) / 2, between two nodes; it
    weighs on a node by bi- or trilinear interpolation b. The first key axis is the slowest grid axis.

    **max**: node = max(0, max_i b_i v_i) per channel. The grid starts at zeros, so a node stays 0 where nothing
    positive arrives. The gradient goes to the one point that won, through the product, so to its value and its key;
    of equal contributions the lowest point index wins; where 0 wins nobody gets gradient.
    **sum**: node = sum_i b_i v_i. **mean**: that sum over the number of points of whose cell the node is a corner.
    A node that no point touches is 0 in all three.

    **Masked points** are not there: they may hold anything, NaN too, and get zero gradient.
    **Clamping.** Keys outside [-1, 1] are clamped to +-(1 - 1e-7), with zero gradient. Values are not inspected.
    **Balancing.** With `balance` the backward pass leaves out the factor (w - 1) / 2 by which a coordinate grows
    faster than its key: the key's gradient is that of the coordinate. Without it the gradient is the exact one.
    **Precision.** float32 or float64. Half precision is computed and returned in float32, under autocast too: a
    half-precision key cannot address a large grid.

    >>> values, keys = torch.full((1, 1, 1, 1), 5.0), torch.zeros(1, 1, 1, 2)  # one point in the middle
    >>> ct.ops.rasterize(values, keys, 3)[0, 0, :, :, 0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 0.0]]
    """
    sides = check_rasterize(values, keys, size, reduce, mask)
    values, keys = full_precision(values, keys)
    return _rasterize(values, keys, sides, reduce, mask, balance)[0]


def check_rasterize(
    values: Tensor, keys: Tensor, size: int | Sequence[int], reduce: str, mask: Tensor | None
) -> list[int]:
    """The grid's size as one number per axis; a ValueError for anything that does not fit."""
    check = ShapeCheck()
    check("values", values, "B H N C")
    check("keys", keys, "B H N D", D=(2, 3))
    if mask is not None:
        check("mask", mask, "B N", kind="bool")
    if reduce not in REDUCTIONS:
        raise ValueError(f"reduce must be one of {', '.join(REDUCTIONS)}, got {reduce!r}")
    sides = [size] * keys.shape[3] if isinstance(size, int) else list(size)
    if len(sides) != keys.shape[3] or any(side < 1 for side in sides):
        raise ValueError(f"size must be {keys.shape[3]} positive numbers, one per key axis, got {size}")
    return sides


def full_precision(data: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """Half precision raised to float32; data and keys must then be of one type."""
    data, keys = (x.float() if x.dtype in (torch.float16, torch.bfloat16) else x for x in (data, keys))
    if data.dtype != keys.dtype:
        raise ValueError(f"keys are {keys.dtype} but what they address is {data.dtype}: convert one of them")
    return data, keys


@torch.library.custom_op("cloud_transformers::rasterize", mutates_args=())
def _rasterize(
    values: Tensor, keys: Tensor, size: Sequence[int], reduce: str, mask: Tensor | None, balance: bool
) -> tuple[Tensor, Tensor]:
    return rasterizer(values, reduce).forward(values, keys, tuple(size), reduce, mask)


@torch.library.custom_op("cloud_transformers::rasterize_backward", mutates_args=())
def _rasterize_backward(
    grid_gradient: Tensor,
    values: Tensor,
    keys: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
    note: Tensor,
) -> tuple[Tensor, Tensor]:
    return rasterizer(values, reduce).backward(grid_gradient, values, keys, tuple(size), reduce, mask, balance, note)


@_rasterize.register_fake
def _(
    values: Tensor, keys: Tensor, size: Sequence[int], reduce: str, mask: Tensor | None, balance: bool
) -> tuple[Tensor, Tensor]:
    B, H, _, C = values.shape
    note = values.new_empty(note_shape(reduce, values, size), dtype=torch.int32)
    return values.new_empty(B, H, *size, C), note


@_rasterize_backward.register_fake
def _(
    grid_gradient: Tensor,
    values: Tensor,
    keys: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
    note: Tensor,
) -> tuple[Tensor, Tensor]:
    return torch.empty_like(values), torch.empty_like(keys)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    values, keys, ctx.size, ctx.reduce, mask, ctx.balance = inputs
    ctx.save_for_backward(values, keys, mask, output[1])


def _gradient(ctx: Any, grid_gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    values, keys, mask, note = ctx.saved_tensors
    value_gradient, key_gradient = _rasterize_backward(
        grid_gradient, values, keys, ctx.size, ctx.reduce, mask, ctx.balance, note
    )
    return value_gradient, key_gradient, None, None, None, None


_rasterize.register_autograd(_gradient, setup_context=_save)
