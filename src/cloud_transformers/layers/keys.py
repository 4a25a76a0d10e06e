"""Where and what: from point features to the keys and values of a group of heads.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, F model width, Z style channels.
"""

from collections.abc import Callable
from typing import Literal, get_args

import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.layers.norm import MaskedBatchNorm

KeyMode = Literal["full", "linear", "fixed", "identity", "no_residual"]
Squash = Literal["tanh", "sigmoid"]
MakeNorm = Callable[[int], nn.Module]  # channels -> a normalisation, called as norm(features, mask, style)


def rotation_matrix(log_rotation: Tensor) -> Tensor:  # [..., 3] -> [..., 3, 3]
    """Rodrigues' formula, exp of a rotation vector. The squared angle is clamped from below at 1e-4, as released."""
    x, y, z = log_rotation.unbind(-1)
    zero = torch.zeros_like(x)
    skew = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))
    angle_squared = log_rotation.square().sum(-1).clamp(min=1e-4)[..., None, None]
    angle = angle_squared.sqrt()
    identity = torch.eye(3, dtype=log_rotation.dtype, device=log_rotation.device)
    return identity + angle.sin() / angle * skew + (1 - angle.cos()) / angle_squared * skew @ skew


class KeyProjection(nn.Module):
    """Positions, and residuals predicted from features, to keys in (-1, 1): key = squash(T(position + residual)).

    T is a rotation and a shift per head, learned; planar heads drop z after the rotation. The `mode`:

    - "full": the above. Residuals start at zero: through the weight of their BatchNorm, or, where the normalisation
      has no weight of its own (AdaIN), through one learned factor.
    - "linear": key = squash(residual). No positions, no T.
    - "fixed": key = squash(R position), R a random rotation that is never trained.
    - "identity": T is the identity.
    - "no_residual": key = squash(T(position)).

    `scales` adds a learned factor per head and key axis, after T. `squash`: the release's tanh, or the paper's
    sigmoid to (0, 1), seen on the grid as 2 sigmoid - 1; with `balance` the factor 2 is, like the grid's size,
    left out of the backward pass.
    """

    def __init__(
        self,
        num_heads: int,
        dim: int,
        make_norm: MakeNorm,
        *,
        mode: KeyMode = "full",
        squash: Squash = "tanh",
        scales: bool = False,
        balance: bool = True,
    ) -> None:
        super().__init__()
        if mode not in get_args(KeyMode):
            raise ValueError(f"keys must be one of {', '.join(get_args(KeyMode))}, got {mode!r}")
        if squash not in get_args(Squash):
            raise ValueError(f"squash must be one of {', '.join(get_args(Squash))}, got {squash!r}")
        self.num_heads, self.dim, self.mode, self.squash, self.balance = num_heads, dim, mode, squash, balance

        predicted = {"full": 3, "identity": 3, "linear": dim, "fixed": 0, "no_residual": 0}[mode]
        self.num_residuals = num_heads * predicted
        self.norm = make_norm(self.num_residuals) if predicted else None
        self.residual_scale = None
        if mode in ("full", "identity"):
            if isinstance(self.norm, MaskedBatchNorm):
                nn.init.zeros_(self.norm.weight)
            else:
                self.residual_scale = nn.Parameter(torch.zeros(()))

        self.log_rotation: Tensor | None
        learned = mode in ("full", "no_residual")
        if mode == "fixed":
            self.register_buffer("log_rotation", torch.randn(num_heads, 3))
        else:
            self.register_parameter("log_rotation", nn.Parameter(torch.randn(num_heads, 3)) if learned else None)
        self.shift = nn.Parameter(torch.zeros(num_heads, 3)) if learned else None
        self.scales = nn.Parameter(torch.ones(num_heads, dim)) if scales else None

    def forward(
        self,
        positions: Tensor,  # [B, N, 3]
        residuals: Tensor,  # [B, N, num_residuals]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:  # [B, H, N, D]
        if self.norm is not None:
            residuals = self.norm(residuals, mask, style)
        # A half-precision key cannot address a large grid, so everything from here on is at least float32.
        with torch.autocast(positions.device.type, enabled=False):
            precision = torch.promote_types(positions.dtype, torch.float32)
            keys = self._transform(positions.to(precision), residuals.to(precision))
            if self.scales is not None:
                keys = keys * self.scales[:, None]
            if self.squash == "tanh":
                return keys.tanh()
            unit = keys.sigmoid()
            return unit + (unit - 1).detach() if self.balance else 2 * unit - 1

    def _transform(self, positions: Tensor, residuals: Tensor) -> Tensor:  # -> [B, H, N, D]
        if self.mode == "linear":
            return rearrange(residuals, "b n (h d) -> b h n d", h=self.num_heads)
        points = positions[:, None]  # [B, 1, N, 3]
        if self.residual_scale is not None:
            residuals = residuals * self.residual_scale
        if self.mode in ("full", "identity"):
            points = points + rearrange(residuals, "b n (h d) -> b h n d", h=self.num_heads)
        if self.shift is not None:
            points = points + self.shift[:, None]
        if self.log_rotation is None:
            return points[..., : self.dim]
        # Points are rows: p @ R. Planar heads need only the first two columns.
        return points @ rotation_matrix(self.log_rotation)[..., : self.dim]

    def extra_repr(self) -> str:
        return f"{self.num_heads} heads, {self.dim}D, {self.mode}, {self.squash}"


class KeyValueProjection(nn.Module):
    """One linear map predicts, for all heads of a group, the key residuals (first) and the values."""

    def __init__(self, width: int, channels: int, keys: KeyProjection, make_norm: MakeNorm) -> None:
        super().__init__()
        self.keys = keys
        self.num_values = keys.num_heads * channels
        self.linear = nn.Linear(width, keys.num_residuals + self.num_values, bias=False)
        self.value_norm = make_norm(self.num_values)

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> tuple[Tensor, Tensor]:  # keys [B, H, N, D], values [B, H, N, C]
        residuals, values = self.linear(features).split([self.keys.num_residuals, self.num_values], dim=-1)
        values = self.value_norm(values, mask, style)
        keys = self.keys(positions, residuals, mask, style)
        return keys, rearrange(values, "b n (h c) -> b h n c", h=self.keys.num_heads)
