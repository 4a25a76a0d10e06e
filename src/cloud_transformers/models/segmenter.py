"""Semantic segmentation: a class for every point.

Letters: B batch, N points, F feature channels.
"""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor, nn
from typing_extensions import Unpack

from cloud_transformers.decoding import Between
from cloud_transformers.layers import MaskedBatchNorm
from cloud_transformers.models.trunk import (
    PointHead,
    Size,
    Trunk,
    TrunkConfig,
    TrunkOptions,
    Width,
    finer,
    hide_masked,
    make_trunk,
    trunk_config,
)
from cloud_transformers.tensor_checks import ShapeCheck

Features = Annotated[int, Between(0, 4096)]


@dataclass(frozen=True, kw_only=True)
class SegmenterConfig:
    num_classes: Width = 13
    num_features: Features = 3  # what enters beside the position: 3 for blocks (rgb), 4 for spheres (rgb, height)
    trunk: TrunkConfig = TrunkConfig()


class Segmenter(nn.Module):
    """The class of every point of a cloud. `segmenter` builds it."""

    config: SegmenterConfig

    def __init__(
        self,
        trunk: Trunk,  # inputs to features per point
        head: PointHead,  # features to class logits
    ) -> None:
        super().__init__()
        self.trunk = trunk
        self.head = head

    def forward(
        self,
        positions: Tensor,  # [B, N, 3]
        features: Tensor,  # [B, N, F]: everything else that enters the first layer
        mask: Tensor | None = None,  # [B, N], True = a real point
    ) -> Tensor:  # [B, N, classes]; rows of masked points mean nothing
        check = ShapeCheck(weights=self.trunk.linear.weight)
        check("positions", positions, "B N 3")
        check("features", features, "B N F", F=self.trunk.in_channels - 3)
        if mask is not None:
            check("mask", mask, "B N", kind="bool")
        positions = hide_masked(positions, mask)
        inputs = torch.cat([positions, hide_masked(features, mask)], dim=-1)
        return self.head(self.trunk(inputs, positions, mask), mask)


def build_segmenter(config: SegmenterConfig) -> Segmenter:
    trunk = make_trunk(config.trunk, 3 + config.num_features, MaskedBatchNorm, bias=True)
    model = Segmenter(trunk, PointHead(trunk.width, trunk.width, config.num_classes, MaskedBatchNorm))
    model.config = config
    return model


def segmenter(
    size: Size = "full",
    num_classes: int = 13,
    *,
    num_features: int = 3,
    fine: bool = False,
    **options: Unpack[TrunkOptions],
) -> Segmenter:
    """A segmenter with new weights.

    - `size`: "full" is the paper's, "small" is for CPUs, "tiny" for tests.
    - `num_classes`: how many classes a point can have.
    - `num_features`: channels beside the position: 3 for colours, 4 for colour and height, as in the sphere protocol.
    - `fine`: grids have sides twice as long. For "small", whose grids are coarse, a training step takes 8 % longer
      (2048 points, one thread, AVX-512), and answers are better: see docs/real_data.md.
    - `options`: the paper's, see `TrunkOptions`.

    A choice that does not exist is a ValueError.

    >>> model = ct.models.segmenter("tiny", num_classes=4)
    >>> positions, colors = torch.rand(2, 100, 3), torch.rand(2, 100, 3)
    >>> model(positions, colors).shape
    torch.Size([2, 100, 4])
    """
    trunk = trunk_config(size, **options)
    config = SegmenterConfig(num_classes=num_classes, num_features=num_features, trunk=finer(trunk) if fine else trunk)
    return build_segmenter(config)
