"""The cloud transform as the composition of its parts: the specification that the fused kernel is held to.

The parts may be fast ones: each is run by the backend that suits its tensors.

Letters: B batch, H heads, N points, C channels per head, D grid dimension.
"""

import torch
from einops import rearrange
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.ops.rasterize.reductions import rasterizer

aten = torch.ops.aten


def forward(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    weight: Tensor,  # [H * C, C, 3, 3(, 3)]
    bias: Tensor,  # [H * C]
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,  # [B, N], True = a real point
) -> Tensor:  # [B, H, N, C], in memory [B, N, H, C]
    grid, _ = rasterizer(values, reduce).forward(values, keys, size, reduce, mask)
    _, convolved = _convolve(grid, weight, bias)
    convolved = _heads_apart(convolved, values.shape[1])
    return points_first(implementation("derasterize", values).forward(convolved, keys, mask))


def backward(
    gradient: Tensor,  # [B, H, N, C]
    values: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor,
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of values, keys, weight and bias."""
    H, C, D = values.shape[1], values.shape[3], keys.shape[3]
    rasterize, derasterize = rasterizer(values, reduce), implementation("derasterize", values)
    grid, note = rasterize.forward(values, keys, size, reduce, mask)
    flat_grid, convolved = _convolve(grid, weight, bias)
    to_convolved, to_keys_by_reading = derasterize.backward(gradient, _heads_apart(convolved, H), keys, mask, balance)
    # Autograd does not reach inside an operator, so the convolution's gradient is asked for by name.
    to_grid, to_weight, to_bias = aten.convolution_backward(
        _heads_joined(to_convolved), flat_grid, weight, [H * C], *_geometry(D), H, [True, True, True]
    )
    to_grid = _heads_apart(to_grid, H)
    to_values, to_keys_by_writing = rasterize.backward(to_grid, values, keys, size, reduce, mask, balance, note)
    to_keys = to_keys_by_reading + to_keys_by_writing
    return points_first(to_values), to_keys.contiguous(), to_weight.contiguous(), to_bias.contiguous()


def points_first(tensor: Tensor) -> Tensor:
    """The same [B, H, N, .] tensor with the points' axis before the heads' in memory."""
    return tensor.transpose(1, 2).contiguous().transpose(1, 2)


def _convolve(
    grid: Tensor,  # [B, H, *size, C]
    weight: Tensor,
    bias: Tensor,
) -> tuple[Tensor, Tensor]:  # the grid with its heads joined, and convolved: both [B, H * C, *size]
    H, D = grid.shape[1], weight.dim() - 2
    flat_grid = _heads_joined(grid)
    return flat_grid, aten.convolution(flat_grid, weight, bias, *_geometry(D), H)


def _geometry(dimension: int) -> tuple[list[int], list[int], list[int], bool, list[int]]:
    """Stride, padding, dilation, not transposed, no output padding."""
    return [1] * dimension, [1] * dimension, [1] * dimension, False, [0] * dimension


def _heads_joined(grid: Tensor) -> Tensor:
    return rearrange(grid, "b h ... c -> b (h c) ...")


def _heads_apart(grid: Tensor, heads: int) -> Tensor:
    return rearrange(grid, "b (h c) ... -> b h ... c", h=heads).contiguous()
