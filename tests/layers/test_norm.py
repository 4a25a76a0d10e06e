"""Normalisations: as torch's own where nothing is masked, and blind to what is."""

import pytest
import torch
from torch import Tensor, nn

from cloud_transformers.layers import AdaptiveInstanceNorm, MaskedBatchNorm, MaskedInstanceNorm
from tests.tolerances import assert_same


def with_garbage(features: Tensor, num_padded: int) -> tuple[Tensor, Tensor]:
    """The features with rows of NaN and huge numbers appended, and the mask that hides them."""
    B, N, C = features.shape
    garbage = torch.full((B, num_padded, C), float("nan"), dtype=features.dtype)
    garbage[:, ::2] = 1e30
    return torch.cat([features, garbage], dim=1), torch.arange(N + num_padded).expand(B, -1) < N


def test_batch_norm_is_torch_s_where_nothing_is_masked() -> None:
    features = torch.randn(3, 7, 5, dtype=torch.float64)
    ours, theirs = MaskedBatchNorm(5).double(), nn.BatchNorm1d(5).double()
    for _ in range(2):
        assert_same(ours(features), theirs(features.transpose(1, 2)).transpose(1, 2))
    assert ours.state_dict().keys() == theirs.state_dict().keys()
    for name, value in theirs.state_dict().items():
        assert_same(ours.state_dict()[name].double(), value.double(), name)
    assert_same(ours.eval()(features), theirs.eval()(features.transpose(1, 2)).transpose(1, 2))


def test_batch_norm_of_grids_is_torch_s() -> None:
    grid = torch.randn(2, 4, 3, 3, 3, dtype=torch.float64)
    everything = torch.ones(2, dtype=torch.bool)
    for mask in (None, everything):
        ours, theirs = MaskedBatchNorm(4, channel_axis=1).double(), nn.BatchNorm3d(4).double()
        assert_same(ours(grid, mask), theirs(grid))
        for name, value in theirs.state_dict().items():
            assert_same(ours.state_dict()[name].double(), value.double(), name)


def test_batch_norm_does_not_see_masked_points() -> None:
    features = torch.randn(2, 6, 4, dtype=torch.float64)
    padded, mask = with_garbage(features, 3)
    clean, dirty = MaskedBatchNorm(4).double(), MaskedBatchNorm(4).double()
    assert_same(dirty(padded, mask)[:, :6], clean(features))
    assert_same(dirty.running_mean, clean.running_mean)
    assert_same(dirty.running_var, clean.running_var)


def test_batch_norm_does_not_see_masked_clouds() -> None:
    grid = torch.randn(3, 4, 5, 5, dtype=torch.float64)
    some, all_ = MaskedBatchNorm(4, channel_axis=1).double(), MaskedBatchNorm(4, channel_axis=1).double()
    assert_same(some(grid, torch.tensor([True, False, True]))[[0, 2]], all_(grid[[0, 2]]))
    assert_same(some.running_var, all_.running_var)


def test_batch_norm_gradients_do_not_see_masked_points() -> None:
    features = torch.randn(2, 6, 4, dtype=torch.float64)
    padded = torch.cat([features, torch.full((2, 3, 4), 7.0, dtype=torch.float64)], dim=1)
    mask = torch.arange(9).expand(2, 9) < 6
    cotangent = torch.randn(2, 6, 4, dtype=torch.float64)
    gradients = []
    for given, visible in ((features, None), (padded, mask)):
        leaf = given.clone().requires_grad_()
        (MaskedBatchNorm(4).double()(leaf, visible)[:, :6] * cotangent).sum().backward()
        gradients.append(leaf.grad)
    assert_same(gradients[1][:, :6], gradients[0])
    assert (gradients[1][:, 6:] == 0).all()


@pytest.mark.parametrize("mask", [None, torch.tensor([[True]])])
def test_batch_norm_of_one_point_is_its_bias(mask: Tensor | None) -> None:
    norm = MaskedBatchNorm(3)
    nn.init.constant_(norm.bias, 0.5)
    assert_same(norm(torch.randn(1, 1, 3), mask).detach(), torch.full((1, 1, 3), 0.5))
    assert torch.isfinite(norm.running_var).all()


def test_batch_norm_of_nothing_leaves_the_statistics_alone() -> None:
    norm = MaskedBatchNorm(3)
    assert torch.isfinite(norm(torch.randn(2, 4, 3), torch.zeros(2, 4, dtype=torch.bool))).all()
    assert (norm.running_mean == 0).all()
    assert (norm.running_var == 1).all()


def test_instance_norm_is_torch_s_and_blind() -> None:
    features = torch.randn(2, 6, 4, dtype=torch.float64)
    expected = nn.functional.instance_norm(features.transpose(1, 2)).transpose(1, 2)
    assert_same(MaskedInstanceNorm(4)(features), expected)
    padded, mask = with_garbage(features, 3)
    assert_same(MaskedInstanceNorm(4)(padded, mask)[:, :6], expected)


def test_adaptive_instance_norm_is_steered_by_the_style() -> None:
    norm = AdaptiveInstanceNorm(4, style_channels=2).double()
    features, style = torch.randn(3, 6, 4, dtype=torch.float64), torch.randn(3, 2, dtype=torch.float64)
    gamma, beta = norm.linear(style).chunk(2, dim=-1)
    expected = MaskedInstanceNorm(4)(features) * (1 + gamma[:, None]) + beta[:, None]
    assert_same(norm(features, style=style).detach(), expected.detach())
    with pytest.raises(ValueError, match="needs a style"):
        norm(features)
