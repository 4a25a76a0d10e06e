"""Residual blocks of pooling with the C++ kernels of csrc/pooling.cpp.

Letters: B batch, H heads, D grid dimension, I channels per head of the input, C of the output.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from cloud_transformers import native
from cloud_transformers.ops.norm import EPS

MAX_CHUNKS = 8  # of the batch; each sums its clouds' weight gradients by itself


class Kept(NamedTuple):
    """What the backward pass needs beside the arguments."""

    first: Tensor  # [B, H, *size, C], what the first convolution gave
    second: Tensor  # the second
    skipped: Tensor | None  # and that of the skip
    statistics: Tensor  # [2 or 3, 4, H * C], as ops/norm/native has them


def forward(
    grid: Tensor,  # [B, H, *size, I]
    counted: Tensor | None,  # [B]
    tensors: Sequence[Tensor],  # weight, weight and bias of the normalisation: of two convolutions, then of the skip's
    mean: bool,
) -> tuple[Tensor, Kept]:  # [B, H, *size // 2, C] or, with `mean`, [B, H, C]
    grid = grid.contiguous()
    B, H, *size, _ = grid.shape
    C = len(tensors[0]) // H
    first, second = (native.scratch(B, H, *size, C, like=grid) for _ in range(2))
    skipped = native.scratch(B, H, *size, C, like=grid) if len(tensors) > 6 else None
    statistics = native.scratch(len(tensors) // 3, 4, H * C, like=grid)
    output = native.scratch(B, H, *([] if mean else [side // 2 for side in size]), C, like=grid)
    native.call(
        "pooling",
        "pooling_forward",
        *(grid, _contiguous(counted), *_arguments(tensors, C), *_sizes(grid, C), EPS, mean),
        *(first, second, skipped, statistics, output, native.scratch(2, B, H, 2, C, like=grid), *_room(grid, C)),
    )
    return output, Kept(first, second, skipped, statistics)


def backward(
    gradient: Tensor,  # like the output
    grid: Tensor,
    counted: Tensor | None,
    tensors: Sequence[Tensor],
    mean: bool,
    kept: Kept,
) -> tuple[Tensor, ...]:
    """Gradients of the grid and of the tensors."""
    grid = grid.contiguous()
    B, H, *size, _ = grid.shape
    C = len(tensors[0]) // H
    weight1, _, bias1, weight2, _, bias2, skip, _, skip_bias = _arguments(tensors, C)
    assert weight1 is not None
    to_grid = native.scratch(*grid.shape, like=grid)
    to_weights = [native.scratch(*weight1.shape, like=grid) for _ in range(2)]
    to_skip = None if skip is None else native.scratch(*skip.shape, like=grid)
    to_norms = native.scratch(len(tensors) // 3, 2, H * C, like=grid)
    chunks = min(B, MAX_CHUNKS)
    native.call(
        "pooling",
        "pooling_backward",
        *(gradient.contiguous(), grid, _contiguous(counted), weight1, bias1, weight2, bias2, skip, skip_bias),
        *(*_sizes(grid, C), mean, *kept, to_grid, *to_weights, to_skip, to_norms),
        *(native.scratch(B, H, *size, C, like=grid), native.scratch(B, H, *size, C, like=grid)),
        native.scratch(2, B, H, 2, C, like=grid),
        *(native.scratch(2, chunks, H, (3 ** len(size) + 1) * C * C, like=grid).zero_(), chunks, *_room(grid, C)),
    )
    found = [to_grid]
    to_convs = to_weights if to_skip is None else [*to_weights, to_skip]
    for given, to_weight, (to_norm_weight, to_norm_bias) in zip(tensors[::3], to_convs, to_norms, strict=True):
        found += to_weight[:, : given.shape[1]], to_norm_weight, to_norm_bias
    return tuple(found)


def _arguments(tensors: Sequence[Tensor], channels: int) -> list[Tensor | None]:
    """The nine that the kernels take, None for those of a missing skip; weights for C channels of input, the last of
    which are 0 where there are fewer."""
    found: list[Tensor | None] = []
    for index, tensor in enumerate(tensors):
        missing = channels - tensor.shape[1] if index % 3 == 0 else 0
        found.append((pad(tensor, (*[0, 0] * (tensor.dim() - 2), 0, missing)) if missing else tensor).contiguous())
    return found if len(found) == 9 else [*found, None, None, None]


def _sizes(grid: Tensor, channels: int) -> tuple[int, int, int, int, int, list[int]]:
    B, H, *size, in_channels = grid.shape
    return B, H, in_channels, channels, len(size), size


def _contiguous(counted: Tensor | None) -> Tensor | None:
    return None if counted is None else counted.contiguous()


def _room(grid: Tensor, channels: int) -> tuple[Tensor, int]:
    """Scratch memory for all threads, and how much of it each has."""
    per_thread = _floats_per_thread(channels, tuple(grid.shape[2:-1]))
    return native.scratch(native.num_threads(), per_thread, like=grid), per_thread


@lru_cache
def _floats_per_thread(channels: int, size: tuple[int, ...]) -> int:
    num_floats = torch.zeros(1, dtype=torch.int64)
    native.call("pooling", "pooling_scratch", channels, len(size), size, num_floats)
    return int(num_floats)
