"""Centring and scaling as the predictors do them, in tensors, so that an exported file does them itself.

Letters: B batch, N points.
"""

import torch
from torch import Tensor


def centred(
    positions: Tensor,  # [B, N, 3]
    mask: Tensor,  # [B, N]
) -> Tensor:  # [B, N, 3], 0 where masked
    """Each cloud's mean at the origin."""
    visible = mask.unsqueeze(-1)
    mean = positions.where(visible, 0).sum(1, keepdim=True) / mask.sum(1).clamp(min=1).view(-1, 1, 1)
    return (positions - mean).where(visible, 0)


def unit_sphere(
    positions: Tensor,  # [B, N, 3]
    mask: Tensor,  # [B, N]
) -> Tensor:  # [B, N, 3], 0 where masked
    """Each cloud's mean at the origin and its farthest point at distance 1; one whose points are all equal at 0."""
    around = centred(positions, mask)
    reach = around.square().sum(-1, keepdim=True).amax(1, keepdim=True).sqrt()
    return around / reach.where(reach > 0, 1)


def box_frame(
    positions: Tensor,  # [B, N, 3]
    mask: Tensor,  # [B, N]
    diagonal: float,
) -> tuple[Tensor, Tensor]:  # [B, 1, 3], [B, 1, 1]
    """The middle of each cloud's box, and the factor that gives the box this diagonal; 1 for a cloud of one place."""
    visible = mask.unsqueeze(-1)
    low = positions.where(visible, torch.inf).amin(1, keepdim=True)
    high = positions.where(visible, -torch.inf).amax(1, keepdim=True)
    length = (high - low).square().sum(-1, keepdim=True).sqrt()
    return (low + high) / 2, (diagonal / length).where(length > 0, 1)
