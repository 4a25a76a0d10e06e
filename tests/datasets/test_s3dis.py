"""S3DIS from raw rooms: parsing, both preparations, and spheres that lead back to every raw point."""

import json
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.datasets.repaired_text import BrokenLine
from cloud_transformers.datasets.s3dis import (
    BLOCK_CLASSES,
    SPHERE_CLASSES,
    find_rooms,
    prepare_blocks,
    prepare_spheres,
    read_room,
    s3dis_blocks,
    s3dis_spheres,
)
from cloud_transformers.datasets.s3dis.subrooms import subsample_room
from cloud_transformers.errors import InputError
from cloud_transformers.space.spheres import in_sphere, potential_centers
from tests.datasets import layouts


def test_orders_of_classes() -> None:
    assert BLOCK_CLASSES[7:11] == ("table", "chair", "sofa", "bookcase")
    assert SPHERE_CLASSES[7:11] == ("chair", "table", "bookcase", "sofa")
    assert sorted(BLOCK_CLASSES) == sorted(SPHERE_CLASSES)


def test_raw_rooms(tmp_path: Path) -> None:
    rooms = find_rooms(layouts.s3dis_raw(tmp_path))
    assert [room.full_name for room in rooms] == [
        "Area_1_office_1", "Area_1_office_2", "Area_5_office_1", "Area_5_office_2"
    ]  # fmt: skip
    room = read_room(rooms[0])
    assert room.positions.shape == (3000, 3)
    names = {BLOCK_CLASSES[label] for label in np.unique(room.label)}
    assert names == {"floor", "ceiling", "wall", "table", "clutter"}  # stairs count as clutter
    table = read_room(rooms[0], SPHERE_CLASSES).label
    assert (table == SPHERE_CLASSES.index("table")).sum() == (room.label == BLOCK_CLASSES.index("table")).sum()


def test_known_corruption_is_repaired_and_reported(tmp_path: Path) -> None:
    root = layouts.s3dis_raw(tmp_path)
    path = root / "Area_5" / "office_1" / "Annotations" / "ceiling_1.txt"
    lines = path.read_bytes().splitlines()
    words = lines[100].split()
    lines[100] = b" ".join(words[:3]) + b" 185\x10187 182"
    path.write_bytes(b"\n".join(lines))
    broken: list[BrokenLine] = []
    room = read_room(find_rooms(root)[2], broken=broken)
    assert len(room.positions) == 3000
    assert [(line.path, line.line) for line in broken] == [(str(path), 101)]
    assert broken[0].repaired is not None
    assert broken[0].repaired[3:] == (185, 187, 182)


@pytest.mark.parametrize("line", [b"1.000 2.000 3.000 12 13", b"1.000 2.000 x.000 1 2 3", b"1.000 2.000 3.000 1 2 300"])
def test_what_cannot_be_repaired_stops_or_is_skipped(tmp_path: Path, line: bytes) -> None:
    root = layouts.s3dis_raw(tmp_path, areas=(1,), rooms=1)
    path = root / "Area_1" / "office_1" / "Annotations" / "floor_1.txt"
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(InputError, match=r"floor_1.txt, (line|row) 501"):
        prepare_blocks(root, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    blocks, broken = prepare_blocks(root, tmp_path / "out", on_corrupt="skip")
    assert blocks > 0
    assert [(b.path, b.line, b.repaired) for b in broken] == [(str(path), 501, None)]


def test_unknown_objects_are_named(tmp_path: Path) -> None:
    root = layouts.s3dis_raw(tmp_path, areas=(1,), rooms=1)
    (root / "Area_1" / "office_1" / "Annotations" / "chimney_1.txt").write_text("1 2 3 4 5 6\n")
    with pytest.raises(InputError, match=r"chimney_1.txt: 'chimney' is none of the classes"):
        read_room(find_rooms(root)[0])
    with pytest.raises(InputError, match="raw S3DIS is not in this folder but in"):
        find_rooms(root / "Area_1")


def test_prepared_blocks_are_read_back(tmp_path: Path) -> None:
    root = layouts.s3dis_raw(tmp_path / "raw")
    count, broken = prepare_blocks(root, tmp_path / "blocks")
    assert not broken
    train, test = (s3dis_blocks(tmp_path / "blocks", split).checked() for split in ("train", "test"))
    assert len(train) + len(test) == count
    assert {sample.scene for sample in test} == {"Area_5_office_1", "Area_5_office_2"}
    with pytest.raises(InputError, match="exists and is not an empty folder"):
        prepare_blocks(root, tmp_path / "blocks")


def test_a_room_does_not_depend_on_the_others(tmp_path: Path) -> None:
    root = layouts.s3dis_raw(tmp_path / "raw")
    prepare_blocks(root, tmp_path / "both")
    both = s3dis_blocks(tmp_path / "both", "test")
    (tmp_path / "alone").mkdir()
    (root / "Area_5").rename(tmp_path / "alone" / "Area_5")
    prepare_blocks(tmp_path / "alone", tmp_path / "one")
    one = s3dis_blocks(tmp_path / "one", "test")
    assert len(one) == len(both)
    for index in range(len(one)):
        np.testing.assert_array_equal(one[index].cloud.positions, both[index].cloud.positions)


def test_projection_is_to_the_nearest_thinned_point(tmp_path: Path) -> None:
    room = read_room(find_rooms(layouts.s3dis_raw(tmp_path, areas=(1,), rooms=1))[0], SPHERE_CLASSES)
    thin = subsample_room(room, 0.2)
    assert len(thin.positions) < len(room.positions)
    distance = np.linalg.norm(room.positions[:, None] - thin.positions[None], axis=2)
    chosen = distance[np.arange(len(distance)), thin.nearest]
    np.testing.assert_allclose(chosen, distance.min(axis=1), atol=1e-5)
    np.testing.assert_array_equal(thin.raw_label, room.label)


def test_thinned_colours_are_shares_of_full_brightness(tmp_path: Path) -> None:
    room = read_room(find_rooms(layouts.s3dis_raw(tmp_path, areas=(1,), rooms=1))[0], SPHERE_CLASSES)
    apart = subsample_room(room, 1e-3)  # every point is alone in its cube
    np.testing.assert_allclose(apart.color[apart.nearest], room.color / 255, atol=1e-6)


@pytest.mark.parametrize("read", [s3dis_blocks, partial(s3dis_spheres, num_spheres=1)])
def test_other_splits_are_refused(tmp_path: Path, read: Callable[..., object]) -> None:
    with pytest.raises(InputError, match="split must be one of train, test, got 'val'"):
        read(tmp_path, "val")


@pytest.mark.parametrize("prepared", [False, True])
def test_spheres(tmp_path: Path, prepared: bool) -> None:
    root = layouts.s3dis_raw(tmp_path / "raw")
    if prepared:
        prepare_spheres(root, tmp_path / "thin")
        root = tmp_path / "thin"
    dataset = s3dis_spheres(root, "test", num_spheres=60, max_points=500).checked()
    source = dataset.source
    scene = source.scene("Area_5")
    as_in_rooms = np.argsort(scene.cells.order)
    positions, labels = scene.cells.points[as_in_rooms], scene.label[as_in_rooms]
    seen = np.zeros(len(scene), int)
    for sample in dataset:
        cloud, index = sample.cloud, sample.cloud.fields["index"]
        assert 0 < len(cloud) <= 500
        assert len(np.unique(index)) == len(index)
        np.testing.assert_allclose(sample.frame.undo(cloud.positions), positions[index], atol=1e-5)
        np.testing.assert_array_equal(cloud.fields["height"], positions[index, 2])
        np.testing.assert_array_equal(cloud.fields["label"], labels[index])
        distance = np.linalg.norm(cloud.positions, axis=1)
        everything = np.sort(np.linalg.norm(sample.frame.apply(positions), axis=1))
        np.testing.assert_allclose(np.sort(distance), everything[: len(distance)], atol=1e-5)
        assert distance.max() <= 2.0 + 1e-5
        seen[index] += 1
    assert (seen > 0).all(), "60 spheres of 500 points, placed by potentials, cover two rooms of 5300 points"
    # Votes on thinned points reach every raw point: true labels of thinned points are nearly those of raw points.
    projections = list(source.projections("Area_5"))
    assert [len(projection.index) for projection in projections] == [3000, 3000]
    right = [np.mean(projection.raw(labels) == projection.label) for projection in projections]
    assert min(right) > 0.95


class Runs:
    """Unpickled, it leaves a file behind."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Callable[..., object], tuple[Path]]:
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("name", ["color", "label"])
def test_nothing_in_a_cache_is_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path / "cache"))
    root = layouts.s3dis_raw(tmp_path / "raw")
    s3dis_spheres(root, "test", num_spheres=1).source.scene("Area_5")
    (planted,) = (tmp_path / "cache").rglob(f"s3dis-scenes/**/{name}.npy")
    planted.write_bytes(pickle.dumps(Runs(tmp_path / "trace")))
    with pytest.raises(ValueError, match="pickle"):
        s3dis_spheres(root, "test", num_spheres=1).source.scene("Area_5")
    assert not (tmp_path / "trace").exists()


def test_spheres_of_an_epoch_are_planned_once_and_for_all(tmp_path: Path) -> None:
    root = layouts.s3dis_raw(tmp_path)

    def centers(epoch: int, **options: object) -> np.ndarray:
        dataset = s3dis_spheres(root, "train", num_spheres=6, **options)  # type: ignore[arg-type]
        return np.stack([dataset.sample(index, epoch).frame.shift for index in range(6)])

    np.testing.assert_array_equal(centers(0), centers(0))
    assert not np.array_equal(centers(0), centers(1))
    assert not np.array_equal(centers(0), centers(0, seed=1))


def test_damaged_preparation_is_named(tmp_path: Path) -> None:
    prepare_spheres(layouts.s3dis_raw(tmp_path / "raw"), tmp_path / "thin")
    path = tmp_path / "thin" / "Area_5" / "office_2" / "nearest.npy"
    np.save(path, np.load(path) + np.int32(10000))
    with pytest.raises(
        InputError, match=r"nearest.npy: names thinned points that do not exist; prepare the data again"
    ):
        s3dis_spheres(tmp_path / "thin", "test", num_spheres=3).checked()
    path = tmp_path / "thin" / "Area_5" / "office_1" / "positions.npy"
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(InputError, match=r"positions.npy: unreadable"):
        s3dis_spheres(tmp_path / "thin", "test", num_spheres=3).checked()
    index = tmp_path / "thin" / "s3dis_spheres.json"
    outside = {**json.loads(index.read_text()), "rooms": [["Area_5", "../../raw"]]}
    index.write_text(json.dumps(outside))
    with pytest.raises(InputError, match=r"s3dis_spheres.json: names rooms in other folders"):
        s3dis_spheres(tmp_path / "thin", "test", num_spheres=3)
    index.write_text("[" * 5000)
    with pytest.raises(InputError, match=r"s3dis_spheres.json: damaged"):
        s3dis_spheres(tmp_path / "thin", "test", num_spheres=3)
    with pytest.raises(InputError, match="no room for the test split with Area_4"):
        s3dis_spheres(tmp_path / "raw", "test", num_spheres=3, test_area=4)


@pytest.mark.parametrize("limit", [None, 30])
def test_centres_are_those_of_a_naive_search(limit: int | None) -> None:
    """The least visited point is next, and what a sphere shows grows by (1 - d^2 / r^2)^2."""
    rng = np.random.default_rng(1)
    scenes = [rng.uniform(0, side, (200, 3)).astype(np.float32) for side in (3.0, 5.0)]
    number, center = potential_centers(scenes, 40, 1.5, np.random.default_rng(5), noise=0.0, limit=limit)
    rng = np.random.default_rng(5)
    potentials = [rng.random(len(points)) * 1e-3 for points in scenes]
    for found, middle in zip(number, center, strict=True):
        lowest = [values.min() for values in potentials]
        assert found == int(np.argmin(lowest))
        np.testing.assert_array_equal(middle, scenes[found][potentials[found].argmin()])
        squared = np.square(scenes[found].astype(np.float64) - middle).sum(axis=1)
        near = np.argsort(squared)[: (squared <= 1.5**2).sum()][:limit]
        potentials[found][near] += (1 - squared[near] / 1.5**2) ** 2


def test_centres_are_a_tenth_of_the_radius_off_their_points(tmp_path: Path) -> None:
    source = s3dis_spheres(layouts.s3dis_raw(tmp_path / "raw"), "train", num_spheres=300).source
    centers = np.stack([source._centers(0, number)[1] for number in range(300)])
    points = source.scene("Area_1").cells.points
    off = np.linalg.norm(centers[:, None] - points[None], axis=2).min(axis=1)
    # 0.2 m in each direction; the point next to a centre may be nearer than its own.
    assert 0.03 < np.median(off) < 0.35
    assert source.center_noise * source.radius == pytest.approx(0.2)
    at_points = s3dis_spheres(tmp_path / "raw", "train", num_spheres=300, center_noise=0.0).source
    exact = np.stack([at_points._centers(0, number)[1] for number in range(300)])
    assert np.std(centers - exact) > 0  # another plan
    spread = potential_centers([np.zeros((1, 3), np.float32)], 2000, 2.0, np.random.default_rng(0))[1]
    assert spread.std(axis=0) == pytest.approx([0.2] * 3, rel=0.1)


def test_potentials_spread_evenly() -> None:
    rng = np.random.default_rng(0)
    scenes = [rng.uniform(0, 10, (4000, 3)).astype(np.float32) * (1, 1, 0.1), np.array([[50, 50, 0]], np.float32)]
    scenes = [points.astype(np.float32) for points in scenes]
    number, center = potential_centers(scenes, 60, 2.0, rng)
    assert set(number) == {0, 1}  # the lone point of the second scene is visited too, and not over and over
    assert (number == 1).sum() < 20
    squared, _ = in_sphere(center[number == 0], np.array([5.0, 5.0, 0.5]), 3.0)
    assert len(squared) > 0
    distance = np.linalg.norm(scenes[0][:, None] - center[number == 0][None], axis=2).min(axis=1)
    assert distance.max() < 2.0, "every point lies in a sphere"
