"""The cloud transform with the fused C++ kernel of csrc/transform.cpp: a head's grid stays in cache from start to end.

Only nodes near points are convolved: a node that no point touches is neither written nor read. Other channel counts
than CHANNELS run as a composition, whose convolution is torch's.

Letters: B batch, H heads, N points, C channels per head, D grid dimension.
"""

import ctypes
from functools import lru_cache

import torch
from einops import rearrange
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.ops.rasterize.native import REDUCE_CODES
from cloud_transformers.ops.transform import reference

CHANNELS = (4, 8, 16, 32)
MAX_CHUNKS = 8  # of the batch; each sums its clouds' weight gradients by itself


def forward(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    weight: Tensor,  # [H * C, C, 3, 3(, 3)]
    bias: Tensor,  # [H * C]
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,  # [B, N], True = a real point
    relu: bool,
    out: Tensor | None = None,  # [B, H, N, C]
) -> Tensor:  # [B, H, N, C], in memory [B, N, H, C]
    B, H, N, C = values.shape
    if C not in CHANNELS:
        return reference.forward(values, keys, weight, bias, size, reduce, mask, relu, out)
    values, keys, weight, bias, mask = _prepared(values, keys, weight, bias, mask)
    output = native.scratch(B, N, H, C, like=values).transpose(1, 2) if out is None else out
    room = _scratch(C, size, values)
    native.call(
        "transform",
        "transform_forward",
        *(values, native.outer_strides(values), keys, native.outer_strides(keys), mask, weight, bias),
        *(B, H, N, C, len(size), size, REDUCE_CODES[reduce], relu),
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
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of values, keys, weight and bias."""
    B, H, N, C = values.shape
    D = len(size)
    if C not in CHANNELS:
        return reference.backward(gradient, values, keys, weight, bias, size, reduce, mask, balance)
    values, keys, weight, bias, mask = _prepared(values, keys, weight, bias, mask)
    gradient = native.with_contiguous_rows(gradient)
    to_values = native.scratch(B, N, H, C, like=values).transpose(1, 2)
    to_keys = native.scratch(B, H, N, D, like=values)
    chunks = min(B, MAX_CHUNKS)
    to_weight = torch.zeros(chunks, H, 3**D, C, C)
    to_bias = torch.zeros(chunks, H * C)
    room = _scratch(C, size, values)
    native.call(
        "transform",
        "transform_backward",
        *(gradient, native.outer_strides(gradient), values, native.outer_strides(values)),
        *(keys, native.outer_strides(keys), mask, weight, bias),
        *(B, H, N, C, D, size, REDUCE_CODES[reduce], balance),
        *(to_values, native.outer_strides(to_values), to_keys, native.outer_strides(to_keys)),
        *(to_weight, to_bias, chunks, room, room.shape[1]),
    )
    weight_gradient = rearrange(_sum_in_order(to_weight), "h taps i o -> (h o) i taps").reshape(weight.shape)
    return to_values, to_keys, weight_gradient, _sum_in_order(to_bias)


def _prepared(
    values: Tensor, keys: Tensor, weight: Tensor, bias: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor | None]:
    values, keys = native.with_contiguous_rows(values), native.with_contiguous_rows(keys)
    return values, keys, weight.contiguous(), bias.contiguous(), None if mask is None else mask.contiguous()


def _sum_in_order(chunks: Tensor) -> Tensor:
    """Over the first axis, one after another: the same bits for any number of threads."""
    total = chunks.new_zeros(chunks.shape[1:])
    for chunk in chunks:
        total += chunk
    return total


def _scratch(channels: int, size: tuple[int, ...], like: Tensor) -> Tensor:
    return native.scratch(native.num_threads(), _scratch_per_thread(channels, size), like=like)


@lru_cache
def _scratch_per_thread(channels: int, size: tuple[int, ...]) -> int:
    num_floats = ctypes.c_int64()
    sides = (ctypes.c_int64 * len(size))(*size)
    function = native.load("transform").transform_scratch
    function(ctypes.c_int64(channels), ctypes.c_int64(len(size)), sides, ctypes.byref(num_floats), ctypes.c_int64(1))
    return num_floats.value
