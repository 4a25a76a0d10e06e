"""The native kernels against the references: outputs and every gradient, with scratch memory poisoned."""

from collections.abc import Callable, Sequence

import pytest
import torch
from torch import Tensor

from cloud_transformers.ops import (
    cloud_transform,
    derasterize,
    normalize,
    normalize_apart,
    project_keys,
    rasterize,
    use_backend,
)
from cloud_transformers.ops.norm import scale_and_shift
from cloud_transformers.ops.rasterize.reductions import REDUCTIONS, Reduction
from tests.needs import needs_compiler
from tests.tolerances import assert_same

pytestmark = needs_compiler

NUM_POINTS = [0, 1, 63, 1000]
SIZES = [(5, 4), (1, 7), (16, 9), (4, 5, 3), (3, 1, 6), (9, 8, 10)]
CHANNELS = [1, 3, 4, 8, 16, 32, 64]
B, H = 2, 3

Operator = Callable[..., Tensor | Sequence[Tensor]]


@pytest.fixture(autouse=True)
def _poisoned_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUDT_POISON_SCRATCH", "1")


class Draw:
    """Random arguments, the same ones for the same seed."""

    def __init__(self, seed: int = 0) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.generator).requires_grad_()

    def keys(self, *shape: int) -> Tensor:
        """Some lie outside the range and are clamped."""
        return (2.2 * torch.rand(shape, generator=self.generator) - 1.1).requires_grad_()

    def mask(self, num_points: int, kind: str) -> Tensor | None:
        if kind == "none":
            return None
        mask = torch.rand(B, num_points, generator=self.generator) > 0.3
        return mask & (torch.arange(B) > 0)[:, None] if kind == "one cloud hidden" else mask


def run(backend: str, operator: Operator, leaves: Sequence[Tensor]) -> list[Tensor]:
    """All outputs, and the gradients of all leaves for fixed cotangents."""
    leaves = [leaf.detach().clone(memory_format=torch.preserve_format).requires_grad_() for leaf in leaves]
    with use_backend(backend):
        result = operator(*leaves)
        outputs = [result] if isinstance(result, Tensor) else list(result)
        draw = torch.Generator().manual_seed(7)
        sum((x * torch.randn(x.shape, generator=draw)).sum() for x in outputs if x.requires_grad).backward()
    return [*outputs, *(leaf.grad if leaf.grad is not None else torch.zeros_like(leaf) for leaf in leaves)]


def assert_backends_agree(operator: Operator, leaves: Sequence[Tensor]) -> None:
    pairs = zip(run("native", operator, leaves), run("reference", operator, leaves), strict=True)
    for index, (ours, theirs) in enumerate(pairs):
        assert_same(ours, theirs, f"tensor {index}")


@pytest.mark.parametrize("num_points", NUM_POINTS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("reduce", REDUCTIONS)
def test_rasterize(reduce: str, size: tuple[int, ...], num_points: int) -> None:
    draw = Draw()
    for channels in CHANNELS:
        leaves = [draw.normal(B, H, num_points, channels), draw.keys(B, H, num_points, len(size))]
        mask = draw.mask(num_points, "some" if channels > 4 else "none")
        assert_backends_agree(lambda v, k, m=mask: rasterize(v, k, size, reduce=reduce, mask=m), leaves)


@pytest.mark.parametrize("num_points", NUM_POINTS)
@pytest.mark.parametrize("size", SIZES)
def test_derasterize(size: tuple[int, ...], num_points: int) -> None:
    draw = Draw()
    for channels in CHANNELS:
        leaves = [draw.normal(B, H, *size, channels), draw.keys(B, H, num_points, len(size))]
        mask = draw.mask(num_points, "some" if channels > 4 else "none")
        assert_backends_agree(lambda g, k, m=mask: derasterize(g, k, mask=m, balance=False), leaves)


@pytest.mark.parametrize("mask_kind", ["none", "some", "one cloud hidden"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("reduce", REDUCTIONS)
def test_cloud_transform(reduce: str, size: tuple[int, ...], mask_kind: str) -> None:
    draw = Draw()
    for channels, num_points in zip((4, 8, 16, 32, 5), (63, 0, 1, 200, 63), strict=True):
        leaves = [
            draw.normal(B, num_points, H, channels),
            draw.keys(B, H, num_points, len(size)),
            draw.normal(H * channels, channels, *[3] * len(size)),
            draw.normal(H * channels),
        ]
        mask = draw.mask(num_points, mask_kind)

        def operator(v: Tensor, k: Tensor, w: Tensor, b: Tensor, mask: Tensor | None = mask) -> Tensor:
            return cloud_transform(v.transpose(1, 2), k, w, b, size, reduce=reduce, mask=mask)

        assert_backends_agree(operator, leaves)


def test_a_reduction_without_a_kernel_runs_with_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REDUCTIONS, "mean", Reduction(code=None, note="nodes"))
    draw = Draw()
    leaves = [draw.normal(B, H, 30, 8), draw.keys(B, H, 30, 2), draw.normal(H * 8, 8, 3, 3), draw.normal(H * 8)]
    assert_backends_agree(lambda v, k: rasterize(v, k, 5, reduce="mean"), leaves[:2])
    assert_backends_agree(lambda v, k, w, b: cloud_transform(v, k, w, b, 5, reduce="mean"), leaves)


@pytest.mark.parametrize("size", [(5, 4), (4, 5, 3), (4, 3, 1)])
def test_of_equal_points_the_first_gets_the_gradient(size: tuple[int, ...]) -> None:
    draw = Draw()
    for channels in (4, 8, 16, 32):
        values, keys = draw.normal(B, 20, H, channels).detach(), draw.keys(B, H, 20, len(size)).detach()
        leaves = [
            torch.cat([values, values.clamp(min=0), values], dim=1),
            torch.cat([keys, keys, keys], dim=2),
            draw.normal(H * channels, channels, *[3] * len(size)),
            draw.normal(H * channels),
        ]
        assert_backends_agree(lambda v, k, w, b: cloud_transform(v.transpose(1, 2), k, w, b, size), leaves)
        to_values = run("native", lambda v, k, w, b: cloud_transform(v.transpose(1, 2), k, w, b, size), leaves)[1]
        assert to_values[:, :20].any()
        assert not to_values[:, 20:].any()


@pytest.mark.parametrize("mask_kind", ["none", "some", "one cloud hidden"])
@pytest.mark.parametrize("per_cloud", [False, True])
@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("num_points", [0, 63, 1000])
def test_normalize(num_points: int, relu: bool, per_cloud: bool, mask_kind: str) -> None:
    draw = Draw()
    groups = B if per_cloud else 1
    leaves = [
        draw.normal(B, num_points, 5),
        draw.normal(B, num_points, 40),
        draw.normal(groups, 45),
        draw.normal(groups, 45),
        draw.normal(B, num_points, 45),
    ]
    mask = draw.mask(num_points, mask_kind)

    def operator(x: Tensor, y: Tensor, weight: Tensor, bias: Tensor, residual: Tensor) -> list[Tensor]:
        both = [3 * x + 2, y]
        plain, mean, variance = normalize(both, weight, bias, mask=mask, relu=relu)
        added, _, _ = normalize(both, weight, bias, mask=mask, relu=relu, residual=residual)
        parts, _, _ = normalize_apart(torch.cat(both, dim=-1), weight, bias, [0, 3, 30, 12], mask=mask)
        return [plain, mean.detach(), variance.detach(), added, *parts]

    assert_backends_agree(operator, leaves)
    with torch.no_grad():
        given = [[*leaves[:2]], *leaves[2:4], leaves[2]]
        fixed = [
            _with(name, lambda x, m, a, b: [scale_and_shift(x, m, a, b, mask=mask, relu=relu)], given)
            for name in ("native", "reference")
        ]
    assert_same(fixed[0][0], fixed[1][0])


def _with(backend: str, operator: Callable[..., list[Tensor]], arguments: Sequence[object]) -> list[Tensor]:
    with use_backend(backend):
        return operator(*arguments)


def test_a_lone_point_is_normalized_to_the_bias() -> None:
    draw = Draw()
    bias = draw.normal(1, 20).detach()
    with use_backend("native"):
        output, _, variance = normalize([draw.normal(1, 1, 20).detach()], torch.ones(1, 20), bias)
    assert torch.allclose(output[0], bias, atol=1e-3)  # without variance, rounding is magnified by 1 / sqrt(EPS)
    assert not variance.any()


@pytest.mark.parametrize("squash", ["tanh", "sigmoid", "balanced_sigmoid"])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("num_points", NUM_POINTS)
def test_project_keys(num_points: int, dimension: int, squash: str) -> None:
    draw = Draw()
    positions, shift, matrix = draw.normal(B, num_points, 3), draw.normal(H, 3), draw.normal(H, 3, dimension)
    projected = draw.normal(B, num_points, 3 * H + 4)
    assert_backends_agree(
        lambda p, r, s, m: project_keys(p, r[..., 4:], s, m, squash=squash), [positions, projected, shift, matrix]
    )
    assert_backends_agree(lambda p, s, m: project_keys(p, None, s, m, squash=squash), [positions, shift, matrix])


def every_operator() -> dict[str, tuple[Operator, list[Tensor]]]:
    draw = Draw()
    values, keys = draw.normal(B, H, 300, 8), draw.keys(B, H, 300, 3)
    weight, bias = draw.normal(H * 8, 8, 3, 3, 3), draw.normal(H * 8)
    mask = draw.mask(300, "some")
    return {
        "rasterize": (lambda v, k: rasterize(v, k, 6, mask=mask), [values, keys]),
        "derasterize": (lambda g, k: derasterize(g, k, mask=mask), [draw.normal(B, H, 5, 6, 7, 8), keys]),
        "transform": (lambda v, k, w, b: cloud_transform(v, k, w, b, 6, mask=mask), [values, keys, weight, bias]),
        "norm": (
            lambda x, w, b: normalize([x], w, b, mask=mask, relu=True)[0],
            [draw.normal(B, 300, 24), draw.normal(1, 24), draw.normal(1, 24)],
        ),
        "keys": (
            lambda p, r, s, m: project_keys(p, r, s, m),
            [draw.normal(B, 300, 3), draw.normal(B, 300, 3 * H), draw.normal(H, 3), draw.normal(H, 3, 3)],
        ),
    }


@pytest.mark.parametrize("name", ["rasterize", "derasterize", "transform", "norm", "keys"])
class TestEveryOperator:
    def test_threads_do_not_change_a_bit(self, name: str) -> None:
        operator, leaves = every_operator()[name]
        before = torch.get_num_threads()
        try:
            results = []
            for threads in (1, 2, 5):
                torch.set_num_threads(threads)
                results.append(run("native", operator, leaves))
        finally:
            torch.set_num_threads(before)
        for other in results[1:]:
            assert all(torch.equal(a, b) for a, b in zip(results[0], other, strict=True))

    def test_layout_of_the_input_does_not_matter(self, name: str) -> None:
        operator, leaves = every_operator()[name]
        scattered = [
            torch.stack([leaf.detach(), torch.full_like(leaf, float("nan"))], dim=-1)[..., 0] for leaf in leaves
        ]
        assert all(not leaf.is_contiguous() for leaf in scattered)
        for a, b in zip(run("native", operator, leaves), run("native", operator, scattered), strict=True):
            assert torch.equal(a, b)


def test_masked_points_may_hold_anything() -> None:
    draw = Draw()
    mask = draw.mask(50, "some")
    assert mask is not None
    values, keys = draw.normal(B, H, 50, 4).detach(), draw.keys(B, H, 50, 2).detach()
    weight, bias = draw.normal(H * 4, 4, 3, 3).detach(), draw.normal(H * 4).detach()
    rows = draw.normal(B, 50, 6).detach()
    hidden = ~mask[:, None, :, None]

    def outputs(junk: float) -> list[Tensor]:
        v, k = values.masked_fill(hidden, junk).requires_grad_(), keys.masked_fill(hidden, junk).requires_grad_()
        x = rows.masked_fill(~mask[:, :, None], junk).requires_grad_()
        with use_backend("native"):
            read = cloud_transform(v, k, weight, bias, 5, mask=mask)
            normal = normalize([x], torch.ones(1, 6), torch.zeros(1, 6), mask=mask)[0]
            (read.square().sum() + normal.pow(3).sum()).backward()
        assert v.grad is not None
        assert k.grad is not None
        assert x.grad is not None
        return [read, normal, v.grad, k.grad, x.grad]

    for clean, dirty in zip(outputs(0.0), outputs(float("nan")), strict=True):
        assert torch.equal(clean, dirty)


@pytest.mark.parametrize("channels", CHANNELS)
def test_a_value_that_is_not_a_number_stays_visible(channels: int) -> None:
    values, keys = torch.ones(1, 1, 3, channels), torch.zeros(1, 1, 3, 2)
    values[0, 0, 1] = float("nan")
    with use_backend("native"):
        assert torch.isnan(rasterize(values, keys, 2)).all()
        assert torch.isnan(rasterize(torch.ones_like(values), keys.fill_(float("nan")), 2)).any()
