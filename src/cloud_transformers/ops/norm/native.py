"""Normalisation with the C++ kernels of csrc/norm.cpp: the same signatures and results as the reference.

Letters: B batch, N points, C channels of one input, S channels of all, G groups (1 or B).
"""

from collections.abc import Iterator, Sequence

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
    sizes: Sequence[int],  # channels of each output
) -> tuple[list[Tensor], Tensor, Tensor]:
    """The outputs [B, N, size]; mean and variance [G, S]."""
    parts = weight.split([x.shape[2] for x in features], dim=1)
    found = [statistics(x, part, mask) for x, part in zip(features, parts, strict=True)]
    mean, variance, _, scale = found[0] if len(found) == 1 else torch.cat(found, dim=2)
    return _apply(features, mean, scale, bias, mask, relu, residual, sizes), mean.clone(), variance.clone()


def statistics(features: Tensor, weight: Tensor, mask: Tensor | None) -> Tensor:
    """[4, G, C]: mean, variance, 1 / deviation, and that times the weight [G, C]."""
    features = _rows(features)
    B, N, C = features.shape
    groups = weight.shape[0]
    found = native.scratch(4, groups, C, like=features)
    native.call(
        "norm",
        "norm_statistics",
        *(features, features.stride(1), _contiguous(mask), groups, B * N // max(groups, 1), C),
        *(weight.contiguous(), EPS, *found, _scratch(features, groups)),
    )
    return found


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
    return _apply(features, centre, scale, shift, mask, relu, residual, [scale.shape[1]])[0]


def _apply(
    features: Sequence[Tensor],
    centre: Tensor,
    scale: Tensor,
    shift: Tensor,
    mask: Tensor | None,
    relu: bool,
    residual: Tensor | None,
    sizes: Sequence[int],
) -> list[Tensor]:
    B, N, _ = features[0].shape
    groups = scale.shape[0]
    outputs = [native.scratch(B, N, size, like=features[0]) for size in sizes]
    residual = None if residual is None else _rows(residual)
    for x, output, channels in _common_parts([_rows(x) for x in features], outputs):
        native.call(
            "norm",
            "norm_apply",
            *(x, x.stride(1), _contiguous(mask), groups, B * N // max(groups, 1), x.shape[2]),
            *(vector[:, channels].contiguous() for vector in (centre, scale, shift)),
            *(relu, *((None, 0) if residual is None else (residual[..., channels], residual.stride(1)))),
            *(output, output.stride(1)),
        )
    return outputs


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
    inverse_deviation = torch.rsqrt(variance + EPS)
    statistics = torch.stack([mean, variance, inverse_deviation, weight * inverse_deviation])
    to_features = [native.scratch(*x.shape, like=x) for x in features]
    found = []
    parts = zip(
        _common_parts([_rows(x) for x in gradients], [_rows(x) for x in features]),
        _common_parts([_rows(x) for x in gradients], to_features),
        strict=True,
    )
    for (gradient, x, channels), (_, to_x, _) in parts:
        found.append(gradient_of_one(gradient, x, statistics[..., channels], bias[:, channels], mask, relu, to_x))
    return to_features, torch.cat([w for _, w, _ in found], dim=1), torch.cat([b for _, _, b in found], dim=1)


def gradient_of_one(
    gradient: Tensor,  # [B, N, C]
    features: Tensor,  # [B, N, C]
    statistics: Tensor,  # [4, G, C], as `statistics` gives them
    bias: Tensor,  # [G, C]
    mask: Tensor | None,
    relu: bool,
    out: Tensor | None = None,  # [B, N, C], a place for the gradient of the features: that of `gradient` will do
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of one tensor of features, of weight and of bias."""
    features, gradient = _rows(features), _rows(gradient)
    B, N, C = features.shape
    groups = bias.shape[0]
    to_features = native.scratch(B, N, C, like=features) if out is None else out
    to_weight, to_bias = native.scratch(2, groups, C, like=features)
    mean, _, inverse_deviation, scale = (vector.contiguous() for vector in statistics)
    native.call(
        "norm",
        "norm_backward",
        *(gradient, gradient.stride(1), features, features.stride(1), _contiguous(mask)),
        *(groups, B * N // max(groups, 1), C, mean, inverse_deviation, scale, bias.contiguous(), relu),
        *(to_features, to_features.stride(1), to_weight, to_bias, _scratch(features, groups)),
    )
    return to_features, to_weight, to_bias


def _common_parts(left: Sequence[Tensor], right: Sequence[Tensor]) -> Iterator[tuple[Tensor, Tensor, slice]]:
    """Of two lists of tensors with the same channels when joined: the largest pieces that lie in one tensor of each.

    Views [B, N, size] of both, and which of all the channels they are.
    """
    i = j = start_i = start_j = 0  # the tensor that the next piece lies in, and that tensor's first channel
    total = sum(x.shape[2] for x in left)
    first = 0
    while first < total:
        end = min(start_i + left[i].shape[2], start_j + right[j].shape[2])
        if end > first:
            yield (
                left[i][..., first - start_i : end - start_i],
                right[j][..., first - start_j : end - start_j],
                slice(first, end),
            )
        first = end
        if end == start_i + left[i].shape[2]:
            start_i, i = end, i + 1
        if end == start_j + right[j].shape[2]:
            start_j, j = end, j + 1


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
