"""Where and what: from point features to the keys and values of a group of heads.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, F model width, Z style channels.
"""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import torch
from einops import rearrange
from torch import Tensor, nn
from torch.nn.functional import linear

from cloud_transformers.layers.norm import MaskedBatchNorm, fixed_scale_and_shift, folded, normalize_and_split
from cloud_transformers.ops import head_rotations, project_keys
from cloud_transformers.tensor_checks import ShapeCheck

KeyMode = Literal["full", "linear", "fixed", "identity", "no_residual"]
Squash = Literal["tanh", "sigmoid"]
MakeNorm = Callable[[int], nn.Module]  # channels -> a normalisation, called as norm(features, mask, style)


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
        num_heads: int,  # H
        dim: int,  # D: 2 for planar heads, 3 for volumetric ones
        make_norm: MakeNorm,  # of the residuals
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
        return self.from_normalized(positions, residuals)

    def from_normalized(
        self,
        positions: Tensor,  # [B, N, 3]
        residuals: Tensor,  # [B, N, num_residuals], as `norm` gives them
    ) -> Tensor:  # [B, H, N, D]
        # A half-precision key cannot address a large grid, so everything from here on is at least float32.
        with torch.autocast(positions.device.type, enabled=False):
            precision = torch.promote_types(positions.dtype, torch.float32)
            positions, residuals = positions.to(precision), residuals.to(precision)
            if self.mode == "linear":
                keys = rearrange(residuals, "b n (h d) -> b h n d", h=self.num_heads)
                return self._squashed(keys if self.scales is None else keys * self.scales[:, None])
            if self.residual_scale is not None:
                residuals = residuals * self.residual_scale
            shift, matrix = self.transform(positions)
            return project_keys(
                positions, residuals if self.norm is not None else None, shift, matrix, squash=self.squash_name
            )

    @property
    def squash_name(self) -> str:
        """As `project_keys` calls it."""
        return "balanced_sigmoid" if self.squash == "sigmoid" and self.balance else self.squash

    def transform(self, like: Tensor) -> tuple[Tensor, Tensor]:  # [H, 3], [H, 3, D]
        """T: what is added to points, as rows, and what they are then multiplied by. `like`: of the points' type."""
        shift = like.new_zeros(self.num_heads, 3) if self.shift is None else self.shift
        return shift, self._matrix(like)

    def _matrix(self, like: Tensor) -> Tensor:  # [H, 3, D]
        """From points, as rows, to keys before squashing. Planar heads need only the first two columns."""
        if self.log_rotation is None:
            matrix = torch.eye(3, self.dim, dtype=like.dtype, device=like.device).expand(self.num_heads, 3, self.dim)
        else:
            matrix = head_rotations(self.log_rotation, self.dim)
        return matrix if self.scales is None else matrix * self.scales[:, None]

    def _squashed(self, keys: Tensor) -> Tensor:
        if self.squash == "tanh":
            return keys.tanh()
        unit = keys.sigmoid()
        return unit + (unit - 1).detach() if self.balance else 2 * unit - 1

    def extra_repr(self) -> str:
        return f"{self.num_heads} heads, {self.dim}D, {self.mode}, {self.squash}"


class KeyValueProjection(nn.Module):
    """One linear map predicts, for all heads of a group, the key residuals (first) and the values."""

    def __init__(
        self,
        width: int,  # F, channels of the features
        channels: int,  # C, channels of each head's values
        keys: KeyProjection,  # of the group; it has the number of heads and the grid's dimension
        make_norm: MakeNorm,  # of the values
    ) -> None:
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
        check_inputs(self.linear.weight, features, positions, mask)
        return project_together([self], features, positions, mask, style)[0]

    @property
    def norms(self) -> list[nn.Module]:
        """Of the linear map's outputs, in their order."""
        return [self.value_norm] if self.keys.norm is None else [self.keys.norm, self.value_norm]

    @property
    def factors(self) -> list[Tensor | None]:
        """By which the outputs of `norms` are multiplied; None: by nothing."""
        return [None] if self.keys.norm is None else [self.keys.residual_scale, None]


def project_together(
    projections: Sequence[KeyValueProjection],
    features: Tensor,  # [B, N, F]
    positions: Tensor,  # [B, N, 3]
    mask: Tensor | None = None,  # [B, N]
    style: Tensor | None = None,  # [B, Z]
) -> list[tuple[Tensor, Tensor]]:  # for each: keys [B, H, N, D], values [B, H, N, C]
    """Several projections of the same features as one matrix product and one normalisation.

    Normalisations that do not depend on the data are folded into the matrix.
    """
    weight = torch.cat([projection.linear.weight for projection in projections])
    norms = [norm for projection in projections for norm in projection.norms]
    sizes = [size for projection in projections for size in (projection.keys.num_residuals, projection.num_values)]
    fixed = fixed_scale_and_shift(norms)
    if fixed is not None:
        parts = list(linear(features, *folded(weight, None, *fixed)).split(sizes, dim=-1))
    else:
        parts = normalize_and_split(norms, linear(features, weight), sizes, mask, style)
    return [
        (
            projection.keys.from_normalized(positions, residuals),
            rearrange(values, "b n (h c) -> b h n c", h=projection.keys.num_heads),
        )
        for projection, residuals, values in zip(projections, parts[::2], parts[1::2], strict=True)
    ]


def check_inputs(weight: Tensor, features: Tensor, positions: Tensor, mask: Tensor | None) -> None:
    check = ShapeCheck(weights=weight)
    check("features", features, "B N F", F=weight.shape[1])
    check("positions", positions, "B N 3")
    if mask is not None:
        check("mask", mask, "B N", kind="bool")
