"""A multi-head block as one step of autograd: for the CPU, where every pass over memory counts.

It is for training, and for normalisations that follow the data; `evaluation.py` has the block with fixed ones.
`layers.MultiHeadBlock` composes the same of the other operators, on any device and under compilers; that composition is
the reference. Here normalised keys and values exist only as they are loaded, all heads write to one tensor, gradients
are overwritten in place, and only what a matrix product or a transform computed is kept for the backward pass.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, F features in, E features out, S outputs of
the projections of all groups of heads together, Q channels that all heads return, G groups that are normalised apart (1
or B, see ops/norm).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from cloud_transformers.ops.backend import backend_for

OPERATORS = ("norm", "keys", "transform")  # whose kernels it is made of


@dataclass(frozen=True, kw_only=True)
class HeadGroup:
    """Heads of one kind. Their part of the projection is `num_residuals` key residuals, then H * C values."""

    num_heads: int
    num_residuals: int  # 3 H, or 0: keys come from positions alone
    channels: int
    size: tuple[int, ...]
    reduce: str
    balance: bool
    squash: str


@dataclass(frozen=True, kw_only=True)
class BlockTensors:
    """What is learned. Weights and biases of normalisations are [G, channels], as `ops.normalize` takes them."""

    projection: Tensor  # [S, F]
    entry_weight: Tensor  # [G, S]
    entry_bias: Tensor
    heads: Sequence[tuple[Tensor, Tensor, Tensor, Tensor]]  # of each group, as the operators take them: key shift and
    # key matrix [H, 3], [H, 3, D]; the convolution's weight and bias [H * C, C, 3, 3(, 3)], [H * C]
    read_weight: Tensor  # [G, Q]
    read_bias: Tensor
    linear: Tensor  # [E, Q]
    exit_weight: Tensor  # [G, E]
    exit_bias: Tensor


def is_fusible(groups: Sequence[HeadGroup], *tensors: Tensor) -> bool:
    """Whether the native kernels take these heads and tensors like these; those of compilers and tracers never."""
    from cloud_transformers.ops.transform.native import has_kernel

    return (
        not torch.compiler.is_compiling()
        and all(has_kernel(group.channels, group.reduce) for group in groups)
        and all(type(tensor) in (Tensor, torch.nn.Parameter) for tensor in tensors)
        and all(tensor.device.type == "cpu" and tensor.dtype == torch.float32 for tensor in tensors)
        and all(backend_for(operator, tensors[0]) == "native" for operator in OPERATORS)
    )


def fused_block(
    features: Tensor,  # [B, N, F], finite where masked
    positions: Tensor,  # [B, N, 3], finite where masked
    residual: Tensor | None,  # [B, N, E]; None: the features themselves
    mask: Tensor | None,  # [B, N], True = a real point
    groups: Sequence[HeadGroup],
    tensors: BlockTensors,
) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:  # [B, N, E]; mean and variance [G, S], [G, Q] and [G, E]
    """`residual + relu(norm(linear(relu(norm(heads(norm(projection(features))))))))`, and the statistics of the norms.

    Nothing is checked: callers are layers, which have checked their arguments.
    """
    output, *statistics = _Block.apply(
        tuple(groups),
        mask,
        features,
        positions,
        residual,
        *_flat(tensors),
        *(x for part in tensors.heads for x in part),
    )
    return output, [(found[0], found[1]) for found in statistics]


def _flat(tensors: BlockTensors) -> tuple[Tensor, ...]:
    return (
        *(tensors.projection, tensors.entry_weight, tensors.entry_bias, tensors.read_weight, tensors.read_bias),
        *(tensors.linear, tensors.exit_weight, tensors.exit_bias),
    )


class _Block(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, groups: tuple[HeadGroup, ...], mask: Tensor | None, *given: Tensor | None) -> Any:
        from cloud_transformers.ops.block import native

        output, kept = native.forward(groups, mask, given)
        ctx.groups, ctx.num_given = groups, len(given)
        ctx.save_for_backward(mask, *given, *kept.tensors())
        statistics = (kept.entry, kept.reading, kept.exit)
        ctx.mark_non_differentiable(*statistics)
        return output, *statistics

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, *_: Tensor) -> tuple[Any, ...]:
        from cloud_transformers.ops.block import native

        mask, *saved = ctx.saved_tensors
        given, kept = saved[: ctx.num_given], native.Kept.of(saved[ctx.num_given :])
        return None, None, *native.backward(ctx.groups, mask, given, kept, gradient)
