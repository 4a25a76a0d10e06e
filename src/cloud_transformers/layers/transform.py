"""The cloud transform: rasterise, convolve, de-rasterise; and the blocks built of it.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, w grid side, F model width, Z style
channels.
"""

from collections.abc import Sequence
from functools import cached_property

from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.layers.faster import faster_block
from cloud_transformers.layers.keys import KeyValueProjection, MakeNorm, check_inputs, project_together
from cloud_transformers.layers.norm import normalize_together
from cloud_transformers.layers.prepared import Prepared
from cloud_transformers.ops import HeadGroup, PreparedBlock, cloud_transform
from cloud_transformers.ops.block.recompute import recomputing


class CloudTransform(nn.Module):
    """A group of heads of one kind (planar or volumetric, one grid side, one channel count), each with its own grid.

    >>> make_norm = ct.layers.MaskedBatchNorm
    >>> keys = ct.layers.KeyProjection(num_heads=2, dim=2, make_norm=make_norm)
    >>> projection = ct.layers.KeyValueProjection(width=8, channels=4, keys=keys, make_norm=make_norm)
    >>> heads = ct.layers.CloudTransform(projection, side=16, make_norm=make_norm)
    >>> heads(torch.rand(1, 100, 8), torch.rand(1, 100, 3)).shape
    torch.Size([1, 100, 8])
    """

    def __init__(
        self,
        projection: KeyValueProjection,  # from features to the heads' keys and values
        side: int,  # w, nodes of the grid along each axis
        make_norm: MakeNorm,  # of what points read off the grids
        *,
        reduce: str = "max",  # as in `ops.rasterize`
        balance: bool = True,  # as in `ops.rasterize`
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
        weight, bias = self.conv.weight, self.conv.bias
        read = cloud_transform(
            values, keys, weight, bias, self.size, reduce=self.reduce, mask=mask, balance=self.balance
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

    def head_tensors(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What the operators need: shift and matrix of the keys, weight and bias of the convolution."""
        assert self.conv.bias is not None
        return *self.projection.keys.transform(self.conv.bias), self.conv.weight, self.conv.bias

    def extra_repr(self) -> str:
        return f"grid {'x'.join(map(str, self.size))}, {self.reduce}, {'' if self.balance else 'not '}balanced"


class MultiHeadBlock(nn.Module):
    """MHCT: groups of heads in parallel, one linear map over all they return, and a residual around the whole.

    >>> from cloud_transformers.layers import CloudTransform, KeyProjection, KeyValueProjection, MaskedBatchNorm
    >>> def heads(dim, side):
    ...     keys = KeyProjection(2, dim, MaskedBatchNorm)
    ...     return CloudTransform(KeyValueProjection(8, 4, keys, MaskedBatchNorm), side, MaskedBatchNorm)
    >>> block = ct.layers.MultiHeadBlock([heads(2, 16), heads(3, 8)], 8, 32, MaskedBatchNorm)
    >>> block(torch.rand(1, 100, 8), torch.rand(1, 100, 3)).shape
    torch.Size([1, 100, 32])
    """

    def __init__(
        self,
        transforms: Sequence[CloudTransform],  # the groups of heads, all of the same input width
        in_width: int,  # F; where it differs from out_width, the residual goes through a linear map
        out_width: int,  # F'
        make_norm: MakeNorm,  # of the linear maps' outputs
    ) -> None:
        super().__init__()
        self.transforms: Sequence[CloudTransform] = nn.ModuleList(transforms)  # type: ignore[assignment]
        self.linear = nn.Linear(sum(transform.out_channels for transform in transforms), out_width, bias=False)
        self.norm = make_norm(out_width)
        self.skip = None if in_width == out_width else nn.Linear(in_width, out_width, bias=False)
        self.skip_norm = None if in_width == out_width else make_norm(out_width)
        self.prepared: Prepared[PreparedBlock | None] = Prepared()

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:  # [B, N, F']
        projections = [transform.projection for transform in self.transforms]
        check_inputs(projections[0].linear.weight, features, positions, mask)
        output = faster_block(self, features, positions, mask, style)
        if output is not None:
            return output
        with recomputing():
            heads = project_together(projections, features, positions, mask, style)
            reads = [transform.read(*head, mask) for transform, head in zip(self.transforms, heads, strict=True)]
            norms = [transform.norm for transform in self.transforms]
            update = self.linear(normalize_together(norms, reads, mask, style, relu=True))
        residual = self.residual(features, mask, style)
        return normalize_together(
            [self.norm], [update], mask, style, relu=True, residual=features if residual is None else residual
        )

    def residual(self, features: Tensor, mask: Tensor | None, style: Tensor | None) -> Tensor | None:
        """What the block adds to; None: the features themselves."""
        if self.skip is None or self.skip_norm is None:
            return None
        skipped: Tensor = self.skip_norm(self.skip(features), mask, style)
        return skipped


class Cascade(nn.Module):
    """CMHCT: blocks in sequence, from fine grids with few channels to coarse grids with many.

    Every block gets the input positions of the points, not those of the block before.

    >>> cascade = ct.models.segmenter("tiny", num_classes=2).trunk.cascades[0]
    >>> cascade(torch.rand(1, 100, 32), torch.rand(1, 100, 3)).shape
    torch.Size([1, 100, 32])
    """

    def __init__(self, blocks: Sequence[MultiHeadBlock]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:  # [B, N, F']
        for block in self.blocks:
            features = block(features, positions, mask, style)
        return features
