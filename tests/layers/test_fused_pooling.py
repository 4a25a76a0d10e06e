"""Pooling's ConvNets as native operators against their composition: output, every gradient, running statistics."""

import copy

import pytest
import torch
from torch import Tensor, nn

from cloud_transformers.layers import CloudPooling, KeyProjection, KeyValueProjection, MaskedBatchNorm
from cloud_transformers.layers.faster import faster_pooling
from cloud_transformers.ops import use_backend
from tests.needs import needs_compiler
from tests.tolerances import assert_same

pytestmark = needs_compiler

B, F, H = 3, 12, 2


@pytest.fixture(autouse=True)
def _poisoned_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloud_transformers.native.reuse.poisoned", True)


def make_pooling(dim: int, side: int, channels: int, widths: tuple[int, ...]) -> CloudPooling:
    torch.manual_seed(0)
    projection = KeyValueProjection(F, channels, KeyProjection(H, dim, MaskedBatchNorm), MaskedBatchNorm)
    pooling = CloudPooling(projection, side, widths)
    for parameter in nn.ModuleList(pooling.blocks).parameters():
        nn.init.normal_(parameter, std=0.3)
    return pooling


def run(backend: str, pooling: CloudPooling, grid: Tensor, cloud_mask: Tensor | None) -> dict[str, Tensor]:
    """The output, the gradients of all that has one, and the buffers after two steps."""
    pooling, grid = copy.deepcopy(pooling), grid.clone().requires_grad_()
    with use_backend(backend):
        for _ in range(2):
            output = pooling.convolve(grid, cloud_mask)
            (output * torch.randn(output.shape, generator=torch.Generator().manual_seed(2))).sum().backward()
    leaves = {"grid": grid, **dict(nn.ModuleList(pooling.blocks).named_parameters())}
    gradients = {f"gradient of {name}": leaf.grad for name, leaf in leaves.items()}
    return {"output": output.detach(), **gradients, **{name: x.float() for name, x in pooling.named_buffers()}}


def assert_fused_is_composed(pooling: CloudPooling, batch_size: int = B, cloud_mask: Tensor | None = None) -> None:
    size = (batch_size, H, *pooling.size, pooling.projection.num_values // H)
    grid = torch.randn(size, generator=torch.Generator().manual_seed(1)).relu()  # as rasterising leaves it
    fused, composed = (run(backend, pooling, grid, cloud_mask) for backend in ("native", "reference"))
    for name, expected in composed.items():
        assert_same(fused[name], expected, name)


@pytest.mark.parametrize("widths", [(16,), (16, 16), (16, 32), (32, 32)])
@pytest.mark.parametrize(("dim", "side"), [(2, 5), (2, 8), (3, 4), (3, 5)])
def test_any_grid_and_channels(dim: int, side: int, widths: tuple[int, ...]) -> None:
    assert_fused_is_composed(make_pooling(dim, side, 16, widths))


def test_few_channels_few_nodes_and_one_cloud() -> None:
    assert_fused_is_composed(make_pooling(2, 4, 3, (16, 32)))
    assert_fused_is_composed(make_pooling(3, 2, 16, (16,)))
    assert_fused_is_composed(make_pooling(3, 4, 16, (16, 16)), batch_size=1)


@pytest.mark.parametrize("hidden", [[1], [0, 1, 2]])
def test_clouds_without_points_do_not_count(hidden: list[int]) -> None:
    cloud_mask = torch.ones(B, dtype=torch.bool)
    cloud_mask[hidden] = False
    assert_fused_is_composed(make_pooling(3, 4, 16, (16, 32)), cloud_mask=cloud_mask)


def test_it_is_taken_in_training_only_and_only_where_it_fits() -> None:
    def is_fused(pooling: CloudPooling, kind: torch.dtype = torch.float32) -> bool:
        size = (B, H, *pooling.size, pooling.projection.num_values // H)
        return faster_pooling(pooling.to(kind), torch.ones(size, dtype=kind), None) is not None

    assert is_fused(make_pooling(2, 4, 16, (16, 32)))
    assert not is_fused(make_pooling(2, 4, 16, (16, 32)), torch.float64)
    assert not is_fused(make_pooling(2, 4, 16, (16, 32)).eval())
    assert not is_fused(make_pooling(2, 4, 16, (32, 16)))
    assert not is_fused(make_pooling(2, 4, 16, (64,)))


def test_threads_do_not_change_a_bit() -> None:
    before = torch.get_num_threads()
    grid = torch.randn(B, H, 4, 4, 4, 16).relu()
    try:
        results = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            results.append(run("native", make_pooling(3, 4, 16, (16, 32)), grid, None))
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(results[0][name], results[1][name]) for name in results[0])
