"""`cloudt data check` and `cloudt data prepare` as a user sees them."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from cloud_transformers.cli import main
from cloud_transformers.cli.data.check import NAMES
from cloud_transformers.datasets.checks import CHECKS
from cloud_transformers.datasets.modelnet40 import modelnet40
from cloud_transformers.io import write
from tests.datasets import layouts


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_names_on_the_command_line_are_those_that_exist() -> None:
    assert tuple(CHECKS) == NAMES


def test_all_is_well_but_there_is_less_than_in_public(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    public = "samples, the public data has"
    for name, root, said in (
        ("modelnet40", layouts.modelnet40(tmp_path / "m"), [f"train: 12 {public} 9,843", f"test: 5 {public} 2,468"]),
        ("modelnet40", layouts.modelnet40_text(tmp_path / "t"), [f"train: 3 {public} 9,843"]),
        ("s3dis", layouts.s3dis_blocks(tmp_path / "b"), [f"train: 6 {public} 16,733", f"test: 3 {public} 6,852"]),
        ("s3dis", layouts.s3dis_raw(tmp_path / "r"), ["4 rooms, the public data has 271", "Area_2 is missing"]),
        (
            "completion",
            layouts.pcn(tmp_path / "p", with_list=False),
            [f"train: 6 {public} 28,974", f"val: 2 {public} 800", f"test: 4 {public} 1,200"],
        ),
        ("reconstruction", layouts.what3d(tmp_path / "w"), []),
    ):
        code, text = run(capsys, "data", "check", name, root)
        assert code == 0, text
        assert "0 problems" in text
        assert "total" in text
        assert not [sentence for sentence in said if f"note: {sentence}\n" not in text], text


def test_every_variant_of_scanobjectnn_is_counted_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = layouts.scanobjectnn(tmp_path)
    code, text = run(capsys, "data", "check", "scanobjectnn", root)
    assert (code, "0 problems" in text) == (0, True)
    notes = {line.removeprefix("note: ") for line in text.splitlines() if line.startswith("note: ")}
    assert notes == {  # other folds and variants have no public number
        f"{variant} {split}: 6 samples, the public data has {count}"
        for variant, train, test in (
            ("OBJ_ONLY", "2,309", "581"),
            ("OBJ_BG", "2,309", "581"),
            ("PB_T50_RS", "11,416", "2,882"),
            ("PB_T50_RS nobg", "11,416", "2,882"),
        )
        for split, count in (("train", train), ("test", test))
    }
    (root / "main_split" / "training_objectdataset_augmentedrot_scale75.h5").unlink()
    _, text = run(capsys, "data", "check", "scanobjectnn", root)
    assert "note: the paper's variant, main_split PB_T50_RS, is not there" in text


def test_counts_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = layouts.modelnet40(tmp_path)
    _, text = run(capsys, "data", "check", "modelnet40", root)
    rows = dict(line.split(maxsplit=1) for line in text.splitlines() if line.startswith(("airplane", "total")))
    assert rows["total"].split() == ["12", "5"]
    assert rows["airplane"].split()[0] == str(sum(sample.label == 0 for sample in modelnet40(root, "train")))
    assert "train: 12 samples, the public data has 9,843" in text


def test_problems_are_listed_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = layouts.modelnet40(tmp_path, train=60)
    with h5py.File(root / "ply_data_train0.h5", "r+") as file:
        file["label"][:25] = 99
    (root / "ply_data_test1.h5").write_bytes(b"nonsense")
    code, text = run(capsys, "data", "check", "modelnet40", root)
    assert code == 1
    assert "26 problems" in text
    assert "ply_data_train0.h5, row 3: label 99 is outside 0-2" in text
    assert "... and 6 more" in text
    _, text = run(capsys, "data", "check", "modelnet40", root, "--all")
    assert "ply_data_test1.h5: not a readable HDF5 file" in text


def test_misplaced_data_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = layouts.scanobjectnn(tmp_path / "ScanObjectNN" / "h5_files")
    code, text = run(capsys, "data", "check", "scanobjectnn", tmp_path / "ScanObjectNN")
    assert (code, f"in {root}; name that folder" in text) == (1, True)
    code, text = run(capsys, "data", "check", "scanobjectnn", root / "main_split")
    assert (code, f"in {root}; name that folder" in text) == (1, True)
    code, text = run(capsys, "data", "check", "completion", tmp_path)
    assert (code, "Get it as `ShapeNetCompletion`" in text) == (1, True)


def test_raw_rooms_name_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = layouts.s3dis_raw(tmp_path)
    path = root / "Area_1" / "office_2" / "Annotations" / "wall_1.txt"
    lines = path.read_bytes().splitlines()
    lines[6] = lines[6][:3] + b"\x10" + lines[6][3:]
    lines[9] = b"1.000 2.000"
    path.write_bytes(b"\n".join(lines))
    code, text = run(capsys, "data", "check", "s3dis-rooms", root)
    assert code == 1
    assert f"problem: {path}, line 10: '1.000 2.000' is not 6 numbers" in text
    assert f"note: {path}, line 7:" in text
    assert "1 problem\n" in text


def test_blocks_beside_raw_rooms_are_pointed_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = layouts.s3dis_raw(tmp_path, areas=(1,), rooms=1, points=60)
    blocks = layouts.s3dis_blocks(root / "indoor3d_sem_seg_hdf5_data", blocks=1)
    _, text = run(capsys, "data", "check", "s3dis", root)
    assert f"note: blocks are in {blocks}; look at them with `cloudt data check s3dis-blocks`" in text


def test_points_of_rooms_are_added_up_by_area(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text = run(capsys, "data", "check", "s3dis-rooms", layouts.s3dis_raw(tmp_path, areas=(1, 3), points=60))
    assert "points per class and split" in text
    rows = dict(line.split(maxsplit=1) for line in text.splitlines() if line.startswith(("wall", "table", "total")))
    assert {name: row.split() for name, row in rows.items()} == {
        "wall": ["40", "40"],
        "table": ["20", "20"],
        "total": ["120", "120"],
    }


def test_own_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    for name in ("cup", "mug"):
        for number in range(3):
            layouts.write_cloud(rng, tmp_path / "train" / name / f"{number}.ply")
    code, text = run(capsys, "data", "check", "folder", tmp_path, "--task", "classification")
    assert code == 0
    assert "none of the 6 files is in the split 'val'" in text
    (tmp_path / "train" / "cup" / "0.ply").write_bytes(b"ply\nformat ascii 1.0\n")
    code, text = run(capsys, "data", "check", "folder", tmp_path, "--task", "classification")
    assert (code, "0.ply" in text) == (1, True)
    code, text = run(capsys, "data", "check", "folder", tmp_path)
    assert (code, "for which task" in text) == (1, True)


def test_own_samples_are_counted_or_their_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    fields = {"color": np.full((20, 3), 99, np.uint8), "label": np.repeat([4, 7], [5, 15]).astype(np.int32)}
    (tmp_path / "train" / "room").mkdir(parents=True)
    write(tmp_path / "train" / "room" / "a.ply", layouts.cloud(rng, 20, **fields))
    _, text = run(capsys, "data", "check", "folder", tmp_path, "--task", "segmentation")
    assert "points per class and split" in text
    assert {"4": "5", "7": "15"}.items() <= {tuple(line.split()) for line in text.splitlines()}
    _, text = run(capsys, "data", "check", "folder", tmp_path, "--task", "classification")
    assert "samples per class and split" in text
    assert ["room", "1"] in [line.split() for line in text.splitlines()]


@pytest.mark.parametrize("name", ["s3dis-blocks", "s3dis-spheres"])
def test_prepare(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    root = layouts.s3dis_raw(tmp_path / "raw")
    code, text = run(capsys, "data", "prepare", name, root, tmp_path / "out")
    assert code == 0
    assert f"{tmp_path / 'out'}: " in text
    code, text = run(capsys, "data", "prepare", name, root, tmp_path / "out")
    assert (code, "not an empty folder" in text) == (2, True)
    code, text = run(capsys, "data", "prepare", name, tmp_path / "out", tmp_path / "again")
    assert (code, "holds no raw S3DIS" in text) == (2, True)
