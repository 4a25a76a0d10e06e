"""The cloud transform: rasterise, convolve, de-rasterise; and the blocks built of it.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, w grid side, F model width, Z style
channels.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any

import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.layers.keys import KeyValueProjection, MakeNorm, check_inputs, project_together
from cloud_transformers.layers.norm import (
    depends_on_batch,
    fixed_scale_and_shift,
    joined_affine,
    normalize_together,
    track_together,
)
from cloud_transformers.layers.recompute import forgetting
from cloud_transformers.ops import BlockTensors, HeadGroup, cloud_transform, fused_block, is_fusible


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
        read = self.read(keys, values, mask)
        return normalize_together([self.norm], [read], mask, style, relu=True)

    def read(
        self,
        keys: Tensor,  # [B, H, N, D]
        values: Tensor,  # [B, H, N, C]
        mask: Tensor | None = None,  # [B, N]
    ) -> Tensor:  # [B, N, H * C]
        """What points read off the convolved grids, before normalisation."""
        assert self.conv.bias is not None
        return self._transformed(keys, values, self.conv.weight, self.conv.bias, mask)

    def read_folded(
        self,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None,
        scale: Tensor,
        shift: Tensor,
        out: Tensor | None = None,  # [B, N, H * C]
    ) -> Tensor:  # [B, N, H * C]
        """The same with a normalisation by `scale` and `shift` [H * C], and ReLU; into `out`, if that is given.

        Interpolation weights sum to one, so that the normalisation can be folded into the convolution.
        """
        assert self.conv.bias is not None
        weight = self.conv.weight * scale.view(-1, *[1] * (self.conv.weight.dim() - 1))
        place = None if out is None else rearrange(out, "b n (h c) -> b h n c", h=keys.shape[1])
        bias = self.conv.bias * scale + shift
        return self._transformed(keys, values, weight, bias, mask, relu=True, out=place)

    def _transformed(
        self, keys: Tensor, values: Tensor, weight: Tensor, bias: Tensor, mask: Tensor | None, **how: Any
    ) -> Tensor:
        read = cloud_transform(
            values, keys, weight, bias, self.size, reduce=self.reduce, mask=mask, balance=self.balance, **how
        )
        return rearrange(read, "b h n c -> b n (h c)")

    @cached_property
    def head_group(self) -> HeadGroup:
        keys = self.projection.keys
        return HeadGroup(
            num_heads=keys.num_heads,
            num_residuals=keys.num_residuals,
            channels=self.out_channels // keys.num_heads,
            size=self.size,
            reduce=self.reduce,
            balance=self.balance,
            squash=keys.squash_name,
        )

    def head_tensors(self, positions: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What the operators need: shift and matrix of the keys, weight and bias of the convolution."""
        assert self.conv.bias is not None
        return *self.projection.keys.transform(positions), self.conv.weight, self.conv.bias

    def extra_repr(self) -> str:
        return f"grid {'x'.join(map(str, self.size))}, {self.reduce}, {'' if self.balance else 'not '}balanced"


class MultiHeadBlock(nn.Module):
    """MHCT: groups of heads in parallel, one linear map over all they return, and a residual around the whole."""

    def __init__(
        self, transforms: Sequence[CloudTransform], in_width: int, out_width: int, make_norm: MakeNorm
    ) -> None:
        super().__init__()
        self.transforms: Sequence[CloudTransform] = nn.ModuleList(transforms)  # type: ignore[assignment]
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
        groups = None if torch.compiler.is_compiling() else self._fusible_groups(features, positions)
        if groups is not None:
            return self._fused(groups, features, positions, mask, style)
        # Compilers decide by themselves what to compute again.
        with nullcontext() if torch.compiler.is_compiling() else forgetting():
            projections = [transform.projection for transform in self.transforms]
            heads = project_together(projections, features, positions, mask, style)
            update = self.linear(self._joined_reads(heads, mask, style))
        residual = self._residual(features, mask, style)
        return normalize_together(
            [self.norm], [update], mask, style, relu=True, residual=features if residual is None else residual
        )

    def _residual(self, features: Tensor, mask: Tensor | None, style: Tensor | None) -> Tensor | None:
        """None where it is the features themselves."""
        if self.skip is None or self.skip_norm is None:
            return None
        skipped: Tensor = self.skip_norm(self.skip(features), mask, style)
        return skipped

    def _fusible_groups(self, features: Tensor, positions: Tensor) -> list[HeadGroup] | None:
        """The groups of heads, if the whole block can run as one operator: in training, on a CPU, in one process."""
        norms = [norm for t in self.transforms for norm in (*t.projection.norms, t.norm)] + [self.norm]
        if not all(depends_on_batch(norm) for norm in norms):
            return None
        if any(transform.projection.keys.mode == "linear" for transform in self.transforms):
            return None
        groups = [transform.head_group for transform in self.transforms]
        return groups if is_fusible(groups, features, positions, self.linear.weight) else None

    def _fused(
        self,
        groups: Sequence[HeadGroup],
        features: Tensor,
        positions: Tensor,
        mask: Tensor | None,
        style: Tensor | None,
    ) -> Tensor:
        projections = [transform.projection for transform in self.transforms]
        weight = torch.cat([projection.linear.weight for projection in projections])
        check_inputs(weight, features, positions, mask)
        norms = (
            [norm for projection in projections for norm in projection.norms],
            [transform.norm for transform in self.transforms],
            [self.norm],
        )
        factors = [factor for projection in projections for factor in projection.factors]
        entry = joined_affine(norms[0], style, features, factors)
        reading, leaving = (joined_affine(part, style, features) for part in norms[1:])
        tensors = BlockTensors(
            projection=weight,
            entry_weight=entry[0],
            entry_bias=entry[1],
            heads=[transform.head_tensors(positions) for transform in self.transforms],
            read_weight=reading[0],
            read_bias=reading[1],
            linear=self.linear.weight,
            exit_weight=leaving[0],
            exit_bias=leaving[1],
        )
        residual = self._residual(features, mask, style)
        output, statistics = fused_block(features, positions, residual, mask, groups, tensors)
        for part, (mean, variance) in zip(norms, statistics, strict=True):
            track_together(part, mean, variance, features, mask)
        return output

    def _joined_reads(
        self, heads: Sequence[tuple[Tensor, Tensor]], mask: Tensor | None, style: Tensor | None
    ) -> Tensor:  # [B, N, sum of H * C]
        norms = [transform.norm for transform in self.transforms]
        pairs = list(zip(self.transforms, heads, strict=True))
        fixed = fixed_scale_and_shift(norms)
        if fixed is None:
            return normalize_together(norms, [t.read(*head, mask) for t, head in pairs], mask, style, relu=True)
        sizes = [transform.out_channels for transform in self.transforms]
        centre, scale, shift = fixed
        folds = zip(scale.split(sizes), (shift - centre * scale).split(sizes), strict=True)
        if torch.is_grad_enabled() or torch.compiler.is_compiling():
            reads = [t.read_folded(*head, mask, *fold) for (t, head), fold in zip(pairs, folds, strict=True)]
            return torch.cat(reads, dim=-1)
        keys, values = heads[0]
        joined = values.new_empty(keys.shape[0], keys.shape[2], sum(sizes), dtype=keys.dtype)
        for (t, head), fold, place in zip(pairs, folds, joined.split(sizes, dim=-1), strict=True):
            t.read_folded(*head, mask, *fold, out=place)
        return joined


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
