"""The building blocks, as torch modules: keys and values, the cloud transform, blocks, pooling, normalisations.

Begin with `MultiHeadBlock`, the paper's block: groups of heads (`CloudTransform`), each with its keys and values
(`KeyValueProjection`, `KeyProjection`). Blocks in a row are a `Cascade`; `MultiHeadPooling` ends with one vector per
cloud. They are called as `layer(features, positions, mask, style)`. A new model of them is the tutorial
docs/tutorials/new_model.md.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, F model width, Z style channels. Masks are
[B, N], True = a real point; None: all are. `make_norm` makes a normalisation for a number of channels:
`MaskedBatchNorm`, `MaskedInstanceNorm`, or a function that returns an `AdaptiveInstanceNorm`.
"""

from cloud_transformers.layers.keys import KeyProjection, KeyValueProjection
from cloud_transformers.layers.norm import AdaptiveInstanceNorm, MaskedBatchNorm, MaskedInstanceNorm
from cloud_transformers.layers.pooling import CloudPooling, MultiHeadPooling
from cloud_transformers.layers.resnet import ResNetTrunk
from cloud_transformers.layers.surroundings import Surroundings
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
    "Surroundings",
]
