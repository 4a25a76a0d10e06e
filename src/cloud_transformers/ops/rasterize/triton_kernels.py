"""Rasterise with Triton kernels, float32 on a GPU: the same signatures and results as the reference.

One program takes a block of one head's points, and atomics meet at the grid's nodes. The maximum and its winners do not
depend on the order in which they meet, so they are exact; sums do, and may differ in their last bits from run to run.
The backward pass only gathers, so it is deterministic.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, S0, S1, S2 grid nodes per axis.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from cloud_transformers.native import scratch
from cloud_transformers.ops import triton_corners
from cloud_transformers.ops.rasterize import reference
from cloud_transformers.ops.triton_corners import (
    block_of_points,
    corner_node,
    corner_slopes,
    corner_weight,
    locate,
    store_key_gradient,
)

NODES_PER_PROGRAM = 1024

_NOBODY = tl.constexpr(reference.NOBODY)
_NOT_A_NUMBER = tl.constexpr(0x7FC00000)  # its bits: above those of every number
_INVERSION = tl.constexpr(0x7FFFFFFF)  # turns the order of point indices round


def forward(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D] in [-1, 1]
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,  # [B, N], True = a real point
) -> tuple[Tensor, Tensor]:
    """The grid [B, H, *size, C], and the note for the backward pass: see the reference."""
    if values.dtype != torch.float32 or values.numel() == 0:
        return reference.forward(values, keys, size, reduce, mask)
    B, H, N, C = values.shape
    values, keys, mask = values.contiguous(), keys.contiguous(), _contiguous(mask)
    programs = triton_corners.programs(B, H, N, C)
    constants = triton_corners.constants(H, C, size, mask is not None)
    if reduce == "max":
        packed = torch.zeros(B, H, *size, C, dtype=torch.int64, device=values.device)
        _scatter_max[programs](values, keys, mask, packed, N, **constants)
        grid, winner = scratch(B, H, *size, C, like=values), packed.new_empty(packed.shape, dtype=torch.int32)
        num_programs = triton.cdiv(packed.numel(), NODES_PER_PROGRAM)
        _unpack_max[(num_programs,)](packed, grid, winner, packed.numel(), BLOCK=NODES_PER_PROGRAM)
        return grid, winner
    grid = values.new_zeros(B, H, *size, C)
    count = values.new_zeros((B, H, *size) if reduce == "mean" else (0,), dtype=torch.int32)
    _scatter_sum[programs](values, keys, mask, grid, count, N, COUNTS=reduce == "mean", **constants)
    return grid / count.clamp(min=1)[..., None] if reduce == "mean" else grid, count


def backward(
    grid_gradient: Tensor,  # [B, H, *size, C]
    values: Tensor,
    keys: Tensor,
    size: tuple[int, ...],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
    note: Tensor,  # as returned by forward
) -> tuple[Tensor, Tensor]:
    """Gradients of values and keys."""
    if values.dtype != torch.float32 or values.numel() == 0:
        return reference.backward(grid_gradient, values, keys, size, reduce, mask, balance, note)
    B, H, N, C = values.shape
    values, keys, mask = values.contiguous(), keys.contiguous(), _contiguous(mask)
    value_gradient, key_gradient = scratch(*values.shape, like=values), scratch(*keys.shape, like=keys)
    _gather_gradient[triton_corners.programs(B, H, N, C)](
        *(grid_gradient.contiguous(), values, keys, mask, note.contiguous(), value_gradient, key_gradient, N),
        IS_MAX=reduce == "max",
        IS_MEAN=reduce == "mean",
        BALANCE=balance,
        **triton_corners.constants(H, C, size, mask is not None),
    )
    return value_gradient, key_gradient


def _contiguous(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.contiguous()


@triton.jit
def _scatter_max(
    values, keys, mask, packed, N,
    H: tl.constexpr, C: tl.constexpr, CHANNELS: tl.constexpr, POINTS: tl.constexpr,
    D: tl.constexpr, S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, HAS_MASK: tl.constexpr,
):  # fmt: skip
    """Into each node the greatest of (bits of the contribution, inverted point index), as one 64-bit integer.

    Bits of positive floats are ordered as the floats are. What is not a number wins over every number, as in the
    reference; what is not positive stays out.
    """
    head, point, _, is_real = block_of_points(mask, N, H, HAS_MASK, POINTS)
    channel = tl.arange(0, CHANNELS)
    is_real_channel = is_real[:, None] & (channel < C)[None, :]
    value = tl.load(values + head * N * C + point[:, None] * C + channel[None, :], mask=is_real_channel, other=0.0)
    lower0, fraction0, _ = locate(keys + head * N * D, point, is_real, 0, D, S0)
    lower1, fraction1, _ = locate(keys + head * N * D, point, is_real, 1, D, S1)
    lower2, fraction2, _ = locate(keys + head * N * D, point, is_real, 2, D, S2)
    for k in tl.static_range(1 << D):
        node = corner_node(lower0, lower1, lower2, S0, S1, S2, k << (3 - D))
        contribution = corner_weight(fraction0, fraction1, fraction2, k << (3 - D))[:, None] * value
        is_number = contribution == contribution
        bits = tl.where(is_number, contribution.to(tl.int32, bitcast=True), _NOT_A_NUMBER)
        rank = (bits.to(tl.int64) << 32) | (point ^ _INVERSION)[:, None].to(tl.int64)
        target = packed + head * (S0 * S1 * S2 * C) + node[:, None] * C + channel[None, :]
        tl.atomic_max(target, rank, mask=is_real_channel & ((contribution > 0.0) | (is_number == 0)), sem="relaxed")


@triton.jit
def _unpack_max(packed, grid, winner, count, BLOCK: tl.constexpr):
    entry = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    exists = entry < count
    rank = tl.load(packed + entry, mask=exists, other=0)
    bits = (rank >> 32).to(tl.int32)
    has_winner = (bits > 0) & (bits < _NOT_A_NUMBER)
    index = (rank & _INVERSION).to(tl.int32) ^ _INVERSION
    tl.store(grid + entry, bits.to(tl.float32, bitcast=True), mask=exists)
    tl.store(winner + entry, tl.where(has_winner, index, _NOBODY), mask=exists)


@triton.jit
def _scatter_sum(
    values, keys, mask, grid, count, N,
    COUNTS: tl.constexpr,
    H: tl.constexpr, C: tl.constexpr, CHANNELS: tl.constexpr, POINTS: tl.constexpr,
    D: tl.constexpr, S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, HAS_MASK: tl.constexpr,
):  # fmt: skip
    head, point, _, is_real = block_of_points(mask, N, H, HAS_MASK, POINTS)
    channel = tl.arange(0, CHANNELS)
    is_real_channel = is_real[:, None] & (channel < C)[None, :]
    value = tl.load(values + head * N * C + point[:, None] * C + channel[None, :], mask=is_real_channel, other=0.0)
    lower0, fraction0, _ = locate(keys + head * N * D, point, is_real, 0, D, S0)
    lower1, fraction1, _ = locate(keys + head * N * D, point, is_real, 1, D, S1)
    lower2, fraction2, _ = locate(keys + head * N * D, point, is_real, 2, D, S2)
    for k in tl.static_range(1 << D):
        node = corner_node(lower0, lower1, lower2, S0, S1, S2, k << (3 - D))
        contribution = corner_weight(fraction0, fraction1, fraction2, k << (3 - D))[:, None] * value
        target = grid + head * (S0 * S1 * S2 * C) + node[:, None] * C + channel[None, :]
        tl.atomic_add(target, contribution, mask=is_real_channel, sem="relaxed")
        if COUNTS:
            # On an axis of one node both ends are that node; a point counts there once.
            is_repeated = (
                ((S0 == 1) & ((k << (3 - D)) // 4 % 2 == 1))
                | ((S1 == 1) & ((k << (3 - D)) // 2 % 2 == 1))
                | ((S2 == 1) & ((k << (3 - D)) % 2 == 1))
            )
            if not is_repeated:
                tl.atomic_add(count + head * (S0 * S1 * S2) + node, 1, mask=is_real, sem="relaxed")


@triton.jit
def _gather_gradient(
    grid_gradient, values, keys, mask, note, value_gradient, key_gradient, N,
    IS_MAX: tl.constexpr, IS_MEAN: tl.constexpr, BALANCE: tl.constexpr,
    H: tl.constexpr, C: tl.constexpr, CHANNELS: tl.constexpr, POINTS: tl.constexpr,
    D: tl.constexpr, S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, HAS_MASK: tl.constexpr,
):  # fmt: skip
    """What each point gets back from its corners, for max from those alone that it won."""
    head, point, exists, is_real = block_of_points(mask, N, H, HAS_MASK, POINTS)
    channel = tl.arange(0, CHANNELS)
    is_real_channel = is_real[:, None] & (channel < C)[None, :]
    row = head * N * C + point[:, None] * C + channel[None, :]
    value = tl.load(values + row, mask=is_real_channel, other=0.0)
    lower0, fraction0, is_free0 = locate(keys + head * N * D, point, is_real, 0, D, S0)
    lower1, fraction1, is_free1 = locate(keys + head * N * D, point, is_real, 1, D, S1)
    lower2, fraction2, is_free2 = locate(keys + head * N * D, point, is_real, 2, D, S2)
    to_value = tl.zeros([POINTS, CHANNELS], dtype=tl.float32)
    to_axis0 = tl.zeros([POINTS], dtype=tl.float32)
    to_axis1 = tl.zeros([POINTS], dtype=tl.float32)
    to_axis2 = tl.zeros([POINTS], dtype=tl.float32)
    for k in tl.static_range(1 << D):
        node = corner_node(lower0, lower1, lower2, S0, S1, S2, k << (3 - D))
        entry = head * (S0 * S1 * S2 * C) + node[:, None] * C + channel[None, :]
        received = tl.load(grid_gradient + entry, mask=is_real_channel, other=0.0)
        if IS_MAX:
            winner = tl.load(note + entry, mask=is_real_channel, other=_NOBODY)
            received = tl.where(winner == point[:, None], received, 0.0)
        if IS_MEAN:
            count = tl.load(note + head * (S0 * S1 * S2) + node, mask=is_real, other=1)
            received = received / tl.maximum(count, 1).to(tl.float32)[:, None]
        to_value += corner_weight(fraction0, fraction1, fraction2, k << (3 - D))[:, None] * received
        to_weight = tl.sum(value * received, axis=1)
        slope0, slope1, slope2 = corner_slopes(fraction0, fraction1, fraction2, k << (3 - D))
        to_axis0 += to_weight * slope0
        to_axis1 += to_weight * slope1
        to_axis2 += to_weight * slope2
    tl.store(value_gradient + row, to_value, mask=exists[:, None] & (channel < C)[None, :])
    to_keys = key_gradient + head * N * D
    store_key_gradient(to_keys, point, exists, is_real & is_free0, to_axis0, 0, D, S0, BALANCE)
    store_key_gradient(to_keys, point, exists, is_real & is_free1, to_axis1, 1, D, S1, BALANCE)
    store_key_gradient(to_keys, point, exists, is_real & is_free2, to_axis2, 2, D, S2, BALANCE)
