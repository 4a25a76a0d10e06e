"""Nearest neighbours in plain PyTorch, for any device: every distance is computed, a bounded number at a time."""

import torch
from torch import Tensor

DISTANCES_AT_ONCE = 1 << 24  # 64 MB in float32: no more distances than this are held at a time


def search(
    queries: Tensor,  # [B, N, 3] finite
    points: Tensor,  # [B, M, 3] finite
    is_there: Tensor,  # [B, M] bool, which points may be found
) -> Tensor:  # [B, N] int64, -1 where there is no point
    B, M, _ = points.shape
    if M == 0:
        return torch.full(queries.shape[:2], -1, device=queries.device)
    absent = torch.zeros_like(points[..., 0]).masked_fill(~is_there, torch.inf)[:, None]  # [B, 1, M]
    found = []
    for some in queries.split(max(1, DISTANCES_AT_ONCE // max(1, B * M)), dim=1):
        # Not by way of a matrix product, which loses the small distances to rounding.
        distances = torch.cdist(some, points, compute_mode="donot_use_mm_for_euclid_dist")
        least, index = (distances + absent).min(dim=2)
        found.append(index.where(least < torch.inf, -1))
    return torch.cat(found, dim=1)
