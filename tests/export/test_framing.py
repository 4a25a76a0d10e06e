"""What an exported file does to clouds before the model sees them, against what the predictors do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import ClassificationSample
from cloud_transformers.export.framing import box_frame, unit_sphere
from cloud_transformers.export.interface import interface_of
from cloud_transformers.transforms import Center, Scale, UnitDiagonal, UnitSphere
from tests.export.conftest import PREPARATIONS
from tests.export.one_block import one_block
from tests.tolerances import assert_same

POSITIONS = torch.rand(2, 40, 3, generator=torch.Generator().manual_seed(0)) * torch.tensor([5.0, 2.0, 9.0]) + 30
MASK = torch.arange(40) < torch.tensor([40, 25])[:, None]


def as_in_training(cloud: torch.Tensor, *transforms: object) -> torch.Tensor:
    sample = ClassificationSample(name="", cloud=PointCloud(positions=cloud.numpy()), label=-1)
    for transform in transforms:
        sample = transform(sample, np.random.default_rng(0))  # type: ignore[operator]
    return torch.from_numpy(sample.cloud.positions)


def test_the_unit_sphere_is_the_one_of_the_transforms() -> None:
    framed = unit_sphere(POSITIONS.masked_fill(~MASK[..., None], float("nan")), MASK)
    for row, count in enumerate((40, 25)):
        assert_same(framed[row, :count], as_in_training(POSITIONS[row, :count], Center(), UnitSphere()))
        assert not framed[row, count:].any()


def test_the_box_is_the_one_of_the_transforms() -> None:
    middle, factor = box_frame(POSITIONS.masked_fill(~MASK[..., None], float("nan")), MASK, 1.0)
    framed = (POSITIONS - middle) * factor
    for row, count in enumerate((40, 25)):
        assert_same(framed[row, :count], as_in_training(POSITIONS[row, :count], UnitDiagonal()))


def test_a_cloud_of_one_place_has_no_size() -> None:
    place, mask = torch.full((1, 5, 3), 2.0), torch.ones(1, 5, dtype=torch.bool)
    assert not unit_sphere(place, mask).any()
    assert box_frame(place, mask, 1.0)[1].item() == 1


def test_weights_that_know_sizes_take_metres() -> None:
    sized = replace(PREPARATIONS["classifier"], frame="data", scale=0.5)
    module = interface_of(one_block("classifier", planar=False), sized).module
    positions, mask = POSITIONS[:1], MASK[:1]
    with torch.no_grad():
        wanted = module.model(as_in_training(positions[0], Center(), Scale(0.5))[None], mask)[0]
        assert_same(module(positions, mask)[0], wanted)
        assert_same(module(positions + 8, mask)[0], wanted)
        assert not torch.equal(module(positions * 2, mask)[0], wanted)


@pytest.mark.parametrize("name", ["classifier", "completer"])
def test_place_and_unit_do_not_matter(name: str) -> None:
    """A completed shape is where the partial one was, in its unit."""
    interface = interface_of(one_block(name, planar=False), PREPARATIONS[name])
    inputs = interface.sample(1, 30, 4)
    moved = (inputs[0] * 8 + 16, *inputs[1:])
    with torch.no_grad():
        here, there = interface.module(*inputs)[0], interface.module(*moved)[0]
    torch.testing.assert_close(there, here * 8 + 16 if name == "completer" else here, rtol=1e-3, atol=1e-3)
