"""Keys: rotations are rotations, and each mode of key prediction does what its name says."""

import math
from functools import partial

import pytest
import torch
from torch import Tensor

from cloud_transformers.layers import AdaptiveInstanceNorm, KeyProjection, MaskedBatchNorm
from cloud_transformers.ops import rotation_matrix
from tests.tolerances import assert_same


def test_rotation_matrix_is_the_exponential() -> None:
    log = torch.randn(5, 3, dtype=torch.float64)
    x, y, z = log.unbind(-1)
    zero = torch.zeros_like(x)
    skew = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).view(5, 3, 3)
    rotation = rotation_matrix(log)
    assert_same(rotation, torch.linalg.matrix_exp(skew))
    assert_same(rotation @ rotation.mT, torch.eye(3, dtype=torch.float64).expand(5, 3, 3))


def test_rotation_by_nothing_is_the_identity_with_a_gradient() -> None:
    log = torch.zeros(1, 3, requires_grad=True)
    rotation = rotation_matrix(log)
    assert torch.equal(rotation.detach()[0], torch.eye(3))
    rotation[0, 0, 1].backward()
    assert torch.isfinite(log.grad).all()
    assert log.grad.abs().max() > 0.9


def keys_of(mode: str, dim: int = 3, *, steps: float = 0.0, **options: object) -> tuple[KeyProjection, Tensor, Tensor]:
    """A projection, and its keys before the squash, for positions and random residuals."""
    torch.manual_seed(0)
    projection = KeyProjection(4, dim, MaskedBatchNorm, mode=mode, **options).double()
    if projection.norm is not None and steps:
        torch.nn.init.constant_(projection.norm.weight, steps)
    positions = 0.3 * torch.randn(2, 6, 3, dtype=torch.float64)
    residuals = torch.randn(2, 6, projection.num_residuals, dtype=torch.float64)
    return projection, positions, projection(positions, residuals).detach().atanh()


@pytest.mark.parametrize("dim", [2, 3])
def test_full_keys_start_as_the_rotated_positions(dim: int) -> None:
    projection, positions, keys = keys_of("full", dim)
    rotation = rotation_matrix(projection.log_rotation)
    for head in range(4):
        assert_same(keys[:, head], (positions @ rotation[head])[..., :dim].detach())


def test_full_keys_move_with_residual_and_shift() -> None:
    projection, positions, keys = keys_of("full", steps=0.1)
    start = (positions[:, None] @ rotation_matrix(projection.log_rotation)).detach()
    assert not torch.allclose(keys, start)
    torch.nn.init.constant_(projection.norm.weight, 0)
    torch.nn.init.constant_(projection.shift, 0.25)
    moved = projection(positions, torch.zeros(2, 6, 12, dtype=torch.float64)).detach().atanh()
    assert_same(moved, ((positions[:, None] + 0.25) @ rotation_matrix(projection.log_rotation)).detach())


def test_linear_keys_do_not_depend_on_positions() -> None:
    projection, positions, keys = keys_of("linear", dim=2)
    assert projection.num_residuals == 4 * 2
    residuals = torch.randn(2, 6, 8, dtype=torch.float64)
    assert torch.equal(projection(positions, residuals), projection(positions + 1, residuals))
    assert keys.std() > 0.1  # unlike residuals, they do not start at zero


def test_fixed_keys_have_nothing_to_learn_but_differ_by_head() -> None:
    projection, positions, keys = keys_of("fixed")
    assert not list(projection.parameters())
    assert "log_rotation" in projection.state_dict()
    assert_same(keys, positions[:, None] @ rotation_matrix(projection.log_rotation))
    assert not torch.allclose(keys[:, 0], keys[:, 1])


def test_identity_transform_keeps_the_positions() -> None:
    projection, positions, keys = keys_of("identity", dim=2)
    assert projection.log_rotation is None
    for head in range(4):
        assert_same(keys[:, head], positions[..., :2])
    _, positions, moved = keys_of("identity", dim=2, steps=0.1)
    assert not torch.allclose(moved[:, 0], positions[..., :2])


def test_no_residual_learns_only_the_transform() -> None:
    projection, positions, keys = keys_of("no_residual")
    assert projection.num_residuals == 0
    assert {name for name, _ in projection.named_parameters()} == {"log_rotation", "shift"}
    assert_same(keys, (positions[:, None] @ rotation_matrix(projection.log_rotation)).detach())


@pytest.mark.parametrize("dim", [2, 3])
def test_scales_stretch_each_axis(dim: int) -> None:
    projection, positions, keys = keys_of("full", dim, scales=True)
    assert projection.scales.shape == (4, dim)
    torch.nn.init.constant_(projection.scales, 0.5)
    halved = projection(positions, torch.zeros(2, 6, 12, dtype=torch.float64)).detach().atanh()
    assert_same(halved, keys / 2)


def test_sigmoid_is_tanh_of_half() -> None:
    projection, positions, keys = keys_of("full")
    projection.squash = "sigmoid"
    assert_same(projection(positions, torch.zeros(2, 6, 12, dtype=torch.float64)).detach(), (keys / 2).tanh())


@pytest.mark.parametrize(("balance", "factor"), [(True, 1.0), (False, 2.0)])
def test_sigmoid_s_factor_of_two_is_balanced_like_the_grid(balance: bool, factor: float) -> None:
    projection = KeyProjection(1, 3, MaskedBatchNorm, mode="identity", squash="sigmoid", balance=balance).double()
    positions = torch.zeros(1, 1, 3, dtype=torch.float64, requires_grad=True)
    projection(positions, torch.zeros(1, 1, 3, dtype=torch.float64)).sum().backward()
    assert_same(positions.grad, torch.full_like(positions, factor / 4))  # sigmoid'(0) = 1/4


def test_without_batch_norm_one_factor_per_group_holds_the_residuals_back() -> None:
    projection = KeyProjection(2, 3, partial(AdaptiveInstanceNorm, style_channels=4))
    assert projection.residual_scale.shape == ()
    assert projection.residual_scale == 0


def test_keys_are_float32_under_autocast() -> None:
    projection = KeyProjection(2, 3, MaskedBatchNorm)
    positions = torch.rand(1, 50, 3)
    expected = projection(positions, torch.zeros(1, 50, 6))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        keys = projection(positions, torch.zeros(1, 50, 6, dtype=torch.bfloat16))
    assert keys.dtype == torch.float32
    assert torch.equal(keys, expected)


def test_turning_the_cloud_and_the_transform_the_other_way_changes_nothing() -> None:
    projection, positions, keys = keys_of("full")
    turn = rotation_matrix(torch.tensor([0.0, 0.0, math.pi / 3], dtype=torch.float64))
    rotation = turn.T @ rotation_matrix(projection.log_rotation)
    assert_same(((positions @ turn)[:, None] @ rotation).detach(), keys)


@pytest.mark.parametrize(("option", "message"), [({"mode": "x"}, "keys must be one of"), ({"squash": "x"}, "squash")])
def test_unknown_choices_are_refused(option: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KeyProjection(2, 3, MaskedBatchNorm, **option)
