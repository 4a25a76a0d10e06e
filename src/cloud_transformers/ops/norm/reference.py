"""Normalisation in plain PyTorch: the specification that the fast kernel is held to.

Letters: B batch, N points, C channels of one input, S channels of all, G groups (1 or B), R rows of a group.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from cloud_transformers.ops.norm import EPS


def forward(
    features: Sequence[Tensor],  # each [B, N, C]
    weight: Tensor,  # [G, S]
    bias: Tensor,  # [G, S]
    mask: Tensor | None,  # [B, N]
    relu: bool,
    residual: Tensor | None,  # [B, N, S]
    sizes: Sequence[int],  # channels of each output
) -> tuple[list[Tensor], Tensor, Tensor]:
    """The outputs [B, N, size]; mean and variance [G, S]."""
    rows, visible, count = _grouped(features, mask, weight.shape[0])
    mean = rows.where(visible, 0).sum(1) / count
    variance = (rows - mean[:, None]).where(visible, 0).square().sum(1) / count
    scale = weight * torch.rsqrt(variance + EPS)
    output = apply(features, mean, scale, bias, mask, relu, residual)
    return _apart(output, sizes), mean, variance


def apply(
    features: Sequence[Tensor],
    centre: Tensor,  # [G, S]
    scale: Tensor,  # [G, S]
    shift: Tensor,  # [G, S]
    mask: Tensor | None,
    relu: bool,
    residual: Tensor | None,
) -> Tensor:
    """residual + relu((features - centre) * scale + shift), 0 where masked."""
    output = (torch.cat(list(features), dim=-1) - centre[:, None]) * scale[:, None] + shift[:, None]
    if relu:
        output = output.relu()
    if residual is not None:
        output = output + residual
    return output if mask is None else output.where(mask[:, :, None], 0)


def backward(
    gradients: Sequence[Tensor],  # each [B, N, size]
    features: Sequence[Tensor],
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
    mean: Tensor,  # [G, S], as returned by forward
    variance: Tensor,  # [G, S]
) -> tuple[list[Tensor], Tensor, Tensor]:
    """Gradients of features, weight and bias."""
    rows, visible, count = _grouped(features, mask, weight.shape[0])
    inverse_deviation = torch.rsqrt(variance + EPS)[:, None]  # [G, 1, S]
    normal = (rows - mean[:, None]) * inverse_deviation
    passed = torch.cat(list(gradients), dim=-1).reshape(rows.shape).where(visible, 0)
    if relu:
        passed = passed.where(normal * weight[:, None] + bias[:, None] > 0, 0)
    normal = normal.where(visible, 0)
    to_bias = passed.sum(1)
    to_weight = (passed * normal).sum(1)
    shared = (to_bias[:, None] + normal * to_weight[:, None]) / count[:, None]
    to_rows = ((passed - shared) * (weight[:, None] * inverse_deviation)).where(visible, 0)
    B, N, _ = features[0].shape
    return _apart(to_rows.reshape(B, N, rows.shape[2]), [x.shape[2] for x in features]), to_weight, to_bias


def _apart(joined: Tensor, sizes: Sequence[int]) -> list[Tensor]:
    return [part.clone(memory_format=torch.contiguous_format) for part in joined.split(list(sizes), dim=-1)]


def _grouped(features: Sequence[Tensor], mask: Tensor | None, groups: int) -> tuple[Tensor, Tensor, Tensor]:
    """Rows [G, R, S], which of them are visible [G, R or 1, 1], and how many per group, at least 1 [G, 1]."""
    B, N, _ = features[0].shape
    joined = torch.cat(list(features), dim=-1)
    rows = joined.reshape(groups, B * N // max(groups, 1), joined.shape[2])
    if mask is None:
        everywhere = torch.ones(groups, 1, 1, dtype=torch.bool, device=joined.device)
        return rows, everywhere, joined.new_full((groups, 1), max(rows.shape[1], 1))
    visible = mask.reshape(groups, rows.shape[1], 1)
    return rows, visible, visible.sum(1).clamp(min=1).to(joined.dtype)
