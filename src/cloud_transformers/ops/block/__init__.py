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
from itertools import islice
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from cloud_transformers.ops.backend import backend_for

OPERATORS = ("norm", "keys", "transform")  # whose kernels it is made of


@dataclass(frozen=True, kw_only=True)
class HeadGroup:
    """Heads of one kind. Their part of the projection is `num_residuals` key residuals, then H * C values."""

    num_heads: int  # H
    num_residuals: int  # 3 H, or 0: keys come from positions alone
    channels: int  # C
    size: tuple[int, ...]  # nodes of the grid along each of its D axes
    reduce: str  # "max", "sum" or "mean", as in `rasterize`
    balance: bool  # as in `rasterize`
    squash: str  # one of `ops.keys.SQUASHES`


Affine = tuple[Tensor, Tensor]  # weight and bias of a normalisation: [C], or [B, C] where each cloud has its own


@dataclass(frozen=True, kw_only=True)
class BlockTensors:
    """What is learned, each tensor as its layer holds it: joining them in the graph would cost more than their use."""

    projections: Sequence[Tensor]  # of each group, [.., F], S rows together
    entry: Sequence[Affine]  # S channels together
    heads: Sequence[tuple[Tensor, Tensor, Tensor, Tensor]]  # of each group, as the operators take them: key shift and
    # key matrix [H, 3], [H, 3, D]; the convolution's weight and bias [H * C, C, 3, 3(, 3)], [H * C]
    reading: Sequence[Affine]  # Q channels together
    linear: Tensor  # [E, Q]
    leaving: Sequence[Affine]  # E channels together


def is_fusible(groups: Sequence[HeadGroup], *tensors: Tensor) -> bool:
    """Whether the native kernels take heads like `groups` and tensors like `tensors`, which must be float32 on the CPU.

    Tensors of compilers and tracers are never taken.
    """
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
    groups: Sequence[HeadGroup],  # in the order of their parts of the projection
    tensors: BlockTensors,  # what is learned
) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:  # [B, N, E]; mean and variance [G, S], [G, Q] and [G, E]
    """`residual + relu(norm(linear(relu(norm(heads(norm(projection(features))))))))`, and the statistics of the norms.

    Nothing is checked: callers are layers, which have checked their arguments.
    """
    lists = [list(tensors.projections), [tensors.linear]]
    for part in (tensors.entry, tensors.reading, tensors.leaving):
        lists += [weight for weight, _ in part], [bias for _, bias in part]
    lists.append([x for head in tensors.heads for x in head])
    counts = tuple(map(len, lists))
    given = (features, positions, residual, *(x for part in lists for x in part))
    output, *statistics = _Block.apply(tuple(groups), counts, mask, *given)
    return output, [(found[0], found[1]) for found in statistics]


class _Block(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, groups: tuple[HeadGroup, ...], counts: tuple[int, ...], mask: Tensor | None, *given: Tensor | None
    ) -> Any:
        from cloud_transformers.ops.block import native

        *inputs, learned = *given[:3], given[3:]
        *lists, heads = _apart(learned, counts)
        # [S, F], [E, Q], and of three normalisations weight and bias, [G, channels] each
        joined = [lists[0][0] if len(lists[0]) == 1 else torch.cat(lists[0]), lists[1][0]]
        joined += [torch.atleast_2d(torch.cat(part, dim=-1)) for part in lists[2:]]
        arguments = (*inputs, *joined, *heads)
        output, kept = native.forward(groups, mask, arguments)
        ctx.groups, ctx.num_arguments = groups, len(arguments)
        ctx.sizes = [[x.shape[0] for x in lists[0]], *([x.shape[-1] for x in part] for part in lists[2:])]
        ctx.are_vectors = [part[0].dim() == 1 for part in lists[2:]]
        ctx.save_for_backward(mask, *arguments, *kept.tensors())
        statistics = (kept.entry, kept.reading, kept.exit)
        ctx.mark_non_differentiable(*statistics)
        return output, *statistics

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, *_: Tensor) -> tuple[Any, ...]:
        from cloud_transformers.ops.block import native

        mask, *saved = ctx.saved_tensors
        arguments, kept = saved[: ctx.num_arguments], native.Kept.of(saved[ctx.num_arguments :])
        gradients = native.backward(ctx.groups, mask, arguments, kept, gradient)
        *inputs, projection, linear = gradients[:5]
        assert projection is not None
        affine, heads = gradients[5:11], gradients[11:]
        apart = [projection.split(ctx.sizes[0]), (linear,)]
        for found, sizes, is_vector in zip(affine, ctx.sizes[1:], ctx.are_vectors, strict=True):
            assert found is not None
            apart.append((found[0] if is_vector else found).split(sizes, dim=-1))
        return None, None, None, *inputs, *(x for part in apart for x in part), *heads


def _apart(tensors: Sequence[Any], counts: Sequence[int]) -> list[list[Any]]:
    rest = iter(tensors)
    return [list(islice(rest, count)) for count in counts]
