"""A residual block of pooling's ConvNets, with what follows it, as one step of autograd: for the CPU, in training.

`layers.ResidualConv`, and what `layers.CloudPooling` does behind it, compose the same of torch's operators, on any
device and under compilers; that composition is the reference. Here grids stay as they were rasterised, each head's
apart, and go through the cache once between two normalisations.

Letters: B batch, H heads, I channels per head of the input, C of the output.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from cloud_transformers.ops.backend import backend_for

CHANNELS = (16, 32)  # of the output, that there is a kernel for


class ConvTensors(NamedTuple):
    """A convolution and the normalisation behind it."""

    weight: Tensor  # [H * C, I or C, 3, 3(, 3)]; of the skip [H * C, I, 1, 1(, 1)]
    norm_weight: Tensor  # [H * C]
    norm_bias: Tensor  # [H * C]


def is_poolable(
    grid: Tensor,  # [B, H, *size, I]
    weight: Tensor,  # of some convolution
    widths: Sequence[int],  # C of each block, one after another
) -> bool:
    """Whether the native kernel takes tensors like these; those of compilers and tracers never."""
    return (
        not torch.compiler.is_compiling()
        and all(type(tensor) in (Tensor, torch.nn.Parameter) for tensor in (grid, weight))
        and weight.dtype == grid.dtype
        and all(width in CHANNELS for width in widths)
        and all(before <= behind for before, behind in pairwise([grid.shape[-1], *widths]))
        and grid.numel() > 0
        and backend_for("pooling", grid) == "native"
    )


def pool_block(
    grid: Tensor,  # [B, H, *size, I]
    counted: Tensor | None,  # [B]: whether a cloud counts for the statistics
    convs: Sequence[ConvTensors],  # two, and that of the skip where I is not C
    *,
    mean: bool,
) -> tuple[Tensor, Tensor]:  # [B, H, *size // 2, C], or [B, H, C]; statistics [len(convs), 4, H * C], see ops/norm
    """`relu(norm(conv(relu(norm(conv(grid))))) + skip)`, then the largest of 2^D neighbours, or the mean of all nodes.

    Nothing is checked: callers are layers, which have checked their arguments.
    """
    output, statistics = _PoolBlock.apply(mean, counted, grid, *(x for conv in convs for x in conv))
    return output, statistics


class _PoolBlock(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, mean: bool, counted: Tensor | None, grid: Tensor, *tensors: Tensor) -> Any:
        from cloud_transformers.ops.pooling import native

        output, kept = native.forward(grid, counted, tensors, mean)
        ctx.mean = mean
        ctx.save_for_backward(counted, grid, *kept, *tensors)
        ctx.mark_non_differentiable(kept.statistics)
        return output, kept.statistics

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        from cloud_transformers.ops.pooling import native

        counted, grid, *rest = ctx.saved_tensors
        kept, tensors = native.Kept(*rest[:4]), rest[4:]
        return None, None, *native.backward(gradient, grid, counted, tensors, ctx.mean, kept)
