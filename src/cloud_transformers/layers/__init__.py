"""The building blocks: keys and values, the cloud transform, multi-head block, cascade, pooling, normalisations."""

from cloud_transformers.layers.keys import KeyProjection, KeyValueProjection
from cloud_transformers.layers.norm import AdaptiveInstanceNorm, MaskedBatchNorm, MaskedInstanceNorm
from cloud_transformers.layers.pooling import CloudPooling, MultiHeadPooling
from cloud_transformers.layers.resnet import ResNetTrunk
from cloud_transformers.layers.transform import Cascade, CloudTransform, MultiHeadBlock

__all__ = [
    "AdaptiveInstanceNorm",
    "Cascade",
    "CloudPooling",
    "CloudTransform",
    "KeyProjection",
    "KeyValueProjection",
    "MaskedBatchNorm",
    "MaskedInstanceNorm",
    "MultiHeadBlock",
    "MultiHeadPooling",
    "ResNetTrunk",
]
