"""Normalisation with the C++ kernels of csrc/norm.cpp: the same signatures and results as the reference.

Letters: B batch, N points, C channels of one input, S channels of all, G groups (1 or B).
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.ops.norm import EPS

CHUNK = 128  # rows that are summed up together, as in csrc/norm.cpp


def forward(
    features: Sequence[Tensor],  # each [B, N, C]
    weight: Tensor,  # [G, S]
    bias: Tensor,  # [G, S]
    mask: Tensor | None,  # [B, N]
    relu: bool,
    residual: Tensor | None,  # [B, N, S]
) -> tuple[Tensor, Tensor, Tensor]:
    """The output [B, N, S]; mean and variance [G, S]."""
    means, variances = [], []
    groups = weight.shape[0]
    for x in map(_rows, features):
        B, N, C = x.shape
        means.append(x.new_empty(groups, C))
        variances.append(x.new_empty(groups, C))
        native.call(
            "norm",
            "norm_statistics",
            *(x, x.stride(1), _contiguous(mask), groups, B * N // max(groups, 1), C),
            *(means[-1], variances[-1], _scratch(x, groups)),
        )
    mean, variance = torch.cat(means, dim=1), torch.cat(variances, dim=1)
    scale = weight * torch.rsqrt(variance + EPS)
    return apply(features, scale, bias - mean * scale, mask, relu, residual), mean, variance


def apply(
    features: Sequence[Tensor], scale: Tensor, shift: Tensor, mask: Tensor | None, relu: bool, residual: Tensor | None
) -> Tensor:
    """residual + relu(features * scale + shift), 0 where masked."""
    B, N, _ = features[0].shape
    groups, S = scale.shape
    output = native.scratch(B, N, S, like=features[0])
    residual = None if residual is None else _rows(residual)
    first = 0
    for x in map(_rows, features):
        C = x.shape[2]
        part = slice(first, first + C)
        native.call(
            "norm",
            "norm_apply",
            *(x, x.stride(1), _contiguous(mask), groups, B * N // max(groups, 1), C),
            *(scale[:, part].contiguous(), shift[:, part].contiguous(), relu),
            *(None if residual is None else residual[..., part], 0 if residual is None else residual.stride(1)),
            *(output[..., part], S),
        )
        first += C
    return output


def backward(
    gradient: Tensor,  # [B, N, S]
    features: Sequence[Tensor],
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
    mean: Tensor,  # [G, S], as returned by forward
    variance: Tensor,  # [G, S]
) -> tuple[list[Tensor], Tensor, Tensor]:
    """Gradients of features, weight and bias."""
    gradient = _rows(gradient)
    groups = weight.shape[0]
    inverse_deviation = torch.rsqrt(variance + EPS)
    scale = weight * inverse_deviation
    shift = bias - mean * scale
    to_features, to_weights, to_biases = [], [], []
    first = 0
    for x in map(_rows, features):
        B, N, C = x.shape
        part = slice(first, first + C)
        to_features.append(native.scratch(B, N, C, like=x))
        to_weights.append(x.new_empty(groups, C))
        to_biases.append(x.new_empty(groups, C))
        native.call(
            "norm",
            "norm_backward",
            *(gradient[..., part], gradient.stride(1), x, x.stride(1), _contiguous(mask)),
            *(groups, B * N // max(groups, 1), C, mean[:, part].contiguous(), inverse_deviation[:, part].contiguous()),
            *(scale[:, part].contiguous(), shift[:, part].contiguous(), relu, to_features[-1], C),
            *(to_weights[-1], to_biases[-1], _scratch(x, groups)),
        )
        first += C
    return to_features, torch.cat(to_weights, dim=1), torch.cat(to_biases, dim=1)


def _rows(features: Tensor) -> Tensor:
    """The same [B, N, C] with evenly spaced rows of contiguous channels: a slice of channels will do, else a copy."""
    B, N, C = features.shape
    is_even = (N <= 1 or B <= 1 or features.stride(0) == N * features.stride(1)) and (C <= 1 or features.stride(2) == 1)
    return features if is_even and features.stride(1) >= C else features.contiguous()


def _scratch(features: Tensor, groups: int) -> Tensor:
    B, N, C = features.shape
    rows = B * N // max(groups, 1)
    return native.scratch(groups * -(-rows // CHUNK) * 2 * C + 4 * C, like=features)


def _contiguous(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.contiguous()
