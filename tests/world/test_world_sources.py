"""Datasets without files give what the readers give of the written layouts."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.datasets.modelnet40 import modelnet40
from cloud_transformers.datasets.pcn import pcn
from cloud_transformers.datasets.s3dis import s3dis_blocks
from cloud_transformers.datasets.scanobjectnn import scanobjectnn
from cloud_transformers.errors import InputError
from cloud_transformers.world import sources
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob


def make(layout: str, root: Path, size: int) -> Path:
    LAYOUTS[layout].write(LayoutJob(layout=layout, root=root, size=size, seed=3))
    return root


@pytest.mark.parametrize("split", ["train", "test"])
def test_classification_sources_equal_their_files(split: str, tmp_path: Path) -> None:
    make("modelnet40", tmp_path / "m", 4)
    made, read = sources.modelnet40(split, size=1, seed=3), modelnet40(tmp_path / "m", split)
    np.testing.assert_array_equal(made[0].cloud.positions, read[0].cloud.positions)
    make("scanobjectnn", tmp_path / "s", 4)
    for variant in ("PB_T50_RS", "OBJ_ONLY"):
        made = sources.scanobjectnn(split, size=1, seed=3, variant=variant)
        read = scanobjectnn(tmp_path / "s", split, variant=variant)
        np.testing.assert_array_equal(made[0].cloud.positions, read[0].cloud.positions)
        np.testing.assert_array_equal(made[0].cloud.fields["mask"], read[0].cloud.fields["mask"])
        assert made[0].label == read[0].label
    assert made.classes == read.classes


def test_completion_source_equals_its_files(tmp_path: Path) -> None:
    made, read = sources.completion("val", size=1, seed=3), pcn(make("completion", tmp_path, 1), "val")
    for one, other in ((made[0].partial, read[0].partial), (made[0].complete, read[0].complete)):
        np.testing.assert_array_equal(one.positions, other.positions)
    assert (made[0].taxonomy, made[0].view) == (read[0].taxonomy, read[0].view)


def test_block_source_equals_its_files(tmp_path: Path) -> None:
    root = make("s3dis", tmp_path, 1)
    made = sources.s3dis_blocks("train", num_rooms=1, seed=3)
    read = s3dis_blocks(root / "indoor3d_sem_seg_hdf5_data", "train")
    assert len(made) == len(read)
    for index in (0, len(made) - 1):
        for name in ("color", "label"):
            np.testing.assert_array_equal(made[index].cloud.fields[name], read[index].cloud.fields[name])
        np.testing.assert_array_equal(made[index].cloud.positions, read[index].cloud.positions)
    assert made.source.label.shape == (len(made), 4096)
    with pytest.raises(InputError, match="none for the test split"):
        sources.s3dis_blocks("test", num_rooms=2)


@pytest.mark.parametrize("name", ["scanobjectnn", "modelnet40", "completion", "reconstruction"])
def test_epochs_repeat_unless_endless(name: str) -> None:
    def cloud(dataset, epoch):
        sample = dataset[epoch, 1]
        return (sample.complete if name == "completion" else sample.cloud).positions

    fixed, endless = (getattr(sources, name)("test", size=3, endless=endless) for endless in (False, True))
    np.testing.assert_array_equal(cloud(fixed, 0), cloud(fixed, 7))
    np.testing.assert_array_equal(cloud(fixed, 0), cloud(endless, 0))
    assert not np.array_equal(cloud(endless, 0), cloud(endless, 1))
    again = pickle.loads(pickle.dumps(endless))  # as a loader's worker gets it
    np.testing.assert_array_equal(cloud(again, 1), cloud(endless, 1))
    assert fixed.check() == []


def test_training_draws_views_and_labels_are_known_beforehand() -> None:
    dataset = sources.completion("train", size=8)
    assert len({dataset[epoch, 0].view for epoch in range(12)}) > 2
    few = sources.modelnet40("train", size=5, endless=True)
    assert [few[3, index].label for index in range(5)] == [index % len(few.classes) for index in range(5)]


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="split must be one of"):
        sources.modelnet40("validation", size=3)
    with pytest.raises(InputError, match="at least 1"):
        sources.modelnet40("train", size=0)
    with pytest.raises(InputError, match="variant must be one of"):
        sources.scanobjectnn("train", size=3, variant="PB")
