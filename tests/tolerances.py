"""One table: how far two ways of computing the same may be apart, relative to the largest magnitude."""

import torch
from torch import Tensor

RELATIVE = {torch.float64: 1e-10, torch.float32: 2e-5}


def assert_same(actual: Tensor, expected: Tensor, what: str = "") -> None:
    """Equal but for rounding, which is allowed in proportion to the largest magnitude of what was expected."""
    assert actual.shape == expected.shape, f"{what}: shape {list(actual.shape)}, expected {list(expected.shape)}"
    assert torch.isfinite(actual).all(), f"{what}: not finite"
    if expected.numel():
        limit = RELATIVE[expected.dtype] * expected.abs().max().clamp(min=1)
        error = (actual - expected).abs().max()
        assert error <= limit, f"{what}: off by {error:.2e}, allowed {limit:.2e}"
