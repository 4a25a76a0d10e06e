"""The layouts byte for byte where the benchmark fixes them, and through the readers that training uses."""

import json
import os
import re
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.search import examples

from cloud_transformers.cli import main
from cloud_transformers.cli.data.make import LAYOUT_NAMES
from cloud_transformers.datasets.folder import folder as own_folder
from cloud_transformers.datasets.modelnet40 import modelnet40
from cloud_transformers.datasets.pcn import pcn
from cloud_transformers.datasets.s3dis import find_rooms, read_room, s3dis_blocks
from cloud_transformers.datasets.scanobjectnn import scanobjectnn
from cloud_transformers.datasets.what3d import what3d
from cloud_transformers.errors import InputError
from cloud_transformers.render.png import png
from cloud_transformers.world import objects, rooms, views
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from cloud_transformers.world.layouts.s3dis import TextLines


def make(layout: str, root: Path, size: int, **options) -> Path:
    LAYOUTS[layout].write(LayoutJob(layout=layout, root=root, size=size, **options))
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Every file's bytes; of HDF5, whose bytes hold times, the arrays'."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.suffix == ".h5":
            with h5py.File(path) as file:
                found[str(path.relative_to(root))] = b"".join(file[name][:].tobytes() for name in sorted(file))
        elif path.is_file():
            found[str(path.relative_to(root))] = path.read_bytes()
    return found


@pytest.fixture(scope="module")
def s3dis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("s3dis", tmp_path_factory.mktemp("world") / "s3dis", 5)


def test_s3dis_raw_rooms(s3dis: Path) -> None:
    found = find_rooms(s3dis)
    assert sorted(room.area for room in found) == [f"Area_{k}" for k in range(1, 6)]
    for index in (0, 4):
        folder = next(room for room in found if room.area == f"Area_{index + 1}")
        assert folder.name == f"{rooms.kind_of(0, index)}_1"
        cloud, room = rooms.room(0, index), read_room(folder)
        whole = np.loadtxt(folder.path / f"{folder.name}.txt")
        assert whole.shape == (len(cloud), 6)
        np.testing.assert_allclose(whole[:, :3], cloud.positions, atol=5.1e-4)
        np.testing.assert_array_equal(whole[:, 3:], cloud.fields["color"])
        np.testing.assert_array_equal(np.bincount(room.label), np.bincount(cloud.fields["label"]))
        names = [path.stem for path in folder.annotations()]
        assert all(re.fullmatch(f"({'|'.join(rooms.CLASSES)})_[1-9][0-9]*", name) for name in names)
        assert {"wall_1", "wall_2", "wall_3", "wall_4", "floor_1", "ceiling_1"} <= set(names)


def test_s3dis_blocks(s3dis: Path) -> None:
    folder = s3dis / "indoor3d_sem_seg_hdf5_data"
    names = (folder / "room_filelist.txt").read_text().split()
    assert (folder / "all_files.txt").read_text() == "indoor3d_sem_seg_hdf5_data/ply_data_all_0.h5\n"
    with h5py.File(folder / "ply_data_all_0.h5") as file:
        data, label = file["data"][:], file["label"][:]
    assert data.dtype == np.float32
    assert data.shape == (len(names), 4096, 9)
    assert label.dtype == np.uint8
    assert label.shape == (len(names), 4096)
    assert label.max() < 13
    assert np.isfinite(data).all()
    assert data[..., 3:].min() >= 0
    assert data[..., 3:].max() <= 1
    test, train = s3dis_blocks(folder, "test"), s3dis_blocks(folder, "train")
    assert len(test) == sum("Area_5" in name for name in names)
    assert len(test) + len(train) == len(names)


def test_s3dis_without_blocks(tmp_path: Path) -> None:
    make("s3dis", tmp_path, 1, blocks=False)
    assert {path.name for path in tmp_path.iterdir()} == {"world.json", "Area_1"}


def test_scanobjectnn(tmp_path: Path) -> None:
    make("scanobjectnn", tmp_path, 30)
    for folder, ending in (("main_split", "_augmentedrot_scale75"), ("main_split", ""), ("main_split_nobg", "")):
        for split, count in (("training", 30), ("test", 7)):
            with h5py.File(tmp_path / folder / f"{split}_objectdataset{ending}.h5") as file:
                assert set(file) == {"data", "label", "mask"}
                assert file["data"].shape == (count, 2048, 3)
                assert file["data"].dtype == np.float32
                np.testing.assert_array_equal(file["label"][:], np.arange(count) % 15)
                mask = file["mask"][:]
                assert mask.shape == (count, 2048)
                assert mask.min() == (0 if folder.endswith("nobg") else -1)
    for variant in ("PB_T50_RS", "OBJ_BG", "OBJ_ONLY"):
        dataset = scanobjectnn(tmp_path, "train", variant=variant)
        assert len(dataset) == 30
        assert dataset[7].label == 7


def test_modelnet40(tmp_path: Path) -> None:
    make("modelnet40", tmp_path, 40)
    assert (tmp_path / "shape_names.txt").read_text().split() == list(objects.MODELNET_CLASSES)
    assert (tmp_path / "train_files.txt").read_text() == "data/modelnet40_ply_hdf5_2048/ply_data_train0.h5\n"
    with h5py.File(tmp_path / "ply_data_train0.h5") as file:
        assert file["data"].shape == file["normal"].shape == (40, 2048, 3)
        assert file["label"].shape == (40, 1)
        assert file["label"].dtype == np.uint8
        np.testing.assert_allclose(np.linalg.norm(file["data"][:], axis=2).max(axis=1), 1, atol=1e-5)
    train, test = modelnet40(tmp_path, "train"), modelnet40(tmp_path, "test")
    assert (len(train), len(test)) == (40, 10)
    assert not np.array_equal(train[0].cloud.positions, test[0].cloud.positions)


def test_completion(tmp_path: Path) -> None:
    make("completion", tmp_path, 9)
    entries = json.loads((tmp_path / "PCN.json").read_text())
    assert [entry["taxonomy_name"] for entry in entries] == list(views.TAXONOMY)
    assert [len(entry["train"]) for entry in entries] == [2, 1, 1, 1, 1, 1, 1, 1]
    chair = next(entry for entry in entries if entry["taxonomy_id"] == "03001627")
    folder = tmp_path / "train" / "partial" / "03001627" / chair["train"][0]
    assert sorted(path.name for path in folder.iterdir()) == [f"{k:02d}.pcd" for k in range(8)]
    assert b"DATA binary\n" in (folder / "00.pcd").read_bytes()[:400]
    for split, count in (("train", 9), ("val", 1), ("test", 1)):
        dataset = pcn(tmp_path, split)
        assert len(dataset) == count
        sample = dataset[0]
        assert len(sample.complete) == 16384
        assert 0 < len(sample.partial) <= 2048
    np.testing.assert_array_equal(pcn(tmp_path, "train")[0].complete.positions, views.complete(0, 0))


def test_reconstruction(tmp_path: Path) -> None:
    make("reconstruction", tmp_path, 2)
    assert (tmp_path / "classes.txt").read_text().splitlines() == [f"{name} {name}" for name in objects.CLASSES]
    for name in objects.CLASSES:
        assert {path.name for path in (tmp_path / "lists" / name).iterdir()} == {"train.txt", "val.txt", "test.txt"}
    place = Path("bin") / (tmp_path / "lists" / "bin" / "train.txt").read_text().strip()
    assert sorted(p.name for p in (tmp_path / "points" / place).iterdir()) == [f"{k}.ply" for k in range(5)]
    assert sorted(p.name for p in (tmp_path / "renderings" / place).iterdir()) == [f"{k}.png" for k in range(5)]
    sample = what3d(tmp_path, "train", views="all", alpha="white")[5]
    expected = views.reconstruction(0, 1, sample.view)
    np.testing.assert_array_equal(sample.image, expected["image"])
    np.testing.assert_array_equal(sample.cloud.positions, expected["points"])


def test_workers_and_seeds(tmp_path: Path) -> None:
    one, two = make("completion", tmp_path / "a", 3), make("completion", tmp_path / "b", 3, workers=2)
    assert contents(one) == contents(two)
    other = make("completion", tmp_path / "c", 3, seed=1)
    assert contents(other).keys() == contents(one).keys()
    assert (
        contents(other)["train/complete/02691156/train000000.pcd"]
        != contents(one)["train/complete/02691156/train000000.pcd"]
    )


def test_an_interrupted_job_goes_on(tmp_path: Path) -> None:
    root = make("completion", tmp_path / "a", 3)
    whole = contents(root)
    lost = root / "train" / "complete" / "02691156" / "train000000.pcd"
    kept = root / "train" / "complete" / "02933112" / "train000001.pcd"
    lost.unlink()
    os.utime(kept, (1, 1))
    make("completion", root, 3)
    assert contents(root) == whole
    assert kept.stat().st_mtime == 1  # not written again
    make("completion", root, 3, force=True)
    assert kept.stat().st_mtime != 1


def test_a_filled_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match=r"not empty.*--force"):
        make("completion", tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    make("modelnet40", tmp_path, 1, force=True)
    with pytest.raises(InputError, match="not begun with these settings"):
        make("modelnet40", tmp_path, 2)
    with pytest.raises(InputError, match="at least 1"):
        make("modelnet40", tmp_path / "new", 0)
    with pytest.raises(InputError, match="is a file"):
        make("modelnet40", tmp_path / "thesis.txt", 1)


def test_a_failing_writer_leaves_no_file(tmp_path: Path) -> None:
    from cloud_transformers.world.layouts.hdf5 import write_rows

    def rows():
        yield [{"data": np.zeros(3)}]
        raise InterruptedError

    with pytest.raises(InterruptedError):
        write_rows([tmp_path / "a.h5"], {"data": ((3,), np.float32)}, 2, rows())
    assert not list(tmp_path.iterdir())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["data", "make", "modelnet40", str(tmp_path / "m"), "--size", "4", "--seed", "2", "--workers", "1"]
    assert main(arguments) == 0
    assert "4 training and 1 test objects of 40 classes" in capsys.readouterr().out
    assert main([*arguments[:5], "5"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("cloudt: ")
    assert message.count("\n") == 1
    assert tuple(LAYOUTS) == LAYOUT_NAMES


@pytest.mark.parametrize("layout", ["scans", "scanned-objects"])
def test_scans_are_folders_of_ones_own_data(layout: str, tmp_path: Path) -> None:
    first, again = (make(layout, tmp_path / name, 2, workers=workers) for name, workers in (("a", 1), ("b", 2)))
    assert contents(first) == contents(again)
    train = own_folder(first, "train").checked()
    assert train.source.classes == (rooms.CLASSES if layout == "scans" else objects.CLASSES)
    for split in ("train", "val", "test"):
        for sample in own_folder(first, split):
            cloud = sample.cloud
            assert set(cloud.fields) == ({"color", "label", "instance"} if layout == "scans" else {"mask"})
            if layout == "scanned-objects":
                assert Path(sample.name).parent.name == objects.CLASSES[sample.label]


def test_a_half_made_folder_of_scans_goes_on(tmp_path: Path) -> None:
    whole, broken = (make("scanned-objects", tmp_path / name, 2) for name in "ab")
    room = sorted(broken.glob("train/*/00001_*.ply"))
    for path in [*room, broken / "train" / ".made" / "00001"]:
        path.unlink()
    kept = next(broken.glob("train/*/00000_*.ply"))
    before = kept.stat().st_mtime_ns
    make("scanned-objects", broken, 2)
    assert contents(broken) == contents(whole)
    assert kept.stat().st_mtime_ns == before


@examples(60)
@given(
    hnp.arrays(np.float32, st.tuples(st.integers(0, 20), st.just(3)), elements=st.floats(-9e4, 9e4, width=32)),
    st.data(),
)
def test_text_lines_are_the_numbers_to_three_decimals(positions: np.ndarray, data: st.DataObject) -> None:
    color = data.draw(hnp.arrays(np.uint8, positions.shape))
    lines = TextLines(positions, color).text().decode().splitlines()
    assert len(lines) == len(positions)
    for line, point, shade in zip(lines, positions, color, strict=True):
        assert re.fullmatch(r"(-?(0|[1-9]\d*)\.\d{3} ){3}(\d{1,3} ){2}\d{1,3}", line)
        words = line.split()
        np.testing.assert_allclose(np.array(words[:3], float), point.astype(float), atol=5.0001e-4)
        assert [int(word) for word in words[3:]] == list(shade)


@pytest.mark.parametrize("channels", [3, 4])
def test_png_files_are_read_by_others(tmp_path: Path, channels: int) -> None:
    image = pytest.importorskip("PIL.Image")
    picture = np.random.default_rng(0).integers(0, 256, (5, 7, channels), dtype=np.uint8)
    (tmp_path / "a.png").write_bytes(png(picture))
    np.testing.assert_array_equal(np.asarray(image.open(tmp_path / "a.png")), picture)
