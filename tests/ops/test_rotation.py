"""Rotations: the kernel against the reference, outputs and gradients, small and large angles."""

import pytest
import torch

from cloud_transformers.ops import head_rotations, rotation_matrix, use_backend
from tests.needs import needs_compiler
from tests.tolerances import assert_same

pytestmark = needs_compiler


@pytest.mark.parametrize("angle", [0.0, 0.005, 0.02, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("dimension", [2, 3])
def test_it_agrees_with_the_reference(dimension: int, angle: float) -> None:
    draw = torch.Generator().manual_seed(0)
    logs = angle * torch.nn.functional.normalize(torch.randn(5, 3, generator=draw, dtype=torch.float64), dim=1)
    seen = torch.randn(5, 3, dimension, generator=draw, dtype=torch.float64)

    expected_logs = logs.clone().requires_grad_()
    expected = rotation_matrix(expected_logs)[..., :dimension]
    (expected * seen).sum().backward()

    actual_logs = logs.float().requires_grad_()
    with use_backend("native"):
        actual = head_rotations(actual_logs, dimension)
    (actual * seen.float()).sum().backward()

    assert_same(actual.detach(), expected.detach().float())
    assert_same(actual_logs.grad, expected_logs.grad.float())
