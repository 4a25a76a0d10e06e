"""Rotations in plain PyTorch: the specification that the fast kernel is held to."""

import torch
from torch import Tensor


def rotation_matrix(
    log_rotation: Tensor,  # [..., 3] rotation vectors: direction is the axis, length the angle in radians
) -> Tensor:  # [..., 3, 3]
    """Rodrigues' formula, exp of a rotation vector. The squared angle is clamped from below at 1e-4, as released.

    >>> ct.ops.rotation_matrix(torch.tensor([0.0, 0.0, torch.pi / 2])).round().tolist()  # a quarter turn about z
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    x, y, z = log_rotation.unbind(-1)
    zero = torch.zeros_like(x)
    skew = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))
    angle_squared = log_rotation.square().sum(-1).clamp(min=1e-4)[..., None, None]
    angle = angle_squared.sqrt()
    identity = torch.eye(3, dtype=log_rotation.dtype, device=log_rotation.device)
    return identity + angle.sin() / angle * skew + (1 - angle.cos()) / angle_squared * skew @ skew
