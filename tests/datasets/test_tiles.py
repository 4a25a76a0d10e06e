"""Scans covered by columns: every labelled point is asked for once, wherever it stands."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets import Dataset
from cloud_transformers.datasets.folder import FolderConfig, folder
from cloud_transformers.datasets.folder.tiles import SegmentationTiles
from cloud_transformers.errors import InputError
from cloud_transformers.io import write
from cloud_transformers.transforms import BlockCrop
from tests.search import examples

CONFIG = FolderConfig(task="segmentation", classes={"a": 0, "b": 1}, ignore=(9,))


def scans(root: Path, seed: int, num: int, size: tuple[float, ...]) -> Dataset:
    """Two scans, of which the second is a single point; colours number the points."""
    rng = np.random.default_rng(seed)
    root.mkdir(exist_ok=True)
    for name, count in (("a", num), ("b", 1)):
        numbers = np.arange(count)
        cloud = PointCloud(
            positions=(rng.uniform(0, 1, (count, 3)) ** 2 * size).astype(np.float32),
            fields={
                "label": rng.choice([0, 1, 9], count, p=[0.5, 0.3, 0.2]).astype(np.int32),
                "color": np.stack([numbers // 256, numbers % 256, 0 * numbers + 255], axis=1).astype(np.uint8),
            },
            offset=np.array([500000.0, 4100000.0, 0.0]),
        )
        write(root / f"{name}.ply", cloud)
    (root / "train").mkdir(exist_ok=True)
    for path in root.glob("*.ply"):
        path.replace(root / "train" / path.name)
    return folder(root, "train", config=CONFIG).checked()


def numbers_of(sample) -> np.ndarray:
    colors = np.rint(sample.cloud.fields["color"] * 255).astype(int)
    return colors[:, 0] * 256 + colors[:, 1]


@examples(25)
@given(
    seed=st.integers(0, 1000),
    num=st.integers(1, 800),
    extent=st.sampled_from([0.3, 1.0, 7.0]),
    points=st.sampled_from([1, 7, 64, 1000]),
    margin=st.sampled_from([0.0, 0.1, 0.25, 1 / 3]),
    up=st.sampled_from(["x", "y", "z"]),
)
def test_every_labelled_point_once(tmp_path_factory, seed, num, extent, points, margin, up):
    root = tmp_path_factory.mktemp("scans")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLOUDT_CACHE", str(root / "cache"))
        data = scans(root / "data", seed, num, (2, 1, 3))
        tiles = SegmentationTiles(data.source, data.rows, extent=extent, points=points, margin=margin, up=up)
        asked: dict[str, list[int]] = {}
        for sample in Dataset(tiles):
            assert 1 <= len(sample.cloud) <= points
            labels, numbers = sample.cloud.fields["label"], numbers_of(sample)
            assert len(set(numbers)) == len(numbers)
            asked.setdefault(sample.scene, []).extend(numbers[labels >= 0])
            whole = data.source.read(data.source.files.index(Path(sample.scene)), np.random.default_rng(0)).cloud
            np.testing.assert_array_equal(labels[labels >= 0], whole.fields["label"][numbers[labels >= 0]])
            back = sample.frame.undo(sample.cloud.positions)
            np.testing.assert_allclose(back, whole.positions[numbers], atol=1e-5)
            assert (np.abs(sample.cloud.positions[:, :2]) <= extent / 2 + 1e-4).all()
            assert (sample.cloud.positions[:, 2] >= -1e-5).all()
        for index, path in enumerate(data.source.files):
            labels = data.source.read(index, np.random.default_rng(0)).cloud.fields["label"]
            assert sorted(asked.get(str(path), [])) == np.flatnonzero(labels >= 0).tolist()


def test_a_tile_stands_as_a_training_crop_does(tmp_path, monkeypatch):
    """A scan of one column: both cut out all of it, and leave it at the same place."""
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path / "cache"))
    data = scans(tmp_path / "data", 0, 200, (0.4, 0.4, 3))
    for up in ("x", "y", "z"):
        size = 8.0
        tile = Dataset(SegmentationTiles(data.source, data.rows[:1], extent=size, points=1000, margin=0, up=up))[0]
        crop = BlockCrop(2 * size, up=up)(data[0], np.random.default_rng(0))
        order = np.argsort(numbers_of(tile))
        shift = np.array([size / 2, size / 2, 0])
        np.testing.assert_allclose(tile.cloud.positions[order] + shift, crop.cloud.positions + 2 * shift, atol=1e-4)


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_a_tile_shows_all_that_stands_around_its_middle(tmp_path, monkeypatch, up):
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path / "cache"))
    data = scans(tmp_path / "data", 0, 600, (3, 3, 3))
    tiles = SegmentationTiles(data.source, data.rows[:1], extent=1.0, points=1000, margin=0.25, up=up)
    whole = data.source.read(0, np.random.default_rng(0)).cloud
    axes = [axis for axis in range(3) if axis != "xyz".index(up)]
    ground = whole.positions[:, axes]
    lowest = ground.min(axis=0).astype(np.float64)
    assert len(tiles) > 10
    for sample in Dataset(tiles):
        numbers, labels = numbers_of(sample), sample.cloud.fields["label"]
        # The middles are squares of half a metre from the lowest corner on; the block reaches a quarter further.
        corner = lowest + np.floor((ground[numbers[labels >= 0][0]] - lowest) / 0.5) * 0.5
        inside = ((ground >= corner - 0.25 - 1e-6) & (ground <= corner + 0.75 + 1e-6)).all(axis=1)
        assert sorted(numbers) == np.flatnonzero(inside).tolist()


def test_tiles_are_the_same_for_every_reader(tmp_path, monkeypatch):
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path / "cache"))
    data = scans(tmp_path / "data", 0, 500, (3, 2, 1))
    tiles = SegmentationTiles(data.source, data.rows, extent=1.0, points=50)
    assert len(tiles) > 10
    copy = Dataset(pickle.loads(pickle.dumps(tiles)))
    for index in reversed(range(len(tiles))):
        np.testing.assert_array_equal(copy[index].cloud.positions, Dataset(tiles)[index].cloud.positions)


def test_margins_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path / "cache"))
    data = scans(tmp_path / "data", 0, 20, (1, 1, 1))
    with pytest.raises(InputError, match="margin must be between 0 and a third"):
        SegmentationTiles(data.source, data.rows, extent=1.0, points=8, margin=0.4)
