"""Classification, with a mask of the points that belong to the object.

Letters: B batch, N points, F model width, V channels of the cloud's vector.
"""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from typing_extensions import Unpack

from cloud_transformers.decoding import Between
from cloud_transformers.layers import MaskedBatchNorm
from cloud_transformers.layers.norm import normalize_together
from cloud_transformers.layers.surroundings import NUM_MOMENTS, num_nodes
from cloud_transformers.models.encoder import CloudEncoder, PoolingConfig, make_encoder, pooling_config
from cloud_transformers.models.trunk import (
    PointHead,
    Size,
    TrunkConfig,
    TrunkOptions,
    Width,
    check_grid,
    finer,
    trunk_config,
)
from cloud_transformers.tensor_checks import ShapeCheck

SURROUNDINGS = (0.1, 0.2, 0.4)  # sides of cells, for objects in a ball of radius 1
Hidden = Annotated[int, Between(0, 1 << 16)]


@dataclass(frozen=True, kw_only=True)
class ClassifierConfig:
    num_classes: Width = 15
    mask_hidden: Hidden = 256  # 0: no mask head, for data whose points all belong to the object
    dropout: Annotated[float, Between(0, 1)] = 0.5
    max_and_mean: bool = False
    surroundings: Annotated[tuple[Annotated[float, Between(0.01, 3.5)], ...], Between(0, 8)] = ()
    trunk: TrunkConfig = TrunkConfig()
    pooling: PoolingConfig = PoolingConfig()

    def __post_init__(self) -> None:
        for side in self.surroundings:
            check_grid(3, num_nodes(side), NUM_MOMENTS)


class MaskHead(PointHead):
    """A point head on the point's features and its cloud's vector side by side."""

    def forward(self, features: Tensor, mask: Tensor | None = None, vector: Tensor | None = None) -> Tensor:
        assert vector is not None
        of_points, of_cloud = self.linear1.weight.split([features.shape[-1], vector.shape[-1]], dim=1)
        vectors = vector[:, None]  # once per cloud: that part of the map is the same for all of its points ...
        if self.training and self.dropout.p:
            vectors = vectors.expand(-1, features.shape[1], -1)  # ... unless each of them drops channels of its own
        hidden = linear(self.dropout(features), of_points) + linear(self.dropout(vectors), of_cloud)
        hidden = normalize_together([self.norm], [hidden], mask, relu=True)
        return self.linear2(self.dropout(hidden))


class MaxAndMean(nn.Module):
    """The largest and the mean feature of all points beside the cloud's vector, mapped to a vector of the same length.

    The pooling's grids tell where things are; these two tell that they are there at all.
    """

    def __init__(
        self,
        width: int,  # F
        channels: int,  # V
    ) -> None:
        super().__init__()
        self.linear = nn.Linear(channels + 2 * width, channels, bias=False)
        self.norm = MaskedBatchNorm(channels)

    def forward(
        self,
        features: Tensor,  # [B, N, F]
        vector: Tensor,  # [B, V]
        mask: Tensor | None = None,  # [B, N]
    ) -> Tensor:  # [B, V]
        cloud_mask = None if mask is None else mask.any(1)
        if features.shape[1] == 0:
            largest = mean = features.sum(1)
        elif mask is None or cloud_mask is None:
            largest, mean = features.amax(1), features.mean(1)
        else:
            seen = mask[:, :, None]
            largest = features.masked_fill(~seen, -torch.inf).amax(1).where(cloud_mask[:, None], 0)
            mean = features.where(seen, 0).sum(1) / seen.sum(1).clamp(min=1)
        return self.norm(self.linear(torch.cat([vector, largest, mean], dim=1)), cloud_mask).relu()


class Classifier(nn.Module):
    """What a cloud is and, with a mask head, which of its points belong to it. `classifier` builds it."""

    config: ClassifierConfig

    def __init__(
        self,
        encoder: CloudEncoder,  # points to features, and to one vector per cloud
        class_head: nn.Module,  # the vector to class logits
        mask_head: MaskHead | None,  # features and vector to foreground logits
        max_and_mean: MaxAndMean | None = None,  # features and vector to the vector that both heads get
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.max_and_mean = max_and_mean
        self.class_head = class_head
        self.mask_head = mask_head

    def forward(
        self,
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N], True = a real point
    ) -> tuple[Tensor, Tensor | None]:  # class logits [B, classes], foreground logits [B, N] if there is a mask head
        check = ShapeCheck(weights=self.encoder.trunk.linear.weight)
        check("positions", positions, "B N 3")
        if mask is not None:
            check("mask", mask, "B N", kind="bool")
        features, vector = self.encoder(positions, mask)
        if self.max_and_mean is not None:
            vector = self.max_and_mean(features, vector, mask)
        foreground = None if self.mask_head is None else self.mask_head(features, mask, vector)[..., 0]
        return self.class_head(vector), foreground


def build_classifier(config: ClassifierConfig) -> Classifier:
    vector, dropout = config.pooling.out_channels, config.dropout
    mask_head = None
    if config.mask_hidden:
        mask_head = MaskHead(config.trunk.width + vector, config.mask_hidden, 1, MaskedBatchNorm, dropout=dropout)
    model = Classifier(
        encoder=make_encoder(config.trunk, config.pooling, config.surroundings),
        class_head=nn.Sequential(nn.Dropout(dropout), nn.Linear(vector, config.num_classes)),
        mask_head=mask_head,
        max_and_mean=MaxAndMean(config.trunk.width, vector) if config.max_and_mean else None,
    )
    model.config = config
    return model


def classifier(
    size: Size = "full",
    num_classes: int = 15,
    *,
    mask_head: bool = True,
    dropout: float = 0.5,
    max_and_mean: bool = False,
    surroundings: bool = False,
    fine: bool = False,
    **options: Unpack[TrunkOptions],
) -> Classifier:
    """A classifier with new weights.

    - `size`: "full" is the paper's, "small" is for CPUs, "tiny" for tests.
    - `num_classes`: how many classes a cloud can have.
    - `mask_head`: with a head that tells the object's points from those around it, or without.
    - `dropout`: the share of channels that are dropped before each linear map of the heads, in training.
    - `max_and_mean`: both heads also get the largest and the mean feature of all points.
    - `surroundings`: the first layer also gets how the points around each point lie; see `layers.Surroundings`.
    - `fine`: grids of all blocks have sides twice as long; those of the pooling do not.
    - `options`: the paper's, see `TrunkOptions`.

    A choice that does not exist is a ValueError.

    >>> model = ct.models.classifier("tiny", num_classes=4)
    >>> class_logits, foreground_logits = model(torch.rand(2, 100, 3))
    >>> class_logits.shape, foreground_logits.shape
    (torch.Size([2, 4]), torch.Size([2, 100]))
    """
    trunk = trunk_config(size, **options)
    return build_classifier(
        ClassifierConfig(
            num_classes=num_classes,
            mask_hidden={"full": 256, "small": 64, "tiny": 32}[size] if mask_head else 0,
            dropout=dropout,
            max_and_mean=max_and_mean,
            surroundings=SURROUNDINGS if surroundings else (),
            trunk=finer(trunk) if fine else trunk,
            pooling=pooling_config(size, **options),
        )
    )
