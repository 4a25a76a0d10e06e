"""The auction on the CPU: csrc/emd.cpp, a bid at a time, each found in a tree."""

import torch
from torch import Tensor

from cloud_transformers import native


def assign(
    prediction: Tensor,  # [B, N, 3] float32, finite, in a cube of side 1, contiguous
    target: Tensor,  # [B, N, 3]
    eps: float,
    rounds: int,
) -> Tensor:  # [B, N] int64, a permutation per cloud
    B, N, _ = prediction.shape
    assignment = torch.empty(B, N, dtype=torch.int32)
    native.call("emd", "emd_assign", prediction, target, B, N, eps, rounds * N, assignment)
    return assignment.long()
