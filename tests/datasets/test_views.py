"""PCN completion and what3d: every view, the lists, and what is missing."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cloud_transformers.datasets.pcn import pcn
from cloud_transformers.datasets.what3d import what3d
from cloud_transformers.errors import InputError
from cloud_transformers.io import read
from tests.datasets import layouts


def test_training_shows_all_eight_views(tmp_path: Path) -> None:
    dataset = pcn(layouts.pcn(tmp_path), "train").checked()
    assert len(dataset) == 6
    assert dataset.classes == ("airplane", "chair")
    assert {dataset.sample(0, epoch).view for epoch in range(100)} == set(range(8))
    every = pcn(tmp_path, "train", views="all")
    assert [sample.view for sample in every] == [*range(8)] * 6
    for sample in every:
        path = tmp_path / "train" / "partial" / sample.taxonomy / sample.id / f"{sample.view:02d}.pcd"
        np.testing.assert_array_equal(sample.partial.positions, read(path).positions)
        assert len(sample.complete) == 64
    assert (len(pcn(tmp_path, "val")), len(pcn(tmp_path, "test"))) == (2, 4)


def test_the_split_list_is_rebuilt(tmp_path: Path) -> None:
    layouts.pcn(tmp_path)
    with_list = [sample.name for sample in pcn(tmp_path, "test")]
    names = pcn(tmp_path, "test").source.counts()
    (tmp_path / "ShapeNet.json").unlink()
    assert [sample.name for sample in pcn(tmp_path, "test")] == with_list
    assert pcn(tmp_path, "test").source.counts() == names == {"airplane": 2, "chair": 2}


def test_damaged_lists_are_named(tmp_path: Path) -> None:
    layouts.pcn(tmp_path)
    listed = tmp_path / "ShapeNet.json"
    outside = {"taxonomy_id": "02691156", "train": ["../../../secret"], "val": [], "test": []}
    for content, message in (
        ("[\n{]", "ShapeNet.json: not JSON; delete it to have it rebuilt: .*line 2"),
        ("[" * 5000, "ShapeNet.json: not JSON; .*nested"),
        ("9" * 5000, "ShapeNet.json: not JSON"),
        ("[1]", "ShapeNet.json: is not a list of"),
        (json.dumps([outside]), "ShapeNet.json: '../../../secret' leads to another folder"),
        (json.dumps([{**outside, "taxonomy_id": ".."}]), "ShapeNet.json: '..' leads to another folder"),
    ):
        listed.write_text(content)
        with pytest.raises(InputError, match=message):
            pcn(tmp_path, "train")
    listed.write_text(json.dumps([{"taxonomy_id": "02691156", "train": ["lost"], "val": [], "test": []}]))
    with pytest.raises(InputError, match=r"partial/02691156/lost: holds no view"):
        pcn(tmp_path, "train").checked()
    with pytest.raises(InputError, match="holds no shape"):
        pcn(tmp_path, "val")


def test_damaged_and_missing_files_of_completion(tmp_path: Path) -> None:
    root = layouts.pcn(tmp_path)
    view = root / "train/partial/02691156/train0/03.pcd"
    view.write_bytes(view.read_bytes()[:-7])
    (root / "train/complete/03001627/train1.pcd").unlink()
    (root / "train/partial/03001627/train2/07.pcd").unlink()
    dataset = pcn(root, "train")
    problems = {(problem.index, Path(problem.path).name) for problem in dataset.check()}
    assert problems == {(0, "03.pcd"), (4, "train1.pcd"), (5, "train2")}
    assert [problem.what for problem in dataset.check() if problem.index == 5] == ["has 7 of 8 views"]
    with pytest.raises(InputError, match="and 2 more problems"):
        dataset.checked()
    kept = dataset.checked("skip")
    assert len(kept) == 3
    assert len(kept.skipped) == 3
    with pytest.raises(InputError, match=r"train1\.pcd: no such file"):
        dataset[4]


def test_check_sees_changes(tmp_path: Path) -> None:
    root = layouts.pcn(tmp_path)
    dataset = pcn(root, "val")
    assert not dataset.check()
    path = root / "val/complete/02691156/val0.pcd"
    path.write_bytes(b"# .PCD v0.7\n")
    assert [Path(problem.path).name for problem in dataset.check()] == ["val0.pcd"]


def test_what3d(tmp_path: Path) -> None:
    dataset = what3d(layouts.what3d(tmp_path / "what 3d"), "train").checked()
    assert dataset.classes == ("airplane", "trash bin")
    assert len(dataset) == 4
    assert {dataset.sample(1, epoch).view for epoch in range(60)} == set(range(5))
    every = what3d(tmp_path / "what 3d", "train", views="all")
    assert len(every) == 20
    for sample in every:
        assert sample.image.shape == (8, 8, 3)
        assert sample.image.dtype == np.uint8
        folder = {"airplane": "02691156", "trash bin": "02747177"}[sample.category]  # names for readers, ids on disk
        path = tmp_path / "what 3d" / "points" / folder / sample.id / f"{sample.view}.ply"
        np.testing.assert_array_equal(sample.cloud.positions, read(path).positions)
    assert dataset[1].id == "with space"
    assert len(what3d(tmp_path / "what 3d", "test")) == 10


def test_draws_are_those_of_seed_0_unless_another_is_given(tmp_path: Path) -> None:
    for read_split, root in ((pcn, layouts.pcn(tmp_path / "pcn")), (what3d, layouts.what3d(tmp_path / "what3d"))):
        usual, first, second = (
            [read_split(root, "train", **options).sample(0, epoch).view for epoch in range(20)]
            for options in ({}, {"seed": 0}, {"seed": 1})
        )
        assert usual == first != second


def test_transparent_pixels_keep_the_colour_below_or_become_white(tmp_path: Path) -> None:
    root = layouts.what3d(tmp_path / "what3d")
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[..., 0] = 200
    pixels[:4, :, 3] = 255  # red above; red and transparent below
    Image.fromarray(pixels).save(root / "renderings/02691156/a/0.png")
    for alpha, below in (("dropped", [200, 0, 0]), ("white", [255, 255, 255])):
        found = what3d(root, "train", views="all", alpha=alpha)[0].image
        assert found[0, 0].tolist() == [200, 0, 0]
        assert found[7, 7].tolist() == below
    assert what3d(root, "train", views="all")[0].image[7, 7].tolist() == [200, 0, 0]  # as the release reads them


def test_damaged_and_missing_files_of_reconstruction(tmp_path: Path) -> None:
    root = layouts.what3d(tmp_path / "what3d")
    picture = root / "renderings/02691156/a/2.png"
    picture.write_bytes(picture.read_bytes()[:40])
    (root / "points/02747177/with space/1.ply").unlink()
    problems = {(problem.index, Path(problem.path).name) for problem in what3d(root, "train").check()}
    assert problems == {(0, "2.png"), (3, "1.ply")}
    (root / "lists/02691156/val.txt").unlink()
    with pytest.raises(InputError, match=r"val.txt: no such file"):
        what3d(root, "val")
    (root / "classes.txt").write_text("airplane\n")
    with pytest.raises(InputError, match=r"classes.txt, line 1: 'airplane' is not 'name id'"):
        what3d(root, "train")


def test_real_completion_and_reconstruction(real_data: Path) -> None:
    completion = pcn(real_data / "ShapeNetCompletion", "train").checked()
    reconstruction = what3d(real_data / "what3d", "train").checked()
    assert len(completion) == len(reconstruction) == 64
    for index in range(64):
        assert len(completion[index].partial) == 2048
        assert len(completion[index].complete) == 16384
        assert reconstruction[index].image.shape == (128, 128, 3)
        assert np.abs(completion[index].complete.positions).max() <= 0.5
        positions = reconstruction[index].cloud.positions
        assert positions.min() >= 0
        assert positions.max() <= 1
