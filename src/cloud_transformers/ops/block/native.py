"""The fused block: matrix products of torch between the C++ kernels of norm, keys and transform.

Letters: as in the package's own docstring.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.ops.block import HeadGroup
from cloud_transformers.ops.keys import SQUASHES
from cloud_transformers.ops.keys import native as keys_native
from cloud_transformers.ops.norm import native as norm_native
from cloud_transformers.ops.transform import native as transform_native


@dataclass(frozen=True)
class Kept:
    """What the backward pass needs beside the arguments."""

    projected: Tensor  # [B, N, S]
    entry: Tensor  # [4, G, S], statistics as ops/norm/native has them
    read: Tensor  # [B, N, Q]
    reading: Tensor  # [4, G, Q]
    update: Tensor  # [B, N, E]
    exit: Tensor  # [4, G, E]
    keys: Sequence[Tensor]  # of each group, [B, H, N, D]

    def tensors(self) -> tuple[Tensor, ...]:
        return self.projected, self.entry, self.read, self.reading, self.update, self.exit, *self.keys

    @classmethod
    def of(cls, tensors: Sequence[Tensor]) -> "Kept":
        projected, entry, read, reading, update, exit_, *keys = tensors
        return cls(projected, entry, read, reading, update, exit_, keys)


@dataclass(frozen=True)
class Part:
    """One group of heads: where its tensors lie in those of all groups, and what is its own."""

    group: HeadGroup
    residuals: slice  # of S
    values: slice  # of S
    read: slice  # of Q
    tensors: Sequence[Tensor]  # key shift, key matrix, weight and bias of the convolution
    applied: Tensor | None  # [3, G, S]: centre, scale and shift that make keys and values of what was projected

    def heads(self, joined: Tensor, channels: slice) -> Tensor:
        """Channels of a tensor [B, N, .] as heads [B, H, N, C]."""
        return joined[..., channels].unflatten(2, (self.group.num_heads, self.group.channels)).transpose(1, 2)

    @property
    def has_residuals(self) -> bool:
        return self.group.num_residuals > 0

    def affine(self, channels: slice) -> Tensor:
        assert self.applied is not None
        return self.applied[..., channels].contiguous()


def parts(groups: Sequence[HeadGroup], tensors: Sequence[Tensor], applied: Tensor | None = None) -> Iterator[Part]:
    start = read = 0
    for index, group in enumerate(groups):
        middle = start + group.num_residuals
        width = group.num_heads * group.channels
        yield Part(
            group,
            slice(start, middle),
            slice(middle, middle + width),
            slice(read, read + width),
            tensors[4 * index : 4 * index + 4],
            applied,
        )
        start, read = middle + width, read + width


def forward(groups: Sequence[HeadGroup], mask: Tensor | None, given: Sequence[Any]) -> tuple[Tensor, Kept]:
    """`given`: features, positions, residual, then what is learned, joined over the groups: [S, F], [E, Q], weight and
    bias of each normalisation, and the tensors of the heads."""
    features, positions, residual, projection, linear, entry_weight, entry_bias, *rest = given
    read_weight, read_bias, exit_weight, exit_bias, *head_tensors = rest
    B, N, _ = features.shape
    projected = _product(features, projection.t())
    entry = norm_native.statistics(projected, entry_weight, mask)
    read = native.scratch(B, N, read_weight.shape[1], like=features)
    keys = []
    for part in parts(groups, head_tensors, _applied(entry, entry_bias)):
        shift, matrix, weight, bias = part.tensors
        residuals = projected[..., part.residuals] if part.has_residuals else None
        affine = part.affine(part.residuals) if part.has_residuals else None
        keys.append(keys_native.forward(positions, residuals, shift, matrix, SQUASHES[part.group.squash][0], affine))
        transform_native.forward(
            *(part.heads(projected, part.values), keys[-1], weight, bias, part.group.size, part.group.reduce, mask),
            out=part.heads(read, part.read),
            affine=part.affine(part.values),
        )
    reading = norm_native.statistics(read, read_weight, mask)
    joined = norm_native.apply([read], reading[0], reading[3], read_bias, mask, True, None)
    update = _product(joined, linear.t())
    exit_ = norm_native.statistics(update, exit_weight, mask)
    residual = features if residual is None else residual
    output = norm_native.apply([update], exit_[0], exit_[3], exit_bias, mask, True, residual)
    return output, Kept(projected, entry, read, reading, update, exit_, keys)


def backward(
    groups: Sequence[HeadGroup], mask: Tensor | None, given: Sequence[Any], kept: Kept, gradient: Tensor
) -> tuple[Tensor | None, ...]:
    """The gradients of what was given, in its order."""
    features, positions, residual, projection, linear, _, entry_bias, *rest = given
    _, read_bias, _, exit_bias, *head_tensors = rest
    B, N, F = features.shape
    gradient = gradient.contiguous()
    to_update, to_exit_weight, to_exit_bias = norm_native.gradient_of_one(
        gradient, kept.update, kept.exit, exit_bias, mask, relu=True
    )
    joined = norm_native.apply([kept.read], kept.reading[0], kept.reading[3], read_bias, mask, True, None)
    to_linear = to_update.flatten(0, 1).t() @ joined.flatten(0, 1)
    del joined
    to_joined = _product(to_update, linear)
    del to_update
    to_read, to_read_weight, to_read_bias = norm_native.gradient_of_one(
        to_joined, kept.read, kept.reading, read_bias, mask, relu=True, out=to_joined
    )
    to_applied = native.scratch(*kept.projected.shape, like=features)
    to_positions = None
    to_heads: list[Tensor] = []
    for part, keys in zip(parts(groups, head_tensors, _applied(kept.entry, entry_bias)), kept.keys, strict=True):
        shift, matrix, weight, bias = part.tensors
        _, to_keys, to_weight, to_bias = transform_native.backward(
            *(part.heads(to_read, part.read), part.heads(kept.projected, part.values), keys, weight, bias),
            *(part.group.size, part.group.reduce, mask, part.group.balance),
            *(part.heads(to_applied, part.values), part.affine(part.values)),
        )
        residuals = kept.projected[..., part.residuals] if part.has_residuals else None
        moved, _, to_shift, to_matrix = keys_native.backward(
            *(to_keys, keys, positions, residuals, shift, matrix, SQUASHES[part.group.squash][1]),
            *((to_applied[..., part.residuals], part.affine(part.residuals)) if part.has_residuals else ()),
        )
        to_positions = moved if to_positions is None else to_positions.add_(moved)
        to_heads += to_shift, to_matrix, to_weight, to_bias
    to_projected, to_entry_weight, to_entry_bias = norm_native.gradient_of_one(
        to_applied, kept.projected, kept.entry, entry_bias, mask, relu=False, out=to_applied
    )
    to_projection = to_projected.flatten(0, 1).t() @ features.reshape(B * N, F)
    through = gradient if mask is None else gradient.where(mask[:, :, None], 0)
    if residual is None:
        to_features = torch.addmm(through.flatten(0, 1), to_projected.flatten(0, 1), projection).view(B, N, F)
    else:
        to_features = _product(to_projected, projection)
    return (
        *(to_features, to_positions, None if residual is None else through),
        *(to_projection, to_linear, to_entry_weight, to_entry_bias, to_read_weight, to_read_bias),
        *(to_exit_weight, to_exit_bias, *to_heads),
    )


def _applied(statistics: Tensor, bias: Tensor) -> Tensor:
    """Centre, scale and shift of a normalisation, [3, G, S]."""
    return torch.stack([statistics[0], statistics[3], bias])


def _product(points: Tensor, matrix: Tensor) -> Tensor:  # [B, N, I], [I, O] -> [B, N, O]
    B, N, channels = points.shape
    return (points.reshape(B * N, channels) @ matrix).view(B, N, matrix.shape[1])
