"""Rotations of heads, learned as rotation vectors.

Letters: H heads, D grid dimension (2 or 3).
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from cloud_transformers.ops.backend import backend_for
from cloud_transformers.ops.rotation import reference


def head_rotations(
    logs: Tensor,  # [H, 3] rotation vectors: direction is the axis, length the angle in radians
    dimension: int,  # D, 2 or 3
) -> Tensor:  # [H, 3, D]
    """The first D columns of the matrices exp(log): see the reference.

    It is some forty operations of torch on a handful of numbers, forward and backward, so a kernel of its own pays.
    """
    traced = torch.compiler.is_compiling() or type(logs) not in (Tensor, torch.nn.Parameter)
    if traced or backend_for("rotation", logs) != "native":
        return reference.rotation_matrix(logs)[..., :dimension]
    matrices: Tensor = _Rotations.apply(logs, dimension)
    return matrices


class _Rotations(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, logs: Tensor, dimension: int) -> Tensor:
        from cloud_transformers.ops.rotation import native

        ctx.save_for_backward(logs)
        return native.forward(logs, dimension)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        from cloud_transformers.ops.rotation import native

        (logs,) = ctx.saved_tensors
        return native.backward(gradient, logs), None
