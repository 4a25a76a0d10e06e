"""The auction on the CPU: csrc/auction.cpp, a bid at a time, each found in a tree."""

import ctypes

import torch
from torch import Tensor

from cloud_transformers import native


def is_usable() -> bool:
    return native.is_usable("auction")


def assign(
    prediction: Tensor,  # [B, N, 3] float32, finite, in a cube of side 1, contiguous
    target: Tensor,  # [B, N, 3]
    eps: float,
    rounds: int,
) -> Tensor:  # [B, N] int64, a permutation per cloud
    B, N, _ = prediction.shape
    assignment = torch.empty(B, N, dtype=torch.int32)
    native.load("auction").auction(
        native.pointer(prediction),
        native.pointer(target),
        ctypes.c_int64(B),
        ctypes.c_int64(N),
        ctypes.c_float(eps),
        ctypes.c_int64(rounds * N),
        native.pointer(assignment),
        native.num_threads(),
    )
    return assignment.long()
