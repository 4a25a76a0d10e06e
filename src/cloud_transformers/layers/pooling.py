"""Multi-head pooling: from a cloud of points to one vector, by rasterising it and looking at the grids with ConvNets.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, F model width.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import torch
from einops import rearrange, reduce
from torch import Tensor, nn

from cloud_transformers.layers.keys import KeyValueProjection
from cloud_transformers.layers.norm import MaskedBatchNorm, fixed_scale_and_shift, folded
from cloud_transformers.layers.prepared import MOST_BYTES_KEPT, Prepared
from cloud_transformers.ops import rasterize


class ResidualConv(nn.Module):
    """conv3, BN, ReLU, conv3, BN, plus the input, ReLU; each head apart. 1x1 conv + BN on the skip if widths differ."""

    def __init__(self, num_heads: int, dim: int, in_channels: int, out_channels: int) -> None:
        super().__init__()
        convolution = nn.Conv2d if dim == 2 else nn.Conv3d
        inside, outside = num_heads * in_channels, num_heads * out_channels
        self.conv1 = convolution(inside, outside, 3, padding=1, groups=num_heads, bias=False)
        self.norm1 = MaskedBatchNorm(outside, channel_axis=1)
        self.conv2 = convolution(outside, outside, 3, padding=1, groups=num_heads, bias=False)
        self.norm2 = MaskedBatchNorm(outside, channel_axis=1)
        same = in_channels == out_channels
        self.skip = None if same else convolution(inside, outside, 1, groups=num_heads, bias=False)
        self.skip_norm = None if same else MaskedBatchNorm(outside, channel_axis=1)
        self.prepared: Prepared[list[tuple[Tensor, Tensor]] | None] = Prepared()

    def forward(
        self,
        grid: Tensor,  # [B, H * C, *size]
        cloud_mask: Tensor | None = None,  # [B]: False = no point of that cloud is visible
    ) -> Tensor:
        autocast = torch.is_autocast_enabled(grid.device.type)
        if not (torch.is_grad_enabled() or autocast or torch.compiler.is_compiling()):
            weights = self.prepared.get(self, self._folded, lambda weights: weights is not None)
            if weights is not None:
                return self._evaluated(grid, weights)
        update = self.norm1(self.conv1(grid), cloud_mask).relu()
        update = self.norm2(self.conv2(update), cloud_mask)
        if self.skip is not None and self.skip_norm is not None:
            grid = self.skip_norm(self.skip(grid), cloud_mask)
        return (grid + update).relu()

    def _folded(self) -> list[tuple[Tensor, Tensor]] | None:
        """Weight and bias of each convolution, normalisation folded in; None: that is not fixed, or they are large."""
        pairs = [(self.conv1, self.norm1), (self.conv2, self.norm2), (self.skip, self.skip_norm)]
        weights = []
        for conv, norm in pairs:
            if conv is None or norm is None:
                continue
            fixed = fixed_scale_and_shift([norm])
            if fixed is None or conv.weight.nbytes > MOST_BYTES_KEPT:
                return None
            weights.append(folded(conv.weight, None, *fixed))
        return weights

    def _evaluated(self, grid: Tensor, weights: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
        convolve = torch.conv2d if grid.dim() == 4 else torch.conv3d
        first, second, *skip = weights
        update = convolve(grid, *first, padding=1, groups=self.conv1.groups).relu_()
        update = convolve(update, *second, padding=1, groups=self.conv1.groups)
        update += convolve(grid, *skip[0], groups=self.conv1.groups) if skip else grid
        return update.relu_()


class CloudPooling(nn.Module):
    """The heads of one kind: rasterise, a small ConvNet per head (residual blocks, max-pooling between), mean."""

    def __init__(
        self,
        projection: KeyValueProjection,  # from features to the heads' keys and values
        side: int,  # nodes of the grid along each axis
        widths: Sequence[int],  # channels per head after each residual block; the grid is halved between two blocks
        *,
        reduce: str = "max",  # as in `ops.rasterize`
        balance: bool = True,  # as in `ops.rasterize`
    ) -> None:
        super().__init__()
        keys = projection.keys
        if side < 2 ** (len(widths) - 1):
            raise ValueError(f"a grid of side {side} is too small to be halved {len(widths) - 1} times")
        self.projection = projection
        self.size = (side,) * keys.dim
        self.reduce, self.balance = reduce, balance
        channels = [projection.num_values // keys.num_heads, *widths]
        self.widths = tuple(widths)
        self.blocks = nn.ModuleList(ResidualConv(keys.num_heads, keys.dim, a, b) for a, b in pairwise(channels))
        self.halve = nn.MaxPool2d(2) if keys.dim == 2 else nn.MaxPool3d(2)
        self.out_channels = keys.num_heads * channels[-1]

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
    ) -> Tensor:  # [B, H * C]
        keys, values = self.projection(features, positions, mask)
        grid = rasterize(values, keys, self.size, reduce=self.reduce, mask=mask, balance=self.balance)
        if self._channels_last(0, self.size):
            grid = rearrange(grid, "b h ... c -> b ... (h c)").movedim(-1, 1)
        else:
            grid = rearrange(grid, "b h ... c -> b (h c) ...")
        cloud_mask = None if mask is None else mask.any(1)
        for index, block in enumerate(self.blocks):
            if index:
                grid = self.halve(grid)
                if not self._channels_last(index, grid.shape[2:]):
                    grid = grid.contiguous()
            grid = block(grid, cloud_mask)
        return reduce(grid, "b c ... -> b c", "mean")

    def _channels_last(self, index: int, size: Sequence[int]) -> bool:
        """Whether a block's grids are best laid out so: with few channels per head, that is two to three times as fast.

        With many, or few nodes, it is slower.
        """
        return self.widths[index] <= 16 and prod(size) >= 64


class MultiHeadPooling(nn.Module):
    """Kinds of heads in parallel; their vectors, concatenated, through a linear map, BatchNorm and ReLU."""

    def __init__(
        self,
        poolings: Sequence[CloudPooling],  # one for each kind of heads
        out_channels: int,  # of the vector
    ) -> None:
        super().__init__()
        self.poolings = nn.ModuleList(poolings)
        self.linear = nn.Linear(sum(pooling.out_channels for pooling in poolings), out_channels)
        self.norm = MaskedBatchNorm(out_channels)

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
    ) -> Tensor:  # [B, out_channels]
        pooled = torch.cat([pooling(features, positions, mask) for pooling in self.poolings], dim=-1)
        cloud_mask = None if mask is None else mask.any(1)
        return self.norm(self.linear(pooled), cloud_mask).relu()
