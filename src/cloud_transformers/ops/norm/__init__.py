"""Normalisation over points, with what follows it: several inputs joined, ReLU and residual, in one pass over memory.

Letters: B batch, N points, C channels of one input, S channels of all inputs together, G groups that are normalised
apart: 1 (BatchNorm: all clouds together) or B (instance norm: each cloud by itself).
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.tensor_checks import ShapeCheck

EPS = 1e-5


def normalize(
    features: Sequence[Tensor],  # each [B, N, C]; they are joined along the channels
    weight: Tensor,  # [G, S]
    bias: Tensor,  # [G, S]
    *,
    mask: Tensor | None = None,  # [B, N], True = a real point
    relu: bool = False,
    residual: Tensor | None = None,  # [B, N, S]
) -> tuple[Tensor, Tensor, Tensor]:  # [B, N, S], and the statistics used: mean and variance [G, S]
    """`residual + relu(normal * weight + bias)`, where normal has mean 0 and variance 1 per group and channel.

    Statistics are those of the visible points; a group without any has mean and variance 0, one with a single point
    variance 0. Masked points are not there: whatever they hold, their rows are 0 and get no gradient. Mean and variance
    (the biased one) are returned for running averages; no gradient goes through them.
    """
    _check(features, weight, bias, mask, residual)
    outputs, mean, variance = _normalize(list(features), weight, bias, mask, relu, residual, [weight.shape[1]])
    return outputs[0], mean, variance


def normalize_apart(
    features: Tensor,  # [B, N, S]
    weight: Tensor,  # [G, S]
    bias: Tensor,  # [G, S]
    sizes: Sequence[int],  # channels of each output, S together
    *,
    mask: Tensor | None = None,  # [B, N], True = a real point
) -> tuple[list[Tensor], Tensor, Tensor]:  # each [B, N, size]; mean and variance [G, S]
    """`normalize`, with the channels in several tensors: no copy apart, and none together in the backward pass."""
    _check([features], weight, bias, mask, None)
    if sum(sizes) != features.shape[2]:
        raise ValueError(f"sizes must add up to the {features.shape[2]} channels of features, got {list(sizes)}")
    return _normalize([features], weight, bias, mask, False, None, list(sizes))


def scale_and_shift(
    features: Sequence[Tensor],  # each [B, N, C]; they are joined along the channels
    centre: Tensor,  # [G, S]
    scale: Tensor,  # [G, S]
    shift: Tensor,  # [G, S]
    *,
    mask: Tensor | None = None,  # [B, N], True = a real point
    relu: bool = False,
    residual: Tensor | None = None,  # [B, N, S]
) -> Tensor:  # [B, N, S]
    """`residual + relu((features - centre) * scale + shift)`: normalisation with given statistics.

    Rows of masked points are 0.
    """
    _check(features, scale, shift, mask, residual)
    given = [*features, centre, scale, shift, *([] if residual is None else [residual])]
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in given):
        from cloud_transformers.ops.norm import reference

        return reference.apply(list(features), centre, scale, shift, mask, relu, residual)
    return _scale_and_shift(list(features), centre, scale, shift, mask, relu, residual)


def _check(
    features: Sequence[Tensor], weight: Tensor, bias: Tensor, mask: Tensor | None, residual: Tensor | None
) -> None:
    check = ShapeCheck()
    for tensor in features:
        check("features", tensor, "B N C")
        del check.sizes["C"]
    total = sum(tensor.shape[2] for tensor in features)
    check("weight", weight, "G S", G=(1, features[0].shape[0]), S=total)
    check("bias", bias, "G S")
    if mask is not None:
        check("mask", mask, "B N", kind="bool")
    if residual is not None:
        check("residual", residual, "B N S")


@torch.library.custom_op("cloud_transformers::normalize", mutates_args=())
def _normalize(
    features: Sequence[Tensor],
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
    residual: Tensor | None,
    sizes: Sequence[int],
) -> tuple[list[Tensor], Tensor, Tensor]:
    return implementation("norm", features[0]).forward(features, weight, bias, mask, relu, residual, sizes)


@torch.library.custom_op("cloud_transformers::normalize_backward", mutates_args=())
def _normalize_backward(
    gradients: Sequence[Tensor],
    features: Sequence[Tensor],
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
    mean: Tensor,
    variance: Tensor,
) -> tuple[list[Tensor], Tensor, Tensor]:
    return implementation("norm", features[0]).backward(gradients, features, weight, bias, mask, relu, mean, variance)


@torch.library.custom_op("cloud_transformers::scale_and_shift", mutates_args=())
def _scale_and_shift(
    features: Sequence[Tensor],
    centre: Tensor,
    scale: Tensor,
    shift: Tensor,
    mask: Tensor | None,
    relu: bool,
    residual: Tensor | None,
) -> Tensor:
    return implementation("norm", features[0]).apply(features, centre, scale, shift, mask, relu, residual)


@_normalize.register_fake
def _(
    features: Sequence[Tensor],
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
    residual: Tensor | None,
    sizes: Sequence[int],
) -> tuple[list[Tensor], Tensor, Tensor]:
    B, N, _ = features[0].shape
    outputs = [features[0].new_empty(B, N, size) for size in sizes]
    return outputs, weight.new_empty(weight.shape), weight.new_empty(weight.shape)


@_normalize_backward.register_fake
def _(
    gradients: Sequence[Tensor],
    features: Sequence[Tensor],
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
    mean: Tensor,
    variance: Tensor,
) -> tuple[list[Tensor], Tensor, Tensor]:
    return [x.new_empty(x.shape) for x in features], weight.new_empty(weight.shape), bias.new_empty(bias.shape)


@_scale_and_shift.register_fake
def _(
    features: Sequence[Tensor],
    centre: Tensor,
    scale: Tensor,
    shift: Tensor,
    mask: Tensor | None,
    relu: bool,
    residual: Tensor | None,
) -> Tensor:
    return features[0].new_empty(*features[0].shape[:2], scale.shape[1])


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[list[Tensor], Tensor, Tensor]) -> None:
    features, weight, bias, mask, ctx.relu, residual, ctx.sizes = inputs
    ctx.has_residual = residual is not None
    ctx.save_for_backward(*features, weight, bias, mask, *output[1:])


def _gradient(ctx: Any, gradients: list[Tensor | None], _: Tensor, __: Tensor) -> tuple[Any, ...]:
    *features, weight, bias, mask, mean, variance = ctx.saved_tensors
    B, N, _C = features[0].shape
    arrived = [
        features[0].new_zeros(B, N, size) if gradient is None else gradient
        for gradient, size in zip(gradients, ctx.sizes, strict=True)
    ]
    to_features, to_weight, to_bias = _normalize_backward(
        arrived, features, weight, bias, mask, ctx.relu, mean, variance
    )
    to_residual = None
    if ctx.has_residual:
        to_residual = arrived[0] if mask is None else arrived[0].where(mask[:, :, None], 0)
    return to_features, to_weight, to_bias, None, None, to_residual, None


_normalize.register_autograd(_gradient, setup_context=_save)
