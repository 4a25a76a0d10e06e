"""The cloud transform in one operator: rasterise, convolve each head's grid, de-rasterise with the same keys.

Letters: B batch, H heads, N points, C channels per head, D grid dimension (2 or 3).
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.ops.rasterize import check_rasterize, full_precision
from cloud_transformers.tensor_checks import ShapeCheck


def cloud_transform(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    weight: Tensor,  # [H * C, C, 3, 3(, 3)], as that of a convolution with H groups
    bias: Tensor,  # [H * C]
    size: int | Sequence[int],  # nodes per axis; one number means the same on all D axes
    *,
    reduce: str = "max",  # or "sum", "mean", as in `rasterize`
    mask: Tensor | None = None,  # [B, N], True = a real point
    balance: bool = True,  # as in `rasterize`
) -> Tensor:  # [B, H, N, C]
    """`derasterize(convolution(rasterize(values)))`, with a 3x3 (3x3x3) convolution per head, padded by 1.

    Everything that `rasterize` and `derasterize` say of ties, empty nodes, masked points, clamping, balancing and
    precision holds here. In memory the result is [B, N, H, C], so joining the heads of a point costs nothing. Only the
    arguments are kept for the backward pass.

    >>> values, keys = torch.rand(1, 2, 5, 4), torch.rand(1, 2, 5, 3)  # two volumetric heads, five points
    >>> ct.ops.cloud_transform(values, keys, torch.rand(8, 4, 3, 3, 3), torch.zeros(8), 6).shape
    torch.Size([1, 2, 5, 4])
    """
    sides = check_rasterize(values, keys, size, reduce, mask)
    H, C, D = values.shape[1], values.shape[3], keys.shape[3]
    check = ShapeCheck()
    check("weight", weight, " ".join([str(H * C), str(C), *["3"] * D]))
    check("bias", bias, str(H * C))
    values, keys = full_precision(values, keys)
    weight, bias = weight.to(values.dtype), bias.to(values.dtype)
    return _transform(values, keys, weight, bias, sides, reduce, mask, balance)


@torch.library.custom_op("cloud_transformers::transform", mutates_args=())
def _transform(
    values: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
) -> Tensor:
    return implementation("transform", values).forward(values, keys, weight, bias, tuple(size), reduce, mask)


@torch.library.custom_op("cloud_transformers::transform_backward", mutates_args=())
def _transform_backward(
    gradient: Tensor,
    values: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return implementation("transform", values).backward(
        gradient, values, keys, weight, bias, tuple(size), reduce, mask, balance
    )


@_transform.register_fake
def _(
    values: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
) -> Tensor:
    B, H, N, C = values.shape
    return values.new_empty(B, N, H, C).permute(0, 2, 1, 3)


@_transform_backward.register_fake
def _(
    gradient: Tensor,
    values: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    B, H, N, C = values.shape
    D = keys.shape[3]
    value_gradient = values.new_empty(B, N, H, C).permute(0, 2, 1, 3)
    key_gradient = keys.new_empty(B, H, N, D)
    return value_gradient, key_gradient, weight.new_empty(weight.shape), bias.new_empty(bias.shape)


def _save(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    values, keys, weight, bias, ctx.size, ctx.reduce, mask, ctx.balance = inputs
    ctx.save_for_backward(values, keys, weight, bias, mask)


def _gradient(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    values, keys, weight, bias, mask = ctx.saved_tensors
    gradients = _transform_backward(gradient, values, keys, weight, bias, ctx.size, ctx.reduce, mask, ctx.balance)
    return *gradients, None, None, None, None


_transform.register_autograd(_gradient, setup_context=_save)
