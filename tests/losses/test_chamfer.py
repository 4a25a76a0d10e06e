"""Chamfer distance: small cases by hand, gradients, masks."""

import math

import pytest
import torch

from cloud_transformers.losses.chamfer import chamfer


def test_by_hand():
    prediction = torch.tensor([[[0.0, 0, 0], [3, 0, 0]]])
    target = torch.tensor([[[0.0, 0, 0], [0, 4, 0], [3, 1, 0]]])
    # prediction -> target: 0, 1; target -> prediction: 0, 16, 1
    torch.testing.assert_close(chamfer(prediction, target), (torch.tensor([0.5]), torch.tensor([17 / 3])))
    torch.testing.assert_close(chamfer(prediction, target, squared=False), (torch.tensor([0.5]), torch.tensor([5 / 3])))


@pytest.mark.parametrize("squared", [True, False])
def test_gradient(squared):
    x, y = torch.rand(2, 2, 8, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert torch.autograd.gradcheck(
        lambda a, b: sum(chamfer(a, b, squared=squared)), (x.requires_grad_(), y.requires_grad_()), eps=1e-7
    )


@pytest.mark.parametrize("squared", [True, False])
def test_equal_clouds_have_distance_zero_and_finite_gradient(squared):
    x = torch.rand(2, 50, 3, requires_grad=True)
    forward, backward = chamfer(x, x.detach().flip(1), squared=squared)
    assert forward.abs().sum() == backward.abs().sum() == 0
    (forward + backward).sum().backward()
    assert (x.grad == 0).all()


@pytest.mark.parametrize("squared", [True, False])
def test_padding_does_not_matter(squared):
    x, y = torch.rand(1, 30, 3), torch.rand(1, 20, 3)
    padded = torch.cat([x, torch.full((1, 7, 3), math.nan)], dim=1).requires_grad_()
    mask = torch.arange(37)[None] < 30
    actual = chamfer(padded, y, squared=squared, masks=(mask, None))
    torch.testing.assert_close(actual, chamfer(x, y, squared=squared))
    sum(actual).sum().backward()
    assert padded.grad.isfinite().all()


def test_a_cloud_without_points():
    x, mask = torch.rand(1, 5, 3), torch.zeros(1, 5, dtype=torch.bool)
    forward, backward = chamfer(x, torch.rand(1, 6, 3), masks=(mask, None))
    assert forward.item() == 0
    assert backward.item() == math.inf


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_compiles_as_one_graph():
    x, y = torch.rand(1, 30, 3), torch.rand(1, 20, 3)
    compiled = torch.compile(chamfer, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(x, y), chamfer(x, y))
