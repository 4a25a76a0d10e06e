"""The exportable operators against the references, in eager mode: every option, and the edges of the input."""

import pytest
import torch
from torch import Tensor

from cloud_transformers.export.interface import Interface, interface_of
from cloud_transformers.export.operators import in_standard_operators
from cloud_transformers.models import ablations
from cloud_transformers.ops import cloud_transform, derasterize, rasterize, use_backend
from tests.models.tiny import BUILDERS
from tests.tolerances import assert_same


def points(size: tuple[int, ...], num_points: int = 50) -> tuple[Tensor, Tensor, Tensor]:
    """Values, keys (some beyond the grid, some at nodes) and a mask over NaN."""
    draw = torch.Generator().manual_seed(len(size))
    values = torch.randn(2, 3, num_points, 4, generator=draw, dtype=torch.float64)
    keys = torch.rand(2, 3, num_points, len(size), generator=draw, dtype=torch.float64) * 2.2 - 1.1
    keys[:, :, :3] = torch.tensor([-1.0, 0.0, 1.0])[:, None]
    mask = torch.rand(2, num_points, generator=draw) < 0.7
    hidden = ~mask[:, None, :, None]
    return values.masked_fill(hidden, float("nan")), keys.masked_fill(hidden, float("nan")), mask


def assert_unchanged(interface: Interface, inputs: tuple[Tensor, ...]) -> None:
    with torch.no_grad():
        expected = interface.module(*inputs)
    # With gradients, since evaluation without them takes a way past the operators, into the kernels.
    with in_standard_operators():
        actual = interface.module(*inputs)
    for ours, theirs in zip(actual, expected, strict=True):
        assert_same(ours.detach(), theirs)


@pytest.mark.parametrize("size", [(5, 4), (3, 5, 4), (1, 4), (2, 1, 3), (1, 1)])
@pytest.mark.parametrize("reduce", ["max", "sum", "mean"])
def test_writing_and_reading(size: tuple[int, ...], reduce: str) -> None:
    values, keys, mask = points(size)
    weight = torch.randn(12, 4, *[3] * len(size), dtype=torch.float64)
    bias = torch.randn(12, dtype=torch.float64)

    def all_three() -> list[Tensor]:
        grid = rasterize(values, keys, size, reduce=reduce, mask=mask)
        whole = cloud_transform(values, keys, weight, bias, size, reduce=reduce, mask=mask)
        return [grid, derasterize(grid, keys, mask=mask), whole]

    with use_backend("reference"):
        expected = all_three()
    with torch.no_grad(), in_standard_operators():
        actual = all_three()
    for ours, theirs in zip(actual, expected, strict=True):
        assert_same(ours, theirs)


def test_a_key_that_is_not_a_number_stays_a_legal_index() -> None:
    values, keys, _ = points((4, 4))
    with in_standard_operators():
        grid = rasterize(values.nan_to_num(), keys, 4)
    assert grid.shape == (2, 3, 4, 4, 4)


@pytest.mark.parametrize("options", ablations("tiny").values(), ids=ablations("tiny").keys())
def test_every_ablation(options: dict[str, object]) -> None:
    interface = interface_of(BUILDERS["classifier"]("tiny", flavour="paper", **options).eval())
    assert_unchanged(interface, interface.sample(2, 40, 1))


@pytest.mark.parametrize("name", BUILDERS)
def test_every_kind(name: str) -> None:
    interface = interface_of(BUILDERS[name]("tiny").eval())
    assert_unchanged(interface, interface.sample(3, 25, 2))
