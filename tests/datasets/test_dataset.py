"""A sample depends on seed, epoch and index, and on nothing else: no worker, no order, no start method."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from torch.utils.data import DataLoader

from cloud_transformers import transforms as tf
from cloud_transformers.datasets import Dataset, EpochOrder
from cloud_transformers.datasets.modelnet40 import modelnet40
from cloud_transformers.datasets.pcn import pcn
from cloud_transformers.datasets.s3dis import s3dis_spheres
from cloud_transformers.errors import InputError
from tests.datasets import layouts

AUGMENT = tf.Compose((*tf.scanobjectnn_training().steps, tf.FixedCount(20)))


def as_list(samples: list) -> list:
    """Collate function of the tests; importable, so that spawned workers can have it."""
    return samples


def positions(loader: DataLoader) -> np.ndarray:
    return np.stack([sample.cloud.positions for batch in loader for sample in batch])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("workers", [1, 2])
def test_forked_workers_change_nothing(tmp_path: Path, workers: int) -> None:
    dataset = modelnet40(layouts.modelnet40(tmp_path), "train", transform=AUGMENT, seed=3)
    order = EpochOrder(len(dataset), seed=3)
    alone = DataLoader(dataset, batch_size=3, sampler=order, collate_fn=as_list)
    several = DataLoader(
        dataset, batch_size=3, sampler=order, collate_fn=as_list, num_workers=workers,
        persistent_workers=True, multiprocessing_context="fork",
    )  # fmt: skip
    epochs = []
    for epoch in range(2):
        order.set_epoch(epoch)
        epochs.append(positions(alone))
        np.testing.assert_array_equal(epochs[-1], positions(several))
    assert not np.array_equal(np.sort(epochs[0], axis=0), np.sort(epochs[1], axis=0))


def test_spawned_workers_change_nothing(tmp_path: Path) -> None:
    root = layouts.s3dis_raw(tmp_path / "raw", points=1200)
    dataset = s3dis_spheres(root, "train", num_spheres=4, transform=tf.s3dis_spheres_training(), max_points=50)
    order = EpochOrder(len(dataset))
    alone = DataLoader(dataset, batch_size=2, sampler=order, collate_fn=as_list)
    spawned = DataLoader(
        dataset, batch_size=2, sampler=order, collate_fn=as_list, num_workers=1, multiprocessing_context="spawn"
    )
    np.testing.assert_array_equal(positions(alone), positions(spawned))


def test_order_of_access_changes_nothing(tmp_path: Path) -> None:
    dataset = pcn(layouts.pcn(tmp_path), "train", transform=tf.Jitter())
    forward = [dataset[2, index].partial.positions for index in range(len(dataset))]
    backward = [dataset[2, index].partial.positions for index in reversed(range(len(dataset)))][::-1]
    again = pickle.loads(pickle.dumps(dataset))
    for index, (one, other) in enumerate(zip(forward, backward, strict=True)):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(one, again.sample(index, 2).partial.positions)


def test_an_epoch_visits_every_sample_once() -> None:
    order = EpochOrder(50, seed=1)
    order.set_epoch(4)
    pairs = list(order)
    assert {epoch for epoch, _ in pairs} == {4}
    assert sorted(index for _, index in pairs) == list(range(50))
    assert pairs == list(order)
    assert [index for _, index in EpochOrder(5, shuffle=False)] == [0, 1, 2, 3, 4]


def spoiled(root: Path) -> Dataset:
    """ModelNet40 in which sample 7 of 12 has a NaN."""
    import h5py

    layouts.modelnet40(root)
    with h5py.File(root / "ply_data_train1.h5", "r+") as file:
        file["data"][1, 5, 2] = np.nan
    return modelnet40(root, "train", transform=tf.Jitter())


def test_one_corrupt_sample_is_named_and_stops(tmp_path: Path) -> None:
    dataset = spoiled(tmp_path)
    with pytest.raises(InputError, match=r"ply_data_train1\.h5, row 1: 1 coordinates are NaN") as caught:
        dataset.checked()
    assert "on_corrupt='skip'" in str(caught.value)
    with pytest.raises(InputError, match="row 1"):
        dataset[7]


def test_skipping_drops_counts_and_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    dataset = spoiled(tmp_path)
    kept = dataset.checked("skip")
    assert len(kept) == 11
    assert [problem.index for problem in kept.skipped] == [7]
    assert not kept.check()
    for index in range(11):
        original = dataset.sample(index if index < 7 else index + 1, epoch=5)
        np.testing.assert_array_equal(kept.sample(index, epoch=5).cloud.positions, original.cloud.positions)


def test_bad_choices_are_named(tmp_path: Path) -> None:
    dataset = modelnet40(layouts.modelnet40(tmp_path), "train")
    with pytest.raises(InputError, match="on_corrupt must be"):
        dataset.checked("ignore")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="split must be one of train, test"):
        modelnet40(tmp_path, "val")
    with pytest.raises(IndexError):
        dataset[12]
    assert len(list(dataset)) == 12
