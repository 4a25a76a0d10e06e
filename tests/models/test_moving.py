"""A completer that moves points: what it saw stays, mirrored points lie where a mirror would show them."""

import pytest
import torch
from torch import Tensor

from cloud_transformers import models
from cloud_transformers.models.mirrors import MirrorPlanes
from tests.models.test_properties import padded
from tests.models.tiny import cloud, tiny
from tests.tolerances import assert_same


def moving(**options: object) -> models.Completer:
    return tiny("completer", moves=True, mirrors=2, fine=True, **options).eval()  # type: ignore[return-value]


def seeded(seed: int = 5) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def awake(model: models.Completer) -> models.Completer:
    """With a last map that is no longer zero."""
    torch.nn.init.normal_(model.decoder.head.linear2.weight, generator=seeded(1))
    return model


@pytest.fixture
def points() -> Tensor:
    return cloud(10)[..., :3]


def test_observed_points_come_out_exactly_where_they_were_however_it_was_trained(points: Tensor) -> None:
    assert torch.equal(awake(moving())(points, num_points=32)[:, :10], points)


def test_at_the_start_nothing_is_moved_from_where_it_starts(points: Tensor) -> None:
    model = tiny("completer", moves=True).eval()
    inputs = model.decoder_inputs(points, 32, generator=seeded())
    assert torch.equal(model.decode(model.encode(points), inputs), inputs[..., :3])


def test_masked_points_are_not_kept_and_not_mirrored(points: Tensor) -> None:
    mask = torch.arange(10).expand(2, 10) < torch.tensor([[10], [4]])
    inputs = moving().decoder_inputs(points, 40, mask, seeded())
    position, flag = inputs[..., :3], inputs[..., 3]
    assert torch.equal(flag[:, :10] == 1, mask)
    for row, real in enumerate((10, 4)):
        started = position[row][flag[row] < 0]
        assert (torch.cdist(started, points[row, :real]).amin(dim=1) == 0).all()
        assert_same(position[row][flag[row] == 0].norm(dim=-1), torch.ones((flag[row] == 0).sum()).double())


def test_each_plane_mirrors_as_many_points_and_the_sphere_fills_the_other_half(points: Tensor) -> None:
    flag = moving().decoder_inputs(points, 42, generator=seeded())[..., 3]
    counts = {value: int((flag[0] == value).sum()) for value in (1, 0, -1, -2)}
    assert counts == {1: 10, 0: 16, -1: 8, -2: 8}


def test_padding_changes_nothing(points: Tensor) -> None:
    model = awake(moving())
    with_garbage, mask = padded(points, 3)
    assert_same(
        model(with_garbage, num_points=32, mask=mask, generator=seeded()),
        model(points, num_points=32, generator=seeded()),
    )


def test_batch_of_two_is_two_batches_of_one(points: Tensor) -> None:
    model, generator = awake(moving()), seeded()
    apart = torch.cat([model(each[None], num_points=32, generator=generator) for each in points])
    assert_same(model(points, num_points=32, generator=seeded()), apart)


class TestMirrorPlanes:
    style = torch.rand(3, 8, dtype=torch.float64, generator=seeded())

    def mirrored(self, points: Tensor, plane: Tensor) -> Tensor:
        torch.manual_seed(0)
        return MirrorPlanes(8, 2).double()(self.style, points, plane)

    def test_a_mirror_keeps_distances_and_heights_and_swaps_left_and_right(self) -> None:
        points = cloud(6, 3)[..., :3]
        seen = self.mirrored(points, torch.zeros(3, 6))
        assert_same(torch.cdist(seen, seen), torch.cdist(points, points))
        assert torch.equal(seen[..., 1], points[..., 1])
        edges, seen_edges = points[:, 1:4] - points[:, :1], seen[:, 1:4] - seen[:, :1]
        assert_same(torch.linalg.det(seen_edges), -torch.linalg.det(edges))

    def test_every_point_has_its_plane_and_others_stay(self) -> None:
        points = cloud(3, 3)[..., :3]
        plane = torch.tensor([0.0, 1.0, -2.0]).expand(3, 3)
        mixed = self.mirrored(points, plane)
        for column, value in enumerate((0.0, 1.0)):
            assert_same(mixed[:, column], self.mirrored(points, torch.full((3, 3), value))[:, column])
        assert torch.equal(mixed[:, 2], points[:, 2])
        assert not torch.allclose(self.mirrored(points, plane * 0), self.mirrored(points, plane * 0 + 1))


def test_small_moves_and_full_and_tiny_are_the_papers() -> None:
    with torch.device("meta"):
        configs = {size: models.completer(size).config for size in ("full", "small", "tiny")}
    assert (configs["small"].moves, configs["small"].mirrors) == (True, 2)
    assert not any(configs[size].moves or configs[size].mirrors for size in ("full", "tiny"))
