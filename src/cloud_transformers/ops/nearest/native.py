"""Nearest neighbours on the CPU: csrc/nearest.cpp, a search tree."""

import torch
from torch import Tensor

from cloud_transformers import native


def search(
    queries: Tensor,  # [B, N, 3] float32, finite
    points: Tensor,  # [B, M, 3] float32, finite
    is_there: Tensor,  # [B, M] bool, which points may be found
) -> Tensor:  # [B, N] int64, -1 where there is no point
    B, N, _ = queries.shape
    queries, points, is_there = queries.contiguous(), points.contiguous(), is_there.contiguous()
    index = torch.empty(B, N, dtype=torch.int32)
    native.call("nearest", "nearest_search", queries, points, is_there, B, N, points.shape[1], index)
    return index.long()
