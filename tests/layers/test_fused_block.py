"""The block as one operator against its composition: output, every gradient, running statistics; any kind of heads."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from cloud_transformers.layers import (
    AdaptiveInstanceNorm,
    MaskedBatchNorm,
    MaskedInstanceNorm,
    MultiHeadBlock,
)
from cloud_transformers.layers.faster import faster_block
from cloud_transformers.ops import use_backend
from tests.layers.blocks import F, make_block
from tests.needs import needs_compiler
from tests.tolerances import assert_same

pytestmark = needs_compiler

B, Z = 2, 5


@pytest.fixture(autouse=True)
def _poisoned_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUDT_POISON_SCRATCH", "1")


def run(backend: str, block: MultiHeadBlock, num_points: int = 70, mask: Tensor | None = None) -> dict[str, Tensor]:
    """The output, the gradients of all that has one, and the buffers after two steps."""
    block = copy.deepcopy(block)
    draw = torch.Generator().manual_seed(1)
    features = torch.randn(B, num_points, F, generator=draw).requires_grad_()
    positions = (torch.rand(B, num_points, 3, generator=draw) - 0.5).requires_grad_()
    style = torch.randn(B, Z, generator=draw).requires_grad_()
    with use_backend(backend):
        for _ in range(2):
            output = block(features, positions, mask, style)
            (output * torch.randn(output.shape, generator=torch.Generator().manual_seed(2))).sum().backward()
    leaves = {"features": features, "positions": positions, "style": style, **dict(block.named_parameters())}
    gradients = {f"gradient of {name}": leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}
    assert len(gradients) >= len(list(block.parameters())) + 2
    return {"output": output.detach(), **gradients, **{name: x.float() for name, x in block.named_buffers()}}


def assert_fused_is_composed(block: MultiHeadBlock, num_points: int = 70, mask: Tensor | None = None) -> None:
    fused = run("native", block, num_points, mask)
    composed = run("reference", block, num_points, mask)
    assert fused.keys() == composed.keys()
    for name, expected in composed.items():
        # A bias in front of a normalisation has no effect: its gradient is rounding, of sums as large as its weight's.
        scale = composed[name.replace("bias", "weight")].abs().max().clamp(min=1) if "conv.bias" in name else 1
        assert_same(fused[name] / scale, expected / scale, name)


@pytest.mark.parametrize("num_points", [1, 63, 300])
@pytest.mark.parametrize("channels", [(4, 8), (16, 32), (8,)])
def test_any_number_of_points_and_channels(num_points: int, channels: tuple[int, ...]) -> None:
    assert_fused_is_composed(make_block(channels=channels), num_points)


@pytest.mark.parametrize("hidden", ["some points", "a cloud", "everything"])
def test_masks(hidden: str) -> None:
    mask = torch.rand(B, 70, generator=torch.Generator().manual_seed(3)) > 0.3
    mask[:1] &= hidden == "some points"
    mask &= hidden != "everything"
    assert_fused_is_composed(make_block(), mask=mask)


@pytest.mark.parametrize("mode", ["full", "fixed", "identity", "no_residual"])
@pytest.mark.parametrize("make_norm", [MaskedBatchNorm, MaskedInstanceNorm, lambda c: AdaptiveInstanceNorm(c, Z)])
def test_any_keys_and_norms(make_norm: Callable[[int], nn.Module], mode: str) -> None:
    assert_fused_is_composed(make_block(make_norm, mode=mode))


@pytest.mark.parametrize("reduce", ["sum", "mean"])
def test_any_reduction_squash_and_width(reduce: str) -> None:
    assert_fused_is_composed(make_block(reduce=reduce, squash="sigmoid", scales=True, out_width=F + 3))


def test_it_is_taken_in_training_only_and_only_where_it_fits() -> None:
    features, positions = torch.randn(B, 20, F), torch.rand(B, 20, 3)

    def is_fused(block: MultiHeadBlock, *, double: bool = False) -> bool:
        kind = torch.float64 if double else torch.float32
        return faster_block(block.to(kind), features.to(kind), positions.to(kind), None, None) is not None

    assert is_fused(make_block())
    assert not is_fused(make_block(), double=True)
    assert not is_fused(make_block().eval())
    assert not is_fused(make_block(channels=(3, 8)))
    assert not is_fused(make_block(mode="linear"))
    partly = make_block()
    partly.norm.eval()
    assert not is_fused(partly)


def test_threads_do_not_change_a_bit() -> None:
    before = torch.get_num_threads()
    try:
        results = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            results.append(run("native", make_block(), num_points=130))
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(results[0][name], other[name]) for name in other)
