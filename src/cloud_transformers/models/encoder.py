"""From a cloud to point features and one vector: the classifier's body, and the completer's encoder.

Letters: B batch, N points, w grid side, C channels per head, F model width.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from torch import Tensor, nn
from typing_extensions import Unpack

from cloud_transformers.decoding import Between
from cloud_transformers.layers import CloudPooling, MaskedBatchNorm, MultiHeadPooling, Surroundings
from cloud_transformers.models.trunk import (
    Heads,
    Side,
    Size,
    Trunk,
    TrunkConfig,
    TrunkOptions,
    Width,
    check_grid,
    halved,
    hide_masked,
    make_projection,
    make_trunk,
)


@dataclass(frozen=True, kw_only=True)
class GridPoolConfig:
    """The pooling heads of one kind; `widths` are the channels per head after each residual block."""

    side: Side
    channels: Width
    widths: Annotated[tuple[Width, ...], Between(1, 16)]

    def __post_init__(self) -> None:
        if self.side < 2 ** (len(self.widths) - 1):
            raise ValueError(f"a grid of side {self.side} is too small to be halved {len(self.widths) - 1} times")


@dataclass(frozen=True, kw_only=True)
class PoolingConfig:
    num_heads: Heads = 16
    out_channels: Width = 1024
    planar: GridPoolConfig | None = GridPoolConfig(side=16, channels=16, widths=(32, 64, 64))
    volumetric: GridPoolConfig = GridPoolConfig(side=8, channels=32, widths=(64, 64, 64))

    def __post_init__(self) -> None:
        for dim, grid in ((2, self.planar), (3, self.volumetric)):
            if grid is not None:
                check_grid(dim, grid.side, self.num_heads * max(grid.channels, *grid.widths))


POOLINGS: dict[Size, PoolingConfig] = {
    "full": PoolingConfig(),
    "small": PoolingConfig(
        num_heads=4,
        out_channels=256,
        planar=GridPoolConfig(side=16, channels=16, widths=(16, 16, 32)),
        volumetric=GridPoolConfig(side=8, channels=16, widths=(16, 16, 32)),
    ),
    "tiny": PoolingConfig(
        num_heads=4,
        out_channels=64,
        planar=GridPoolConfig(side=8, channels=4, widths=(8, 8, 8)),
        volumetric=GridPoolConfig(side=4, channels=4, widths=(8, 8, 8)),
    ),
}


def pooling_config(size: Size = "full", **options: Unpack[TrunkOptions]) -> PoolingConfig:
    """The pooling that goes with a trunk of these options: `flavour`, `planar` and `coarse` concern it.

    In the paper's text the two grid sides are swapped.
    """
    config = POOLINGS[size]
    sides = config.planar.side if config.planar else 0, config.volumetric.side
    if options.get("flavour") == "paper":
        sides = sides[::-1]
    if options.get("coarse"):
        sides = max(halved(sides[0]), 4), max(halved(sides[1]), 4)
    return replace(
        config,
        planar=replace(config.planar, side=sides[0]) if config.planar and options.get("planar", True) else None,
        volumetric=replace(config.volumetric, side=sides[1]),
    )


class CloudEncoder(nn.Module):
    def __init__(self, trunk: Trunk, pooling: MultiHeadPooling, surroundings: Surroundings | None = None) -> None:
        super().__init__()
        self.surroundings = surroundings
        self.trunk = trunk
        self.pooling = pooling

    def forward(
        self,
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
    ) -> tuple[Tensor, Tensor]:  # point features [B, N, F], cloud vector [B, out_channels]
        positions = hide_masked(positions, mask)
        inputs = positions if self.surroundings is None else self.surroundings(positions, mask)
        features = self.trunk(inputs, positions, mask)
        return features, self.pooling(features, positions, mask)


def make_encoder(
    trunk_config: TrunkConfig,
    pooling_config: PoolingConfig,
    surroundings: Sequence[float] = (),  # sides of cells in which each point's neighbours are described
) -> CloudEncoder:
    heads = trunk_config.heads

    def pooling(dim: int, grid: GridPoolConfig) -> CloudPooling:
        projection = make_projection(
            dim, trunk_config.width, pooling_config.num_heads, grid.channels, heads, MaskedBatchNorm
        )
        return CloudPooling(projection, grid.side, grid.widths, reduce=heads.reduce, balance=heads.balance)

    described = Surroundings(surroundings) if surroundings else None
    trunk = make_trunk(trunk_config, described.channels if described else 3, MaskedBatchNorm)
    poolings = [pooling(2, pooling_config.planar)] if pooling_config.planar else []
    poolings.append(pooling(3, pooling_config.volumetric))
    return CloudEncoder(trunk, MultiHeadPooling(poolings, pooling_config.out_channels), described)
