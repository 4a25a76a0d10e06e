"""Keys in plain PyTorch: the specification that the fast kernel is held to.

Letters: B batch, H heads, N points, D grid dimension.
"""

import torch
from einops import rearrange
from torch import Tensor


def forward(
    positions: Tensor,  # [B, N, 3]
    residuals: Tensor | None,  # [B, N, H * 3]
    shift: Tensor,  # [H, 3]
    matrix: Tensor,  # [H, 3, D]
    gain: float,
) -> Tensor:  # [B, H, N, D]
    return (gain * (_points(positions, residuals, shift) @ matrix)).tanh()


def backward(
    gradient: Tensor,  # [B, H, N, D]
    keys: Tensor,  # [B, H, N, D], as returned by forward
    positions: Tensor,
    residuals: Tensor | None,
    shift: Tensor,
    matrix: Tensor,
    slope: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of positions, residuals (empty without any), shift and matrix."""
    to_key = gradient * slope * (1 - keys.square())
    to_points = to_key @ matrix.transpose(1, 2)  # [B, H, N, 3]
    to_residuals = rearrange(to_points, "b h n d -> b n (h d)").contiguous()
    points = _points(positions, residuals, shift).expand(to_points.shape)
    to_matrix = torch.einsum("bhni,bhnd->hid", points, to_key)
    return (
        to_points.sum(1),
        to_residuals if residuals is not None else positions.new_empty(0),
        to_points.sum((0, 2)),
        to_matrix,
    )


def _points(positions: Tensor, residuals: Tensor | None, shift: Tensor) -> Tensor:  # [B, H, N, 3]
    points = positions[:, None] + shift[:, None]
    return points if residuals is None else points + rearrange(residuals, "b n (h d) -> b h n d", d=3)
