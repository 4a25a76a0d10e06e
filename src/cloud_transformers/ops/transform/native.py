"""The cloud transform with the fused C++ kernel of csrc/transform.cpp: a head's grid stays in cache from start to end.

Only nodes near points are convolved: a node that no point touches is neither written nor read. Channel counts and
reductions without a kernel run as a composition, whose convolution is torch's.

Letters: B batch, H heads, N points, C channels per head, D grid dimension.
"""

from functools import lru_cache

import torch
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.ops.rasterize.reductions import REDUCTIONS
from cloud_transformers.ops.transform import reference

CHANNELS = (4, 8, 16, 32)
MAX_CHUNKS = 8  # of the batch; each sums its clouds' weight gradients by itself


def has_kernel(channels: int, reduce: str) -> bool:
    return channels in CHANNELS and REDUCTIONS[reduce].code is not None


def forward(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    weight: Tensor,  # [H * C, C, 3, 3(, 3)]
    bias: Tensor,  # [H * C]
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,  # [B, N], True = a real point
    *,
    relu: bool = False,
    out: Tensor | None = None,  # [B, H, N, C], a place for the result
    affine: Tensor | None = None,  # [3, G, H * C], G = 1 or B: centre, scale and shift
) -> Tensor:  # [B, H, N, C], in memory [B, N, H, C]
    """With `affine`, the transform of (values - centre) * scale + shift, computed as values are loaded.

    `relu`, `out` and `affine` are for the fused blocks, which take only what there is a kernel for.
    """
    B, H, N, C = values.shape
    if not has_kernel(C, reduce):
        assert not relu
        assert out is None
        assert affine is None
        return reference.forward(values, keys, weight, bias, size, reduce, mask)
    values, keys, weight, bias, mask = _prepared(values, keys, weight, bias, mask)
    output = native.scratch(B, N, H, C, like=values).transpose(1, 2) if out is None else out
    room = _scratch(C, size, values, affine)
    native.call(
        "transform",
        "transform_forward",
        *(values, native.outer_strides(values), affine, 1 if affine is None else affine.shape[1]),
        *(keys, native.outer_strides(keys), mask, weight, bias),
        *(B, H, N, C, len(size), size, REDUCTIONS[reduce].code, relu),
        *(output, native.outer_strides(output), room, room.shape[1]),
    )
    return output


def backward(
    gradient: Tensor,  # [B, H, N, C]
    values: Tensor,
    keys: Tensor,
    weight: Tensor,
    bias: Tensor,
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
    out: Tensor | None = None,  # [B, H, N, C], a place for the gradient of the values
    affine: Tensor | None = None,  # as in forward
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of values (with `affine`: of what that gives), keys, weight and bias."""
    B, H, N, C = values.shape
    D = len(size)
    if not has_kernel(C, reduce):
        assert out is None
        assert affine is None
        return reference.backward(gradient, values, keys, weight, bias, size, reduce, mask, balance)
    values, keys, weight, bias, mask = _prepared(values, keys, weight, bias, mask)
    gradient = native.with_contiguous_rows(gradient)
    to_values = native.scratch(B, N, H, C, like=values).transpose(1, 2) if out is None else out
    to_keys = native.scratch(B, H, N, D, like=values)
    to_weight, to_bias = native.scratch(*weight.shape, like=weight), native.scratch(*bias.shape, like=bias)
    chunks = min(B, MAX_CHUNKS)
    partial = torch.zeros(max(chunks, 1), H, 3**D * C * C + C)
    room = _scratch(C, size, values, affine)
    native.call(
        "transform",
        "transform_backward",
        *(gradient, native.outer_strides(gradient), values, native.outer_strides(values)),
        *(affine, 1 if affine is None else affine.shape[1], keys, native.outer_strides(keys), mask, weight, bias),
        *(B, H, N, C, D, size, REDUCTIONS[reduce].code, balance),
        *(to_values, native.outer_strides(to_values), to_keys, native.outer_strides(to_keys)),
        *(to_weight, to_bias, partial, chunks, room, room.shape[1]),
    )
    return to_values, to_keys, to_weight, to_bias


def _prepared(
    values: Tensor, keys: Tensor, weight: Tensor, bias: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor | None]:
    values, keys = native.with_contiguous_rows(values), native.with_contiguous_rows(keys)
    return values, keys, weight.contiguous(), bias.contiguous(), None if mask is None else mask.contiguous()


def _scratch(channels: int, size: tuple[int, ...], values: Tensor, affine: Tensor | None) -> Tensor:
    num_kept_values = 0 if affine is None else values.shape[2]
    return native.scratch(native.num_threads(), _scratch_per_thread(channels, size, num_kept_values), like=values)


@lru_cache
def _scratch_per_thread(channels: int, size: tuple[int, ...], num_kept_values: int) -> int:
    num_floats = torch.zeros(1, dtype=torch.int64)
    native.call("transform", "transform_scratch", channels, len(size), size, num_kept_values, num_floats)
    return int(num_floats)
