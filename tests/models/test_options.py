"""Sizes, flavours and ablations: each does what its name says; every test here fails if its option does nothing."""

from dataclasses import dataclass
from functools import cache

import pytest
import torch
from torch import nn

from cloud_transformers import models
from cloud_transformers.layers import CloudPooling, CloudTransform, KeyProjection
from cloud_transformers.models import ablations
from cloud_transformers.models.trunk import TRUNKS, trunk_config
from tests.models.tiny import BUILDERS, cloud, run, tiny


def modules(model: nn.Module, kind: type) -> list:
    return [module for module in model.modules() if isinstance(module, kind)]


@pytest.mark.parametrize("builder", BUILDERS.values())
@pytest.mark.parametrize(("size", "limit"), [("small", 1_500_000), ("tiny", 150_000)])
def test_small_and_tiny_keep_their_budgets(builder: object, size: str, limit: int) -> None:
    model = builder(size)
    num_parameters = sum(parameter.numel() for parameter in model.parameters())
    if size == "small" and hasattr(model, "image_trunk"):
        num_parameters -= sum(parameter.numel() for parameter in model.image_trunk.parameters())
    assert num_parameters < limit


@dataclass(frozen=True)
class Pass:
    """One pass forward and backward, in a few numbers."""

    output: float
    gradient: float
    is_finite: bool


@cache
def passed(name: str, ablation: str, flavour: str) -> Pass:
    """The same seed and the same cloud for all."""
    model = tiny(name, flavour=flavour, **ablations("tiny")[ablation])
    for parameter_name, parameter in model.named_parameters():
        if parameter_name.endswith("keys.scales"):  # they begin with 1, which changes nothing
            nn.init.constant_(parameter, 1.5)
    outputs = run(name, model, cloud(20))
    sum(value.square().sum() for value in outputs.values()).backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    return Pass(
        sum(value.abs().sum().item() for value in outputs.values()),
        sum(gradient.abs().sum().item() for gradient in gradients),
        all(bool(torch.isfinite(gradient).all()) for gradient in gradients),
    )


@pytest.mark.parametrize("name", BUILDERS)
@pytest.mark.parametrize("ablation", ablations("tiny"))
@pytest.mark.parametrize("flavour", ["release", "paper"])
def test_every_ablation_runs_forward_and_backward(name: str, ablation: str, flavour: str) -> None:
    assert passed(name, ablation, flavour).is_finite


@pytest.mark.parametrize("name", BUILDERS)
@pytest.mark.parametrize("ablation", [name for name in ablations("tiny") if name != "full"])
def test_every_ablation_changes_the_answer_or_its_gradient(name: str, ablation: str) -> None:
    without, with_it = (passed(name, each, "release") for each in ("full", ablation))
    assert (without.output, without.gradient) != pytest.approx((with_it.output, with_it.gradient), rel=1e-9)


@pytest.mark.parametrize("mode", ["linear", "fixed", "identity", "no_residual"])
@pytest.mark.parametrize("builder", BUILDERS.values())
def test_key_modes_reach_every_head(builder: object, mode: str) -> None:
    projections = modules(builder("tiny", keys=mode), KeyProjection)
    assert projections
    assert {projection.mode for projection in projections} == {mode}


@pytest.mark.parametrize("builder", BUILDERS.values())
@pytest.mark.parametrize(
    ("options", "attribute", "value"),
    [
        ({"reduce": "sum"}, "reduce", "sum"),
        ({"reduce": "mean"}, "reduce", "mean"),
        ({"balance": False}, "balance", False),
    ],
)
def test_reduction_and_balancing_reach_every_grid(
    builder: object, options: dict, attribute: str, value: object
) -> None:
    model = builder("tiny", **options)
    grids = modules(model, CloudTransform) + modules(model, CloudPooling)
    assert {getattr(grid, attribute) for grid in grids} == {value}


@pytest.mark.parametrize("builder", BUILDERS.values())
def test_without_planar_heads_only_volumes_are_left(builder: object) -> None:
    model = builder("tiny", planar=False)
    assert {projection.dim for projection in modules(model, KeyProjection)} == {3}


def test_coarser_grids_are_half_as_wide() -> None:
    full, coarse = (modules(models.classifier("full", coarse=c), CloudTransform) for c in (False, True))
    assert [t.size[0] for t in full] == [2 * t.size[0] for t in coarse]
    pooled = modules(models.classifier("full", coarse=True), CloudPooling)
    assert [pooling.size for pooling in pooled] == [(8, 8), (4, 4, 4)]


def test_fine_grids_are_twice_as_wide_and_cost_no_parameter() -> None:
    usual, fine = (models.segmenter("small", fine=fine) for fine in (False, True))
    assert [2 * t.size[0] for t in modules(usual, CloudTransform)] == [t.size[0] for t in modules(fine, CloudTransform)]
    assert sum(p.numel() for p in usual.parameters()) == sum(p.numel() for p in fine.parameters())


def test_the_paper_s_single_head_has_eight_times_the_channels() -> None:
    full, single = (modules(models.segmenter("full", single_head=s), CloudTransform) for s in (False, True))
    for many, one in zip(full, single, strict=True):
        assert many.projection.keys.num_heads == 16
        assert one.projection.keys.num_heads == 1
        assert one.out_channels == 8 * many.out_channels // 16


@pytest.mark.parametrize("size", ["small", "tiny"])
def test_a_single_head_of_the_smaller_sizes_has_as_many_channels_as_all_heads_together(size: str) -> None:
    full, single = (modules(models.segmenter(size, single_head=s), CloudTransform) for s in (False, True))
    for many, one in zip(full, single, strict=True):
        assert one.projection.keys.num_heads == 1
        assert one.out_channels == many.out_channels  # both of all their heads


@pytest.mark.parametrize("num_cascades", [2, 4, 8])
def test_depth(num_cascades: int) -> None:
    assert len(models.segmenter("full", num_cascades=num_cascades).trunk.cascades) == num_cascades


@pytest.mark.parametrize("size", TRUNKS)
def test_half_and_double_depth_are_those_of_the_size(size: str) -> None:
    depth = TRUNKS[size].num_cascades
    doubled = trunk_config(size, **ablations(size)["double depth"])
    assert doubled == trunk_config(size, num_cascades=2 * depth)
    if depth % 2 == 0:
        assert 2 * trunk_config(size, **ablations(size)["half depth"]).num_cascades == depth
    else:
        assert "half depth" not in ablations(size)


def test_the_paper_s_depths_are_two_and_eight_cascades() -> None:
    assert ablations()["half depth"] == {"num_cascades": 2}
    assert ablations()["double depth"] == {"num_cascades": 8}


def test_depth_is_relative_to_a_depth_that_was_chosen() -> None:
    assert ablations("small", num_cascades=6)["half depth"] == {"num_cascades": 3}
    assert "half depth" not in ablations("small", num_cascades=3)


def test_scales_are_three_per_volumetric_and_two_per_planar_head_everywhere() -> None:
    model = models.classifier("full", scales=True)
    assert all(p.scales.shape == (16, p.dim) for p in modules(model, KeyProjection))


def test_without_balancing_the_key_gradient_grows_with_the_grid() -> None:
    """At w = 128 a key's gradient is (w - 1) / 2 = 63.5 times the balanced one in the last block, more before it."""
    norms = {}
    for balance in (True, False):
        torch.manual_seed(0)
        model = models.segmenter("small", balance=balance).double()
        run("segmenter", model, cloud(64))["points"].square().sum().backward()
        norms[balance] = model.trunk.cascades[0].blocks[0].transforms[0].projection.keys.log_rotation.grad.norm()
    assert norms[False] > 5 * norms[True]


class TestFlavours:
    def test_squash(self) -> None:
        for flavour, squash in (("release", "tanh"), ("paper", "sigmoid")):
            squashes = {p.squash for p in modules(models.classifier("tiny", flavour=flavour), KeyProjection)}
            assert squashes == {squash}

    def test_pooling_grids(self) -> None:
        for flavour, sizes in (("release", [(16, 16), (8, 8, 8)]), ("paper", [(8, 8), (16, 16, 16)])):
            pooled = modules(models.classifier("full", flavour=flavour), CloudPooling)
            assert [pooling.size for pooling in pooled] == sizes

    def test_output_activation(self) -> None:
        assert models.reconstructor("tiny").decoder.output == "sigmoid"
        assert models.reconstructor("tiny", flavour="paper").decoder.output == "tanh"
        assert models.completer("tiny").decoder.output == "linear"
        assert models.completer("tiny", flavour="paper").decoder.output == "tanh"
        style, sphere = torch.rand(1, 16), torch.rand(1, 9, 3)
        torch.manual_seed(0)
        release = models.reconstructor("tiny").eval().decode(style, sphere)
        torch.manual_seed(0)
        paper = models.reconstructor("tiny", flavour="paper").eval()
        nn.init.constant_(paper.decoder.head.linear2.bias, -1.0)
        assert (release > 0).all()
        assert (paper.decode(style, sphere) < 0).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "huge"}, "size must be one of full, small, tiny, got 'huge'"),
        ({"flavour": "vanilla"}, "flavour must be one of release, paper"),
        ({"keys": "none"}, "keys must be one of"),
        ({"reduce": "min"}, "reduce must be one of max, sum, mean"),
        ({"num_cascades": 0}, "num_cascades must be at least 1"),
    ],
)
@pytest.mark.parametrize("builder", BUILDERS.values())
def test_unknown_choices_are_refused(builder: object, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        builder(**{"size": "tiny", **options})
