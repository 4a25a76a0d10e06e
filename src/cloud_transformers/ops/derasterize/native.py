"""De-rasterise with the C++ kernels of csrc/derasterize.cpp: the same signatures and results as the reference.

Letters: B batch, H heads, N points, C channels per head, D grid dimension.
"""

import torch
from torch import Tensor

from cloud_transformers import native


def forward(
    grid: Tensor,  # [B, H, *size, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    mask: Tensor | None,  # [B, N], True = a real point
) -> Tensor:  # [B, H, N, C]
    B, H, N, D = keys.shape
    grid, keys = grid.contiguous(), native.with_contiguous_rows(keys)
    output = native.scratch(B, H, N, grid.shape[-1], like=grid)
    native.call(
        "derasterize",
        "derasterize_forward",
        *(grid, keys, native.outer_strides(keys), None if mask is None else mask.contiguous()),
        *(B, H, N, grid.shape[-1], D, grid.shape[2:-1]),
        *(output, native.outer_strides(output)),
    )
    return output


def backward(
    gradient: Tensor,  # [B, H, N, C]
    grid: Tensor,
    keys: Tensor,
    mask: Tensor | None,
    balance: bool,
) -> tuple[Tensor, Tensor]:
    """Gradients of grid and keys."""
    B, H, N, D = keys.shape
    gradient, grid, keys = native.with_contiguous_rows(gradient), grid.contiguous(), native.with_contiguous_rows(keys)
    grid_gradient = native.scratch(*grid.shape, like=grid)
    key_gradient = torch.empty(B, H, N, D)
    native.call(
        "derasterize",
        "derasterize_backward",
        *(gradient, native.outer_strides(gradient), grid, keys, native.outer_strides(keys)),
        *(None if mask is None else mask.contiguous(), B, H, N, grid.shape[-1], D, grid.shape[2:-1], balance),
        *(grid_gradient, key_gradient, native.outer_strides(key_gradient)),
    )
    return grid_gradient, key_gradient
