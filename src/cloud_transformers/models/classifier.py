"""Classification, with a mask of the points that belong to the object.

Letters: B batch, N points.
"""

from dataclasses import dataclass
from typing import Any

import torch
from einops import repeat
from torch import Tensor, nn

from cloud_transformers.layers import MaskedBatchNorm
from cloud_transformers.models.encoder import CloudEncoder, PoolingConfig, make_encoder, pooling_config
from cloud_transformers.models.trunk import Flavour, PointHead, Size, TrunkConfig, trunk_config
from cloud_transformers.shapes import ShapeCheck


@dataclass(frozen=True, kw_only=True)
class ClassifierConfig:
    num_classes: int = 15
    mask_hidden: int = 256
    dropout: float = 0.5
    trunk: TrunkConfig = TrunkConfig()
    pooling: PoolingConfig = PoolingConfig()


class Classifier(nn.Module):
    config: ClassifierConfig

    def __init__(self, encoder: CloudEncoder, class_head: nn.Module, mask_head: PointHead) -> None:
        super().__init__()
        self.encoder = encoder
        self.class_head = class_head
        self.mask_head = mask_head

    def forward(
        self,
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N], True = a real point
    ) -> tuple[Tensor, Tensor]:  # class logits [B, classes], foreground logits [B, N]
        check = ShapeCheck(weights=self.encoder.trunk.linear.weight)
        check("positions", positions, "B N 3")
        if mask is not None:
            check("mask", mask, "B N", kind="bool")
        features, vector = self.encoder(positions, mask)
        everywhere = repeat(vector, "b c -> b n c", n=features.shape[1])
        mask_logits = self.mask_head(torch.cat([features, everywhere], dim=-1), mask)
        return self.class_head(vector), mask_logits[..., 0]


def build_classifier(config: ClassifierConfig) -> Classifier:
    vector = config.pooling.out_channels
    model = Classifier(
        encoder=make_encoder(config.trunk, config.pooling),
        class_head=nn.Sequential(nn.Dropout(config.dropout), nn.Linear(vector, config.num_classes)),
        mask_head=PointHead(
            config.trunk.width + vector, config.mask_hidden, 1, MaskedBatchNorm, dropout=config.dropout
        ),
    )
    model.config = config
    return model


def classifier(
    size: Size = "full",
    num_classes: int = 15,
    *,
    dropout: float = 0.5,
    flavour: Flavour = "release",
    planar: bool = True,
    coarse: bool = False,
    **options: Any,
) -> Classifier:
    """A classifier of a named size; `options` are those of `trunk_config`."""
    trunk = trunk_config(size, flavour=flavour, planar=planar, coarse=coarse, **options)
    return build_classifier(
        ClassifierConfig(
            num_classes=num_classes,
            mask_hidden={"full": 256, "small": 64, "tiny": 32}[size],
            dropout=dropout,
            trunk=trunk,
            pooling=pooling_config(size, flavour=flavour, planar=planar, coarse=coarse),
        )
    )
