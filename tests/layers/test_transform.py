"""Blocks, cascades and pooling: the arithmetic around the operators."""

import pytest
import torch
from torch import nn

from cloud_transformers.layers import (
    CloudPooling,
    CloudTransform,
    KeyProjection,
    KeyValueProjection,
    MaskedBatchNorm,
    MaskedInstanceNorm,
    MultiHeadBlock,
)
from tests.tolerances import assert_same


def projection(dim: int, width: int = 8, channels: int = 3) -> KeyValueProjection:
    return KeyValueProjection(width, channels, KeyProjection(2, dim, MaskedBatchNorm), MaskedBatchNorm)


def block(in_width: int, out_width: int) -> MultiHeadBlock:
    transforms = [CloudTransform(projection(dim, in_width), 4, MaskedBatchNorm) for dim in (2, 3)]
    return MultiHeadBlock(transforms, in_width, out_width, MaskedBatchNorm).double()


def cloud() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(2, 10, 8, generator=generator, dtype=torch.float64)
    return features, torch.rand(2, 10, 3, generator=generator, dtype=torch.float64)


def test_residual_is_added_after_the_activation() -> None:
    features, positions = cloud()
    layer = block(8, 8)
    assert layer.skip is None
    assert ((layer(features, positions) - features) >= 0).all()  # what is added went through a ReLU
    nn.init.zeros_(layer.norm.weight)
    assert_same(layer(features, positions).detach(), features)


def test_other_width_gets_a_linear_skip() -> None:
    features, positions = cloud()
    layer = block(8, 6)
    nn.init.zeros_(layer.norm.weight)
    expected = layer.skip_norm(layer.skip(features))
    assert_same(layer(features, positions).detach(), expected.detach())


def test_heads_have_their_own_convolution() -> None:
    features, positions = cloud()
    transform = CloudTransform(projection(2), 4, MaskedBatchNorm).double().eval()
    nn.init.ones_(transform.conv.bias)  # so that no ReLU hides what changes
    before = transform(features, positions)
    with torch.no_grad():
        transform.conv.weight[:3] *= 2  # the first of two heads, three channels each
    after = transform(features, positions)
    assert not torch.equal(after[..., :3], before[..., :3])
    assert torch.equal(after[..., 3:], before[..., 3:])


def test_information_travels_between_points_that_meet_on_the_grid() -> None:
    features, positions = cloud()
    layer = block(8, 8).eval()
    leaf = features.clone().requires_grad_()
    layer(leaf, positions)[0, 0].sum().backward()
    touched = (leaf.grad != 0).any(-1)
    assert touched[0].sum() > 1  # other points of the same cloud
    assert touched[1].sum() == 0  # never another cloud


def test_pooling_needs_a_grid_that_can_be_halved() -> None:
    features, positions = cloud()
    pooled = CloudPooling(projection(3), 4, (4, 4, 5)).double()(features, positions)
    assert pooled.shape == (2, 2 * 5)
    with pytest.raises(ValueError, match="too small to be halved 2 times"):
        CloudPooling(projection(3), 3, (4, 4, 5))


def test_instance_norm_serves_as_the_normalisation_of_a_block() -> None:
    features, positions = cloud()
    keys = KeyProjection(2, 3, MaskedInstanceNorm)
    heads = CloudTransform(KeyValueProjection(8, 3, keys, MaskedInstanceNorm), 4, MaskedInstanceNorm)
    layer = MultiHeadBlock([heads], 8, 8, MaskedInstanceNorm).double()
    together = layer(features, positions)
    assert_same(torch.cat([layer(features[:1], positions[:1]), layer(features[1:], positions[1:])]), together)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": torch.zeros(2, 10, 7, dtype=torch.float64)}, r"features must be.*F = 8, got shape \[2, 10, 7\]"),
        ({"features": torch.zeros(2, 10, 8)}, "features is torch.float32 but the model is torch.float64"),
        ({"positions": torch.zeros(2, 9, 3, dtype=torch.float64)}, "positions must be.*N = 10 as in features"),
        ({"mask": torch.ones(2, 10, dtype=torch.int64)}, "mask must be boolean"),
    ],
)
def test_a_block_says_what_it_wanted(change: dict, message: str) -> None:
    features, positions = cloud()
    with pytest.raises(ValueError, match=message):
        block(8, 8)(**{"features": features, "positions": positions, **change})
