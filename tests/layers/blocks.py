"""Blocks to try, with no parameter at a value where a mistake would not be seen."""

from collections.abc import Callable

import torch
from torch import nn

from cloud_transformers.layers import CloudTransform, KeyProjection, KeyValueProjection, MaskedBatchNorm, MultiHeadBlock

F = 12  # model width


def make_block(
    make_norm: Callable[[int], nn.Module] = MaskedBatchNorm,
    *,
    mode: str = "full",
    squash: str = "tanh",
    scales: bool = False,
    reduce: str = "max",
    out_width: int = F,
    channels: tuple[int, ...] = (8, 16),
) -> MultiHeadBlock:
    torch.manual_seed(0)
    transforms = []
    for dim, width in zip((2, 3), channels, strict=False):
        keys = KeyProjection(3, dim, make_norm, mode=mode, squash=squash, scales=scales)
        projection = KeyValueProjection(F, width, keys, make_norm)
        transforms.append(CloudTransform(projection, 4 + dim, make_norm, reduce=reduce))
    block = MultiHeadBlock(transforms, F, out_width, make_norm)
    for parameter in block.parameters():
        nn.init.normal_(parameter, std=0.5)
    return block
