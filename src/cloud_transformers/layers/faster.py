"""Faster ways to a multi-head block's output: what its modules hold, as `ops.block` takes it.

`MultiHeadBlock.forward` is the plain way, on any device and under compilers. On a CPU the whole block is one operator:
in training, and wherever normalisations follow the data, one step of autograd; in evaluation with fixed normalisations,
a few products of weights that were prepared once.

Letters: B batch, N points, F model width, Z style channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from cloud_transformers.layers.norm import affines, depends_on_batch, fixed_scale_and_shift, folded, track_together
from cloud_transformers.layers.prepared import MOST_BYTES_KEPT
from cloud_transformers.ops import BlockTensors, HeadGroup, PreparedBlock, evaluate_block, fused_block, is_fusible

if TYPE_CHECKING:
    from cloud_transformers.layers.transform import CloudTransform, MultiHeadBlock


def faster_block(
    block: MultiHeadBlock,
    features: Tensor,  # [B, N, F]
    positions: Tensor,  # [B, N, 3]
    mask: Tensor | None,  # [B, N]
    style: Tensor | None,  # [B, Z]
) -> Tensor | None:  # [B, N, F']
    """The block's output, or None where only the plain way gives it."""
    if torch.compiler.is_compiling():  # compilers join operators by themselves
        return None
    groups = _head_groups(block.transforms)
    if groups is None or not is_fusible(groups, features, positions, block.linear.weight):
        return None
    if all(depends_on_batch(norm) for part in _norms(block) for norm in part):
        if torch.is_autocast_enabled("cpu"):
            return None
        return _with_batch_statistics(block, groups, features, positions, mask, style)
    if torch.is_grad_enabled():
        return None
    prepared = block.prepared.get(block, partial(prepare_block, block), _is_kept)
    if prepared is None:
        return None
    return evaluate_block(features, positions, block.residual(features, mask, style), mask, prepared)


def prepare_block(block: MultiHeadBlock) -> PreparedBlock | None:
    """None where some normalisation follows the data, or keys are not made of positions."""
    groups = _head_groups(block.transforms)
    entry, reading, leaving = (fixed_scale_and_shift(part) for part in _norms(block))
    if groups is None or entry is None or reading is None or leaving is None:
        return None
    sizes = [transform.out_channels for transform in block.transforms]
    heads = []
    for transform, *fixed in zip(block.transforms, *(x.split(sizes) for x in reading), strict=True):
        # Interpolation weights sum to one, so what follows the reading can be folded into the convolution before it.
        key_shift, key_matrix, weight, bias = transform.head_tensors()
        heads.append((key_shift.contiguous(), key_matrix.contiguous(), *folded(weight, bias, *fixed)))
    weights = torch.cat([transform.projection.linear.weight for transform in block.transforms])
    projection, projection_bias = folded(weights, None, *entry)
    return PreparedBlock(
        groups=groups,
        projection=projection,
        projection_bias=projection_bias,
        heads=heads,
        linear=block.linear.weight.detach(),
        exit=(leaving[0][None], leaving[1][None], leaving[2].detach()[None]),
    )


def _is_kept(prepared: PreparedBlock | None) -> bool:
    """Those of a large block are made anew in every call: there that costs little."""
    return prepared is not None and prepared.num_bytes <= MOST_BYTES_KEPT


def _with_batch_statistics(
    block: MultiHeadBlock,
    groups: Sequence[HeadGroup],
    features: Tensor,
    positions: Tensor,
    mask: Tensor | None,
    style: Tensor | None,
) -> Tensor:
    norms = _norms(block)
    factors = [factor for transform in block.transforms for factor in transform.projection.factors]
    batch_size = features.shape[0]
    tensors = BlockTensors(
        projections=[transform.projection.linear.weight for transform in block.transforms],
        entry=affines(norms[0], style, batch_size, factors),
        heads=[transform.head_tensors() for transform in block.transforms],
        reading=affines(norms[1], style, batch_size),
        linear=block.linear.weight,
        leaving=affines(norms[2], style, batch_size),
    )
    residual = block.residual(features, mask, style)
    output, statistics = fused_block(features, positions, residual, mask, groups, tensors)
    mean, variance = (torch.cat(found, dim=1) for found in zip(*statistics, strict=True))
    track_together([norm for part in norms for norm in part], mean, variance, features, mask)
    return output


def _head_groups(transforms: Sequence[CloudTransform]) -> tuple[HeadGroup, ...] | None:
    """None where keys are not made of positions."""
    if any(transform.projection.keys.mode == "linear" for transform in transforms):
        return None
    return tuple(transform.head_group for transform in transforms)


def _norms(block: MultiHeadBlock) -> tuple[list[nn.Module], list[nn.Module], list[nn.Module]]:
    """In the order in which the data meet them: of keys and values, of what heads return, of the update."""
    entry = [norm for transform in block.transforms for norm in transform.projection.norms]
    return entry, [transform.norm for transform in block.transforms], [block.norm]
