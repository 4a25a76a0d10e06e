"""Nearest neighbours on the CPU: csrc/nearest.cpp, a search tree."""

import ctypes

import torch
from torch import Tensor

from cloud_transformers import native


def is_usable() -> bool:
    return native.is_usable("nearest")


def search(
    queries: Tensor,  # [B, N, 3] float32, finite
    points: Tensor,  # [B, M, 3] float32, finite
    is_there: Tensor,  # [B, M] bool, which points may be found
) -> Tensor:  # [B, N] int64, -1 where there is no point
    B, N, _ = queries.shape
    queries, points, is_there = queries.contiguous(), points.contiguous(), is_there.contiguous()
    index = torch.empty(B, N, dtype=torch.int32)
    native.load("nearest").nearest(
        native.pointer(queries),
        native.pointer(points),
        native.pointer(is_there),
        ctypes.c_int64(B),
        ctypes.c_int64(N),
        ctypes.c_int64(points.shape[1]),
        native.pointer(index),
        native.num_threads(),
    )
    return index.long()
