"""What is shown is what is computed: the parts that the walk takes out of a model give the model's own numbers."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers import models
from cloud_transformers.inspect import SeenBlock, seen_blocks
from tests.tolerances import assert_same

Run = Callable[[nn.Module, torch.dtype], Any]

MASK = torch.arange(40) < torch.tensor([[40], [23]])


def _lively(model: nn.Module) -> nn.Module:
    """As after training: residuals move keys, and statistics and affine maps are not those of a new model."""
    with torch.no_grad():
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            if name.endswith(("running_var", "residual_scale")):
                tensor.copy_(0.5 + torch.rand_like(tensor))
            elif tensor.is_floating_point():
                tensor.add_(0.2 * torch.randn_like(tensor))
    return model.eval()


def _segmenter(**options: Any) -> tuple[nn.Module, Run]:
    points, colors = torch.rand(2, 40, 3), torch.rand(2, 40, 3)
    return models.segmenter("tiny", **options), lambda model, dtype: model(points.to(dtype), colors.to(dtype), MASK)


def _completer() -> tuple[nn.Module, Run]:
    partial = torch.rand(2, 40, 3)
    generator = torch.Generator().manual_seed(0)

    def run(model: nn.Module, dtype: torch.dtype) -> Any:
        return model(partial.to(dtype), num_points=60, mask=MASK, generator=generator)

    return models.completer("tiny"), run


def _reconstructor() -> tuple[nn.Module, Run]:
    images = torch.rand(2, 3, 32, 32)
    return models.reconstructor("tiny"), lambda model, dtype: model(images.to(dtype), num_points=50)


CASES: dict[str, Callable[[], tuple[nn.Module, Run]]] = {
    "segmenter": _segmenter,
    "paper's flavour with scales": lambda: _segmenter(flavour="paper", scales=True),
    "linear keys": lambda: _segmenter(keys="linear"),
    "no residual": lambda: _segmenter(keys="no_residual"),
    "sum": lambda: _segmenter(reduce="sum", planar=False),
    "completer": _completer,
    "reconstructor": _reconstructor,
}


# In float32 the model runs by its fast kernels; the instance norms of decoders make too much of rounding there.
WALKS = [*((name, torch.float64) for name in CASES), ("segmenter", torch.float32), ("sum", torch.float32)]


def _walked(name: str, dtype: torch.dtype) -> list[SeenBlock]:
    torch.manual_seed(3)
    model, run = CASES[name]()
    model = _lively(model).to(dtype)
    with torch.inference_mode():
        return seen_blocks(model, lambda: run(model, dtype))


@pytest.mark.parametrize(("name", "dtype"), WALKS)
def test_the_parts_of_a_block_give_its_output(name: str, dtype: torch.dtype) -> None:
    blocks = _walked(name, dtype)
    assert blocks
    for seen in blocks:
        block = seen.block
        with torch.inference_mode():
            reads = [
                group.transform.norm(rearrange(group.read(), "b h n c -> b n (h c)"), seen.mask, seen.style).relu()
                for group in seen.groups()
            ]
            update = block.norm(block.linear(torch.cat(reads, dim=-1)), seen.mask, seen.style).relu()
        visible = seen.visible
        assert_same((seen.features + update)[visible], seen.output[visible], f"{seen.part} {seen.number}")


@pytest.mark.parametrize(("name", "dtype"), WALKS)
def test_residuals_and_t_give_the_keys(name: str, dtype: torch.dtype) -> None:
    for seen in _walked(name, dtype):
        for group in seen.groups():
            keys = group.transform.projection.keys
            residuals = group.residuals()
            if keys.mode == "linear":
                assert residuals is None
                continue
            shift, matrix = keys.transform(seen.positions)
            places = seen.positions[:, None] + (0 if residuals is None else residuals) + shift[:, None]
            flat: Tensor = places @ matrix
            wanted = flat.tanh() if keys.squash == "tanh" else 2 * flat.sigmoid() - 1
            shown = seen.visible[:, None].expand(wanted.shape[:3])
            assert_same(group.keys[shown], wanted[shown], f"{seen.part} {seen.number} {group.kind}")


def test_blocks_come_in_the_order_of_the_data_and_hooks_are_gone() -> None:
    model, run = _completer()
    model.eval()
    blocks = seen_blocks(model, lambda: run(model, torch.float32))
    assert [(seen.part, seen.number) for seen in blocks] == [(p, n) for p in ("encoder", "decoder") for n in (1, 2, 3)]
    assert [group.kind for group in blocks[0].groups()] == ["planar", "volumetric"]
    assert not any(module._forward_hooks for module in model.modules())


def test_hooks_are_gone_after_an_error() -> None:
    model, _ = _segmenter()
    with pytest.raises(ValueError, match="features"):
        seen_blocks(model, lambda: model(torch.rand(1, 5, 3), torch.rand(1, 5, 9)))
    assert not any(module._forward_hooks for module in model.modules())
