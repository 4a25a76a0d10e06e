"""Rotations with the C++ kernels of csrc/rotation.cpp.

Letters: H heads, D grid dimension.
"""

from torch import Tensor

from cloud_transformers import native


def forward(
    logs: Tensor,  # [H, 3]
    dimension: int,
) -> Tensor:  # [H, 3, D]
    matrices = native.scratch(logs.shape[0], 3, dimension, like=logs)
    native.call("rotation", "rotation_forward", logs.contiguous(), logs.shape[0], dimension, matrices)
    return matrices


def backward(
    gradient: Tensor,  # [H, 3, D]
    logs: Tensor,  # [H, 3]
) -> Tensor:  # [H, 3]
    to_logs = native.scratch(*logs.shape, like=logs)
    heads, _, dimension = gradient.shape
    native.call("rotation", "rotation_backward", gradient.contiguous(), logs.contiguous(), heads, dimension, to_logs)
    return to_logs
