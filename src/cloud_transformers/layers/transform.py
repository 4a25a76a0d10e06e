"""The cloud transform: rasterise, convolve, de-rasterise; and the blocks built of it.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, w grid side, F model width, Z style
channels.
"""

from collections.abc import Sequence

import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.layers.keys import KeyValueProjection, MakeNorm
from cloud_transformers.ops import derasterize, rasterize


class CloudTransform(nn.Module):
    """A group of heads of one kind (planar or volumetric, one grid side, one channel count), each with its own grid."""

    def __init__(
        self,
        projection: KeyValueProjection,
        side: int,
        make_norm: MakeNorm,
        *,
        reduce: str = "max",
        balance: bool = True,
    ) -> None:
        super().__init__()
        self.projection = projection
        self.size = (side,) * projection.keys.dim
        self.reduce, self.balance = reduce, balance
        self.out_channels = projection.num_values
        convolution = nn.Conv2d if projection.keys.dim == 2 else nn.Conv3d
        self.conv = convolution(
            self.out_channels, self.out_channels, kernel_size=3, padding=1, groups=projection.keys.num_heads
        )
        self.norm = make_norm(self.out_channels)

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:  # [B, N, H * C]
        keys, values = self.projection(features, positions, mask, style)
        grid = rasterize(values, keys, self.size, reduce=self.reduce, mask=mask, balance=self.balance)
        grid = self.conv(rearrange(grid, "b h ... c -> b (h c) ..."))
        grid = rearrange(grid, "b (h c) ... -> b h ... c", h=keys.shape[1])
        read = derasterize(grid, keys, mask=mask, balance=self.balance)
        return self.norm(rearrange(read, "b h n c -> b n (h c)"), mask, style).relu()

    def extra_repr(self) -> str:
        return f"grid {'x'.join(map(str, self.size))}, {self.reduce}, {'' if self.balance else 'not '}balanced"


class MultiHeadBlock(nn.Module):
    """MHCT: groups of heads in parallel, one linear map over all they return, and a residual around the whole."""

    def __init__(
        self, transforms: Sequence[CloudTransform], in_width: int, out_width: int, make_norm: MakeNorm
    ) -> None:
        super().__init__()
        self.transforms = nn.ModuleList(transforms)
        self.linear = nn.Linear(sum(transform.out_channels for transform in transforms), out_width, bias=False)
        self.norm = make_norm(out_width)
        self.skip = None if in_width == out_width else nn.Linear(in_width, out_width, bias=False)
        self.skip_norm = None if in_width == out_width else make_norm(out_width)

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:  # [B, N, F']
        heads = [transform(features, positions, mask, style) for transform in self.transforms]
        update = self.norm(self.linear(torch.cat(heads, dim=-1)), mask, style).relu()
        if self.skip is not None and self.skip_norm is not None:
            features = self.skip_norm(self.skip(features), mask, style)
        return features + update


class Cascade(nn.Module):
    """CMHCT: blocks in sequence, from fine grids with few channels to coarse grids with many.

    Every block gets the input positions of the points, not those of the block before.
    """

    def __init__(self, blocks: Sequence[MultiHeadBlock]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(
        self, features: Tensor, positions: Tensor, mask: Tensor | None = None, style: Tensor | None = None
    ) -> Tensor:
        for block in self.blocks:
            features = block(features, positions, mask, style)
        return features
