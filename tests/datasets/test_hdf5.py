"""HDF5 benchmarks, whole and damaged."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from cloud_transformers.datasets.modelnet40 import modelnet40
from cloud_transformers.datasets.s3dis import BLOCK_CLASSES, s3dis_blocks
from cloud_transformers.datasets.s3dis.blocks import check_rows as check_block_rows
from cloud_transformers.datasets.scanobjectnn import CLASSES, VARIANTS, check_rows, scanobjectnn
from cloud_transformers.errors import InputError
from tests.datasets import layouts


def test_modelnet40_rows_are_those_of_the_files(tmp_path: Path) -> None:
    dataset = modelnet40(layouts.modelnet40(tmp_path), "train").checked()
    assert (len(dataset), dataset.classes) == (12, ("airplane", "bathtub", "bed"))
    for index in (0, 5, 6, 11):
        with h5py.File(tmp_path / f"ply_data_train{index // 6}.h5") as file:
            np.testing.assert_array_equal(dataset[index].cloud.positions, file["data"][index % 6])
            assert dataset[index].label == file["label"][index % 6, 0]


def test_modelnet40_without_lists(tmp_path: Path) -> None:
    with_lists = modelnet40(layouts.modelnet40(tmp_path), "train")
    for name in ("train_files.txt", "test_files.txt", "shape_names.txt"):
        (tmp_path / name).unlink()
    without = modelnet40(tmp_path, "train")
    assert [sample.label for sample in without] == [sample.label for sample in with_lists]
    assert without.source.counts().items() >= with_lists.source.counts().items()
    assert len(without.classes) == 40


def test_modelnet40_with_normals(tmp_path: Path) -> None:
    root = layouts.modelnet40_text(tmp_path)
    dataset = modelnet40(root, "train").checked()
    assert [sample.label for sample in dataset] == [0, 1, 0]
    assert list(dataset.source.counts().values())[:2] == [2, 1]
    numbers = np.loadtxt(root / "flower_pot" / "flower_pot_0001.txt", delimiter=",")
    np.testing.assert_allclose(dataset[1].cloud.positions, numbers[:, :3], rtol=1e-6)
    np.testing.assert_allclose(dataset[1].cloud.fields["normal"], numbers[:, 3:], rtol=1e-6)
    path = root / "bed" / "bed_0002.txt"
    path.write_text(path.read_text().replace("\n", ",1\n", 1))
    with pytest.raises(InputError, match=r"bed_0002.txt, line 1: .* is not 6 numbers"):
        modelnet40(root, "train").checked()
    assert len(modelnet40(root, "train").checked("skip")) == 2
    (root / "modelnet40_train.txt").write_text("bed_0001\nwheel_0001\n")
    with pytest.raises(InputError, match=r"modelnet40_train.txt, line 2: 'wheel_0001' is not CLASS_NUMBER"):
        modelnet40(root, "train")
    (root / "modelnet40_shape_names.txt").write_text("bed\n../../secret\n")
    (root / "modelnet40_train.txt").write_text("../../secret_1\n")
    with pytest.raises(InputError, match=r"line 1: '../../secret_1' is not CLASS_NUMBER"):
        modelnet40(root, "train")


def test_real_modelnet40(real_data: Path) -> None:
    for split in ("train", "test"):
        dataset = modelnet40(real_data / "modelnet40_ply_hdf5_2048", split).checked()
        assert len(dataset) == 64
        assert len(dataset.classes) == 40
        reach = [np.linalg.norm(sample.cloud.positions, axis=1).max() for sample in dataset]
        np.testing.assert_allclose(reach, 1, atol=2e-3)  # the packed coordinates have 11 bits


def test_scanobjectnn_variants(tmp_path: Path) -> None:
    root = layouts.scanobjectnn(tmp_path)
    for variant, (folder, ending) in VARIANTS.items():
        dataset = scanobjectnn(root, "train", variant=variant).checked()
        with h5py.File(root / f"main_split{folder}" / f"training_objectdataset{ending}.h5") as file:
            np.testing.assert_array_equal(dataset[2].cloud.positions, file["data"][2])
            np.testing.assert_array_equal(dataset[2].cloud.fields["mask"], file["mask"][2] != -1)
            labels = file["label"][:].tolist()
        assert [sample.label for sample in dataset] == labels
        assert dataset.source.counts() == {name: labels.count(number) for number, name in enumerate(CLASSES)}
    # Labels of the public files are places in this list.
    assert " ".join(CLASSES) == "bag bin box cabinet chair desk display door shelf table bed pillow sink sofa toilet"
    assert "split1" in scanobjectnn(root, "test", fold="split1").source.name(0)
    assert "split2_nobg" in scanobjectnn(root, "test", fold="split2", background=False).source.name(0)
    with pytest.raises(InputError, match=r"split3.*no such file"):
        scanobjectnn(root, "test", fold="split3")


def perturbed(root: Path, object_of: np.ndarray, label: np.ndarray, instance: np.ndarray) -> np.ndarray:
    """What the reader calls one object, in a file of these rows; `instance` is what masks hold on the object."""
    mask = np.where(np.random.default_rng(0).random((len(label), 16)) < 0.3, -1, instance[:, None])
    mask[:, 0] = instance
    data = np.random.default_rng(1).normal(size=(len(label), 16, 3)).astype(np.float32)
    path = root / "main_split/training_objectdataset_augmentedrot_scale75.h5"
    layouts.write_h5(path, data=data, label=label.astype(np.int32), mask=mask.astype(np.int64))
    return scanobjectnn(root, "train").source.objects()


@pytest.mark.parametrize("order", ["copies beside each other", "one pass after the other", "shuffled"])
def test_copies_of_an_object_are_known_by_their_instance_in_any_order(tmp_path: Path, order: str) -> None:
    copies = {
        "copies beside each other": np.repeat(np.arange(60), 5),
        "one pass after the other": np.tile(np.arange(60), 5),
        "shuffled": np.random.default_rng(2).permutation(np.repeat(np.arange(60), 5)),
    }[order][3:]  # some copies are missing in the public files, too
    found = perturbed(tmp_path, copies, copies % 15, 1000 + copies)
    for number in range(60):
        assert len(set(found[copies == number])) == 1
    assert len(set(found)) == 60


def test_without_instances_neighbours_of_one_class_stay_together(tmp_path: Path) -> None:
    copies = np.repeat(np.arange(200), 5)[3:]
    label = np.sort(np.random.default_rng(0).integers(0, 15, 200))[copies]
    found = perturbed(tmp_path, copies, label, np.zeros(len(label), int))
    torn = sum(len(set(found[copies == number])) > 1 for number in range(200))
    stretches = len(set(found))
    assert torn <= stretches
    assert torn < 25  # of 200 objects, where rows drawn one by one would tear nearly all
    assert max(np.bincount(found)) == 50
    assert all(len(set(label[found == stretch])) == 1 for stretch in set(found))


def test_scanobjectnn_without_mask(tmp_path: Path) -> None:
    path = tmp_path / "main_split_nobg" / "test_objectdataset.h5"
    layouts.write_h5(path, data=np.zeros((2, 8, 3), np.float32), label=np.zeros(2, np.int64))
    sample = scanobjectnn(tmp_path, "test", variant="OBJ_ONLY")[1]
    assert "mask" not in sample.cloud.fields


def test_s3dis_blocks_split_by_area(tmp_path: Path) -> None:
    root = layouts.s3dis_blocks(tmp_path / "blocks")
    train, test = s3dis_blocks(root, "train").checked(), s3dis_blocks(root, "test").checked()
    assert (len(train), len(test)) == (6, 3)
    assert {sample.scene for sample in test} == {"Area_5_hallway_2"}
    assert {sample.scene for sample in train} == {"Area_1_office_1", "Area_6_lobby_1"}
    with h5py.File(root / "ply_data_all_0.h5") as file:
        np.testing.assert_array_equal(test[0].cloud.positions, file["data"][3, :, :3])
        np.testing.assert_array_equal(test[0].cloud.fields["color"], file["data"][3, :, 3:6])
        np.testing.assert_array_equal(test[0].cloud.fields["label"], file["label"][3])
        labels = file["label"][:]
    counts = [list(split.source.counts().values()) for split in (train, test)]
    np.testing.assert_array_equal(np.sum(counts, axis=0), np.bincount(labels.reshape(-1), minlength=len(BLOCK_CLASSES)))
    assert len(s3dis_blocks(root, "test", test_area=6)) == 3
    with pytest.raises(InputError, match="no block for the test split with Area_2"):
        s3dis_blocks(root, "test", test_area=2)


def test_s3dis_room_list_must_fit(tmp_path: Path) -> None:
    root = layouts.s3dis_blocks(tmp_path / "blocks")
    lines = (root / "room_filelist.txt").read_text().splitlines()
    (root / "room_filelist.txt").write_text("\n".join(lines[:-1]))
    with pytest.raises(InputError, match=r"room_filelist.txt: has 8 lines for 9 blocks"):
        s3dis_blocks(root, "train")
    (root / "room_filelist.txt").unlink()
    with pytest.raises(InputError, match=r"room_filelist.txt: no such file"):
        s3dis_blocks(root, "train")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"data": np.zeros((4, 8, 2), np.float32)}, r"dataset 'data': shape \[4, 8, 2\] instead of \[n, any, 3\]"),
        ({"data": np.zeros((4, 8), np.float32)}, r"dataset 'data': shape \[4, 8\]"),
        ({"label": np.zeros((3, 1), np.uint8)}, r"differ in length \(data 4, label 3\)"),
        ({"label": np.zeros(4, np.uint8)}, r"dataset 'label': shape \[4\] instead of \[n, 1\]"),
        ({"label": np.full((4, 1), b"bed")}, r"dataset 'label': holds \|S3, not numbers"),
        ({"label": None}, r"has no dataset 'label' \(it has data\)"),
        ({"data": np.zeros((0, 8, 3), np.float32), "label": np.zeros((0, 1))}, "holds no samples"),
    ],
)
def test_wrong_headers_are_named(tmp_path: Path, arrays: dict, message: str) -> None:
    good = {"data": np.zeros((4, 8, 3), np.float32), "label": np.zeros((4, 1), np.uint8)}
    content = {name: values for name, values in (good | arrays).items() if values is not None}
    layouts.write_h5(tmp_path / "ply_data_train0.h5", **content)
    with pytest.raises(InputError, match=message) as caught:
        modelnet40(tmp_path, "train")
    assert "ply_data_train0.h5" in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([[0], [40], [1], [0]], r"row 1: label 40 is outside 0-39"),
        ([[0], [1], [-1], [0]], r"row 2: label -1 is outside 0-39"),
        ([[0], [1], [0], [0.5]], r"row 3: dataset 'label' holds a value that is no int64"),
        ([[0], [1], [np.nan], [0]], r"row 2: dataset 'label' holds a value that is no int64"),
    ],
)
def test_labels_out_of_range_are_named(tmp_path: Path, labels: list, message: str) -> None:
    layouts.write_h5(tmp_path / "ply_data_train0.h5", data=np.zeros((4, 8, 3), np.float32), label=np.array(labels))
    with pytest.raises(InputError, match=message):
        modelnet40(tmp_path, "train").checked()


def test_files_of_different_points_do_not_mix(tmp_path: Path) -> None:
    for part, points in enumerate((8, 9)):
        arrays = {"data": np.zeros((2, points, 3), np.float32), "label": np.zeros((2, 1), np.uint8)}
        layouts.write_h5(tmp_path / f"ply_data_train{part}.h5", **arrays)
    with pytest.raises(InputError, match=r"ply_data_train1.h5, dataset 'data': rows are \[9, 3\]"):
        modelnet40(tmp_path, "train")


def test_a_header_that_claims_terabytes_allocates_nothing(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "ply_data_train0.h5", "w") as file:
        file.create_dataset("data", shape=(10**9, 2048, 3), dtype="f4", chunks=(1, 2048, 3))
        file.create_dataset("label", shape=(10**9, 1), dtype="u1", chunks=(1024, 1))
    with pytest.raises(InputError, match="claims 24576000000000 bytes but stores 0"):
        modelnet40(tmp_path, "train")


def test_mutated_files_give_a_result_or_a_sentence(tmp_path: Path) -> None:
    """A short fuzz run: truncations and flipped bytes anywhere, in compressed data and in headers."""
    whole = layouts.write_h5(
        tmp_path / "whole.h5",
        data=np.random.default_rng(0).normal(size=(16, 64, 3)).astype(np.float32),
        label=np.zeros((16, 1), np.uint8),
    ).read_bytes()
    rng = np.random.default_rng(1)
    outcomes = {"sentence": 0, "skipped": 0, "whole": 0}
    for number in range(150):
        damaged = bytearray(whole)
        if number % 3 == 0:
            del damaged[rng.integers(0, len(damaged)) :]
        else:
            for place in rng.integers(0, len(damaged), rng.integers(1, 20)):
                damaged[place] = rng.integers(0, 256)
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "ply_data_train0.h5").write_bytes(damaged)
        try:
            dataset = modelnet40(folder, "train").checked("skip")
            assert all(np.isfinite(sample.cloud.positions).all() for sample in dataset)
            outcomes["skipped" if dataset.skipped else "whole"] += 1
        except InputError as error:
            outcomes["sentence"] += "ply_data_train0.h5" in str(error)
    assert sum(outcomes.values()) == 150
    assert outcomes["sentence"] > 50
    assert outcomes["skipped"] > 0


def test_not_hdf5_and_unreadable(tmp_path: Path) -> None:
    (tmp_path / "ply_data_train0.h5").write_text("<html>404</html>")
    with pytest.raises(InputError, match=r"ply_data_train0.h5: not a readable HDF5 file"):
        modelnet40(tmp_path, "train")
    (tmp_path / "train_files.txt").write_bytes(b"ply_data_train0.h5\n\xff\xfe")
    with pytest.raises(InputError, match=r"train_files.txt, byte 19: not text"):
        modelnet40(tmp_path, "train")


def test_misplaced_folders_are_found(tmp_path: Path) -> None:
    root = layouts.modelnet40(tmp_path / "downloads" / "modelnet40_ply_hdf5_2048")
    with pytest.raises(InputError, match=r"ModelNet40 is not in this folder but in .*modelnet40_ply_hdf5_2048"):
        modelnet40(tmp_path, "train")
    (root / "inner").mkdir()
    with pytest.raises(InputError, match="name that folder"):
        modelnet40(root / "inner", "train")
    with pytest.raises(InputError, match=r"no such folder.*modelnet40_normal_resampled"):
        modelnet40(tmp_path / "nowhere", "train")


def test_every_channel_of_a_block_s_colours_is_looked_at() -> None:
    data = np.full((9, 2, 9), 0.5, np.float32)
    data[range(9), 1, range(9)] = 1.5  # a row for each channel; positions may be anything
    found = check_block_rows({"data": data, "label": np.zeros((9, 2), np.uint8)})
    assert found == [(row, "a colour is outside 0-1") for row in (3, 4, 5)]


def test_every_problem_of_a_row_is_named() -> None:
    data, mask = np.zeros((4, 5, 3), np.float32), np.zeros((4, 5), np.int64)
    data[0, 2, 1] = np.nan
    mask[1, 3], mask[2] = -2, -1
    found = check_rows({"data": data, "label": np.array([0, 0, 0, 99]), "mask": mask})
    assert sorted(row for row, _ in found) == [0, 1, 2, 3]
    assert dict(found)[1] == "mask has a value below -1"
    assert dict(found)[2] == "the mask calls every point background"
