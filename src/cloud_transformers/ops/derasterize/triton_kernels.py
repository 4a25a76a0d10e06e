"""De-rasterise with Triton kernels, float32 on a GPU: the same signatures and results as the reference.

One program takes a block of one head's points. Reading only gathers; the grid's gradient is summed by atomics, so it
may differ in its last bits from run to run.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, S0, S1, S2 grid nodes per axis.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from cloud_transformers.native import scratch
from cloud_transformers.ops import triton_corners
from cloud_transformers.ops.derasterize import reference
from cloud_transformers.ops.triton_corners import (
    block_of_points,
    corner_node,
    corner_slopes,
    corner_weight,
    locate,
    store_key_gradient,
)


def forward(
    grid: Tensor,  # [B, H, *size, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    mask: Tensor | None,  # [B, N], True = a real point
) -> Tensor:  # [B, H, N, C]
    B, H, N, _ = keys.shape
    size, C = tuple(grid.shape[2:-1]), grid.shape[-1]
    if grid.dtype != torch.float32 or B * H * N * C == 0:
        return reference.forward(grid, keys, mask)
    read = scratch(B, H, N, C, like=grid)
    _gather[triton_corners.programs(B, H, N, C)](
        *(grid.contiguous(), keys.contiguous(), _contiguous(mask), read, N),
        **triton_corners.constants(H, C, size, mask is not None),
    )
    return read


def backward(
    gradient: Tensor,  # [B, H, N, C]
    grid: Tensor,
    keys: Tensor,
    mask: Tensor | None,
    balance: bool,
) -> tuple[Tensor, Tensor]:
    """Gradients of grid and keys."""
    B, H, N, C = gradient.shape
    if grid.dtype != torch.float32 or B * H * N * C == 0:
        return reference.backward(gradient, grid, keys, mask, balance)
    grid_gradient = torch.zeros(grid.shape, dtype=grid.dtype, device=grid.device)
    key_gradient = scratch(*keys.shape, like=keys)
    _scatter_gradient[triton_corners.programs(B, H, N, C)](
        *(gradient.contiguous(), grid.contiguous(), keys.contiguous(), _contiguous(mask)),
        *(grid_gradient, key_gradient, N),
        BALANCE=balance,
        **triton_corners.constants(H, C, tuple(grid.shape[2:-1]), mask is not None),
    )
    return grid_gradient, key_gradient


def _contiguous(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.contiguous()


@triton.jit
def _gather(
    grid, keys, mask, read, N,
    H: tl.constexpr, C: tl.constexpr, CHANNELS: tl.constexpr, POINTS: tl.constexpr,
    D: tl.constexpr, S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, HAS_MASK: tl.constexpr,
):  # fmt: skip
    head, point, exists, is_real = block_of_points(mask, N, H, HAS_MASK, POINTS)
    channel = tl.arange(0, CHANNELS)
    is_channel = (channel < C)[None, :]
    lower0, fraction0, _ = locate(keys + head * N * D, point, is_real, 0, D, S0)
    lower1, fraction1, _ = locate(keys + head * N * D, point, is_real, 1, D, S1)
    lower2, fraction2, _ = locate(keys + head * N * D, point, is_real, 2, D, S2)
    total = tl.zeros([POINTS, CHANNELS], dtype=tl.float32)
    for k in tl.static_range(1 << D):
        node = corner_node(lower0, lower1, lower2, S0, S1, S2, k << (3 - D))
        entry = head * (S0 * S1 * S2 * C) + node[:, None] * C + channel[None, :]
        at_node = tl.load(grid + entry, mask=is_real[:, None] & is_channel, other=0.0)
        total += corner_weight(fraction0, fraction1, fraction2, k << (3 - D))[:, None] * at_node
    tl.store(read + head * N * C + point[:, None] * C + channel[None, :], total, mask=exists[:, None] & is_channel)


@triton.jit
def _scatter_gradient(
    gradient, grid, keys, mask, grid_gradient, key_gradient, N,
    BALANCE: tl.constexpr,
    H: tl.constexpr, C: tl.constexpr, CHANNELS: tl.constexpr, POINTS: tl.constexpr,
    D: tl.constexpr, S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, HAS_MASK: tl.constexpr,
):  # fmt: skip
    """What each point read hands its gradient on to the nodes that it read from, and to its key."""
    head, point, exists, is_real = block_of_points(mask, N, H, HAS_MASK, POINTS)
    channel = tl.arange(0, CHANNELS)
    is_real_channel = is_real[:, None] & (channel < C)[None, :]
    row = head * N * C + point[:, None] * C + channel[None, :]
    received = tl.load(gradient + row, mask=is_real_channel, other=0.0)
    lower0, fraction0, is_free0 = locate(keys + head * N * D, point, is_real, 0, D, S0)
    lower1, fraction1, is_free1 = locate(keys + head * N * D, point, is_real, 1, D, S1)
    lower2, fraction2, is_free2 = locate(keys + head * N * D, point, is_real, 2, D, S2)
    to_axis0 = tl.zeros([POINTS], dtype=tl.float32)
    to_axis1 = tl.zeros([POINTS], dtype=tl.float32)
    to_axis2 = tl.zeros([POINTS], dtype=tl.float32)
    for k in tl.static_range(1 << D):
        node = corner_node(lower0, lower1, lower2, S0, S1, S2, k << (3 - D))
        entry = head * (S0 * S1 * S2 * C) + node[:, None] * C + channel[None, :]
        weight = corner_weight(fraction0, fraction1, fraction2, k << (3 - D))
        tl.atomic_add(grid_gradient + entry, weight[:, None] * received, mask=is_real_channel, sem="relaxed")
        at_node = tl.load(grid + entry, mask=is_real_channel, other=0.0)
        to_weight = tl.sum(at_node * received, axis=1)
        slope0, slope1, slope2 = corner_slopes(fraction0, fraction1, fraction2, k << (3 - D))
        to_axis0 += to_weight * slope0
        to_axis1 += to_weight * slope1
        to_axis2 += to_weight * slope2
    to_keys = key_gradient + head * N * D
    store_key_gradient(to_keys, point, exists, is_real & is_free0, to_axis0, 0, D, S0, BALANCE)
    store_key_gradient(to_keys, point, exists, is_real & is_free1, to_axis1, 1, D, S1, BALANCE)
    store_key_gradient(to_keys, point, exists, is_real & is_free2, to_axis2, 2, D, S2, BALANCE)
