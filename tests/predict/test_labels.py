"""Answers as fields of a cloud."""

from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.s3dis.classes import BLOCK_CLASSES, SPHERE_CLASSES
from cloud_transformers.io import read, write
from cloud_transformers.predict import class_colors, labelled

LABELS = np.array([1, 0, 2, 2])
CONFIDENCE = np.array([0.9, 0.5, 1.0, 0.25])
CLASSES = ("ceiling", "my thing", "wall")


def cloud(**fields: np.ndarray) -> PointCloud:
    return PointCloud(positions=np.arange(12, dtype=np.float32).reshape(4, 3), fields=fields)


def test_a_class_keeps_its_color_in_either_order_of_s3dis() -> None:
    blocks, spheres = class_colors(BLOCK_CLASSES), class_colors(SPHERE_CLASSES)
    for name in BLOCK_CLASSES:
        assert (blocks[BLOCK_CLASSES.index(name)] == spheres[SPHERE_CLASSES.index(name)]).all()


@pytest.mark.parametrize("count", [1, 13, 40, 255])
def test_colors_are_all_different(count: int) -> None:
    for names in ([f"class {number}" for number in range(count)], ["wall"] * count):
        assert len(np.unique(class_colors(names), axis=0)) == count


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".las", ".laz", ".npz", ".csv"])
def test_what_other_programs_read(tmp_path: Path, suffix: str) -> None:
    before = cloud(label=np.array([7, 7, 7, 7], np.uint8), color=np.zeros((4, 3), np.uint8))
    answer = labelled(before, LABELS, CONFIDENCE, CLASSES)
    write(tmp_path / f"a{suffix}", answer)
    again = read(tmp_path / f"a{suffix}")
    assert again.fields["label"].tolist() == LABELS.tolist()
    np.testing.assert_allclose(again.fields["confidence"], CONFIDENCE, atol=1e-6)
    assert again.fields["original_label"].tolist() == [7, 7, 7, 7]
    assert (again.cast(color=np.uint8).fields["color"] == class_colors(CLASSES)[LABELS]).all()


def test_a_ply_file_names_the_classes_once_however_often_it_is_labelled(tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    write(path, labelled(cloud(), LABELS, CONFIDENCE, CLASSES))
    write(path, labelled(read(path), LABELS, CONFIDENCE, CLASSES))
    header = path.read_bytes().partition(b"end_header")[0].decode().splitlines()
    assert [line for line in header if "label" in line and line.startswith("comment")] == [
        f"comment label {number} {name}" for number, name in enumerate(CLASSES)
    ]
    assert "property uchar label" in header
    assert "property float confidence" in header
    assert "property uchar red" in header


def test_own_colors_can_stay() -> None:
    color = np.full((4, 3), 9, np.uint8)
    kept = labelled(cloud(color=color), LABELS, CONFIDENCE, CLASSES, recolor=False)
    assert (kept.fields["color"] == color).all()


def test_labels_that_are_no_class_are_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.\.2"):
        labelled(cloud(), LABELS + 1, CONFIDENCE, CLASSES)


@pytest.mark.parametrize(("values", "dtype"), [((2, 5, 39), np.uint8), ((0, 1, 300), np.int32), ((-1, 0, 1), np.int32)])
@pytest.mark.parametrize("suffix", [".ply", ".npz"])
def test_classes_are_called_as_in_the_files_of_the_training(
    tmp_path: Path, values: tuple[int, ...], dtype: type, suffix: str
) -> None:
    cloud = PointCloud(positions=np.zeros((4, 3), np.float32))
    numbers = np.array([0, 2, 1, 2])
    write(tmp_path / f"a{suffix}", labelled(cloud, numbers, np.ones(4), ("ground", "tree", "pole"), values=values))
    found = read(tmp_path / f"a{suffix}").fields["label"]
    assert found.tolist() == [values[number] for number in numbers]
    assert found.dtype == dtype
    if suffix == ".ply":
        assert f"comment label {values[2]} pole" in (tmp_path / "a.ply").read_bytes().decode("latin-1")
