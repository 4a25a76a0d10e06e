"""Rasterise with the C++ kernels of csrc/rasterize.cpp: the same signatures and results as the reference.

Letters: B batch, H heads, N points, C channels per head, D grid dimension.
"""

import torch
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.ops.rasterize.reductions import REDUCTIONS, note_shape


def forward(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,  # [B, N], True = a real point
) -> tuple[Tensor, Tensor]:
    """The grid [B, H, *size, C], and the note for the backward pass: see the reference."""
    B, H, N, C = values.shape
    values, keys = map(native.with_contiguous_rows, (values, keys))
    grid = native.scratch(B, H, *size, C, like=values)
    note = torch.empty(note_shape(reduce, values, size), dtype=torch.int32)
    native.call(
        "rasterize",
        "rasterize_forward",
        *(values, native.outer_strides(values), keys, native.outer_strides(keys), _contiguous(mask)),
        *(B, H, N, C, keys.shape[3], size, REDUCTIONS[reduce].code),
        *(grid, note),
    )
    return grid, note


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
    """Gradients of values and keys."""
    B, H, N, C = values.shape
    value_gradient, key_gradient = torch.empty_like(values), torch.empty_like(keys)
    values, keys = map(native.with_contiguous_rows, (values, keys))
    if reduce == "mean":
        grid_gradient = grid_gradient / note.clamp(min=1)[..., None]
    to_values, to_keys = map(native.with_contiguous_rows, (value_gradient, key_gradient))
    native.call(
        "rasterize",
        "rasterize_backward",
        *(grid_gradient.contiguous(), values, native.outer_strides(values), keys, native.outer_strides(keys)),
        *(_contiguous(mask), B, H, N, C, keys.shape[3], size, balance, note if reduce == "max" else None),
        *(to_values, native.outer_strides(to_values), to_keys, native.outer_strides(to_keys)),
    )
    return value_gradient.copy_(to_values), key_gradient.copy_(to_keys)


def _contiguous(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.contiguous()
