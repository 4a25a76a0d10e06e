"""Your own data: four tasks from plain folders, and every mistake named."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.folder import FolderConfig, folder, read_config
from cloud_transformers.datasets.folder.splits import drawn_split
from cloud_transformers.errors import InputError
from cloud_transformers.io import limits, write
from cloud_transformers.transforms import BlockCrop
from tests.datasets import layouts

RNG = np.random.default_rng(0)
GREY = np.full((20, 3), 99, np.uint8)


def put(path: Path, num: int = 20, **fields: np.ndarray) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, layouts.cloud(RNG, num, **fields))
    return path


def labelled(root: Path, names: list[str], values: tuple[int, ...] = (2, 5)) -> Path:
    for name in names:
        put(
            root / name,
            color=RNG.integers(0, 256, (20, 3)).astype(np.uint8),
            label=RNG.choice(values, 20).astype(np.int32),
        )
    return root


def settings(root: Path, text: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "dataset.toml").write_text(text)
    return root


def test_segmentation_with_named_values(tmp_path: Path) -> None:
    labelled(tmp_path, [f"train/{n}.ply" for n in "abc"] + ["val/d.ply"], values=(2, 5, 0))
    settings(
        tmp_path, 'task = "segmentation"\nignore = [0]\n[classes]\nground = 2\ntree = 5\n[colors]\ntree = "#00ff00"\n'
    )
    dataset = folder(tmp_path, "train").checked()
    assert (len(dataset), dataset.classes) == (3, ("ground", "tree"))
    found = np.concatenate([sample.cloud.fields["label"] for sample in dataset])
    assert set(found) == {-1, 0, 1}
    assert dataset.source.counts() == {"ground": (found == 0).sum(), "tree": (found == 1).sum()}
    colors = dataset[0].cloud.fields["color"]
    assert colors.dtype == np.float32
    assert 0.5 < colors.max() <= 1
    assert len(folder(tmp_path, "val")) == 1
    with pytest.raises(InputError, match="none of the 4 files is in the split 'test'"):
        folder(tmp_path, "test")


def test_segmentation_without_settings_takes_the_values_found(tmp_path: Path) -> None:
    labelled(tmp_path, [f"{number}.ply" for number in range(30)])
    splits = [folder(tmp_path, split, task="segmentation").checked() for split in ("train", "val", "test")]
    assert sum(map(len, splits)) == 30
    assert splits[0].classes == ("2", "5")
    assert set(splits[0][0].cloud.fields["label"]) <= {0, 1}


def test_unknown_labels_stop_before_the_first_step(tmp_path: Path) -> None:
    labelled(tmp_path, ["train/a.ply"], values=(0, 1))
    put(tmp_path / "train/b.ply", color=GREY, label=np.full(20, 7, np.int32))
    settings(tmp_path, 'task = "segmentation"\nclasses = ["ground", "tree"]\n')
    with pytest.raises(InputError, match=r"b.ply: label 7 \(20 points\) is none of the classes \(0 ground, 1 tree\)"):
        folder(tmp_path, "train").checked()
    assert len(folder(tmp_path, "train").checked("skip")) == 1


def test_all_stray_values_of_all_files_are_listed_with_what_would_settle_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(tmp_path, ["train/a.ply"], values=(0, 1))
    for name, values in (("train/b.ply", [7, 8]), ("test/c.ply", [8, 9])):
        label = np.repeat(values, 10).astype(np.int32)
        put(tmp_path / name, color=GREY, label=label)
    text = 'task = "segmentation"\nclasses = {ground = 0, tree = 1}\n'
    settings(tmp_path, text)
    assert main(["data", "check", "folder", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert "labels 7 (10 points), 8 (10 points) are none of the classes" in shown
    assert "3 label values are neither a class nor ignored" in shown
    assert "     8            20 points      2 files" in shown
    assert "ignore = [7, 8, 9]" in shown
    for fix in ("ignore = [7, 8, 9]\n", 'ignore = "rest"\n'):
        settings(tmp_path, fix + text)
        assert main(["data", "check", "folder", str(tmp_path)]) == 0
    labels = folder(tmp_path, "train")[1].cloud.fields["label"]
    assert set(labels) == {-1}


def test_several_values_are_one_class(tmp_path: Path) -> None:
    labelled(tmp_path, ["train/a.ply"], values=(2, 5))
    settings(tmp_path, 'task = "segmentation"\n[classes]\nground = 1\nplant = [4, 5, 2]\n')
    sample = folder(tmp_path, "train").checked()[0]
    assert folder(tmp_path, "train").classes == ("ground", "plant")
    assert set(sample.cloud.fields["label"]) == {1}


def test_missing_label_field_is_named(tmp_path: Path) -> None:
    put(tmp_path / "train/a.ply", color=GREY, kind=np.zeros(20, np.int32))
    settings(tmp_path, 'task = "segmentation"\nclasses = ["ground"]\n')
    with pytest.raises(InputError, match=r"a.ply: has no field 'label' with labels \(fields: color, kind\)"):
        folder(tmp_path, "train").checked()
    settings(tmp_path, 'task = "segmentation"\nclasses = ["ground"]\nlabel = "kind"\n')
    assert folder(tmp_path, "train").checked()[0].cloud.fields["label"].tolist() == [0] * 20


def test_labels_may_be_a_column_of_one_channel(tmp_path: Path) -> None:
    put(tmp_path / "train/a.npz", color=GREY, label=np.full((20, 1), 1, np.int32))
    settings(tmp_path, 'task = "segmentation"\nclasses = ["ground", "tree"]\n')
    assert folder(tmp_path, "train").checked()[0].cloud.fields["label"].tolist() == [1] * 20
    put(tmp_path / "train/a.npz", color=GREY, label=np.zeros((20, 2), np.int32))
    with pytest.raises(InputError, match="must hold one whole number per point"):
        folder(tmp_path, "train").checked()


def test_another_split_is_refused(tmp_path: Path) -> None:
    labelled(tmp_path, ["train/a.ply"])
    with pytest.raises(InputError, match="split must be one of train, val, test, got 'dev'"):
        folder(tmp_path, "dev")


def test_missing_colours_are_a_choice(tmp_path: Path) -> None:
    put(tmp_path / "train/a.ply", label=np.zeros(20, np.int32))
    with pytest.raises(InputError, match=r"a.ply: has no colours .* missing_color = 'grey' or 'leave'"):
        folder(tmp_path, "train", task="segmentation").checked()
    grey = folder(tmp_path, "train", task="segmentation", missing_color="grey")[0].cloud.fields["color"]
    np.testing.assert_array_equal(grey, np.full((20, 3), 0.5, np.float32))
    assert "color" not in folder(tmp_path, "train", task="segmentation", missing_color="leave")[0].cloud.fields
    with pytest.raises(InputError, match="missing_color must be one of error, grey, leave"):
        folder(tmp_path, "train", task="segmentation", missing_color="black")


@pytest.mark.parametrize(
    ("colors", "color_max", "expected"),
    [
        (np.full((5, 3), 51, np.uint8), None, 0.2),
        (np.full((5, 3), 13107, np.uint16), None, 0.2),
        (np.full((5, 3), 51, np.uint16), None, "none exceeds 255"),
        (np.full((5, 3), 51, np.uint16), 255, 0.2),
        (np.full((5, 3), 0.2, np.float32), None, 0.2),
        (np.full((5, 3), 51, np.float32), None, "outside 0-1; set color_max"),
        (np.full((5, 3), 51, np.float32), 255, 0.2),
        (np.full((5, 3), -1, np.float32), None, "outside 0-1"),
    ],
)
def test_brightness_is_never_guessed(tmp_path: Path, colors: np.ndarray, color_max: float, expected: object) -> None:
    path = tmp_path / "train" / "a.npz"
    path.parent.mkdir()
    write(path, layouts.cloud(RNG, 5, color=colors, label=np.zeros(5, np.int64)))
    dataset = folder(tmp_path, "train", config=FolderConfig(task="segmentation", color_max=color_max))
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            dataset.checked()
    else:
        np.testing.assert_allclose(dataset[0].cloud.fields["color"], expected, atol=1e-6)


def test_nothing_but_black_is_no_colour(tmp_path: Path) -> None:
    path = tmp_path / "train" / "a.las"
    path.parent.mkdir()
    write(path, layouts.cloud(RNG, 5, color=np.zeros((5, 3), np.uint16), label=np.zeros(5, np.uint8)))
    with pytest.raises(InputError, match=r"a\.las: has nothing but black for colours; .* missing_color = 'grey'"):
        folder(tmp_path, "train", task="segmentation").checked()
    grey = folder(tmp_path, "train", task="segmentation", missing_color="grey")[0].cloud
    assert (grey.fields["color"] == 0.5).all()
    assert "color" not in folder(tmp_path, "train", task="segmentation", missing_color="leave")[0].cloud.fields


def test_columns_of_text_files(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "train/a.xyz").write_text("1 2 3 255 0 0 4\n2 3 4 0 255 0 9\n")
    settings(tmp_path, 'task = "segmentation"\ncolumns = ["x", "y", "z", "red", "green", "blue", "label"]\n')
    dataset = folder(tmp_path, "train").checked()
    assert dataset.classes == ("4", "9")
    np.testing.assert_allclose(dataset[0].cloud.fields["color"], [[1, 0, 0], [0, 1, 0]])


def test_files_that_name_their_columns_are_believed(tmp_path: Path) -> None:
    labelled(tmp_path / "train", ["b.npy"])
    (tmp_path / "train/a.csv").write_text("label,x,y,z,red,green,blue\n2,1,2,3,40,40,40\n5,1,2,4,40,40,40\n")
    (tmp_path / "train/c.xyz").write_text("1 2 3 255 0 0 2\n2 3 4 0 255 0 5\n")
    settings(tmp_path, 'task = "segmentation"\ncolumns = "xyzrgblabel"\n')
    dataset = folder(tmp_path, "train").checked()
    assert (len(dataset), dataset.classes) == (3, ("2", "5"))


@pytest.mark.parametrize("by_folder", [True, False])
def test_classification(tmp_path: Path, by_folder: bool) -> None:
    for name in ("cup", "old chair"):
        for number in range(12):
            put(tmp_path / ("train" if by_folder else "") / name / f"{number}.pcd")
    dataset = folder(tmp_path, "train", task="classification").checked()
    assert dataset.classes == ("cup", "old chair")
    assert len(dataset) == 24 if by_folder else len(dataset) < 24
    labels = [sample.label for sample in dataset]
    assert dataset.source.counts() == {"cup": labels.count(0), "old chair": labels.count(1)}
    settings(tmp_path, 'classes = ["old chair", "cup"]\n')
    assert folder(tmp_path, "train", task="classification")[0].label == 1
    settings(tmp_path, 'classes = ["cup"]\n')
    with pytest.raises(InputError, match="has a folder 'old chair', which is none of the classes"):
        folder(tmp_path, "train", task="classification")
    put(tmp_path / ("train" if by_folder else "") / "stray.pcd")
    with pytest.raises(InputError, match=r"stray.pcd: lies in no class folder"):
        folder(tmp_path, "train", task="classification", config=FolderConfig())


def test_completion_pairs(tmp_path: Path) -> None:
    for name in ("chair/001", "chair/002"):
        put(tmp_path / "train" / "complete" / f"{name}.ply", 40)
    put(tmp_path / "train" / "partial" / "chair" / "001.xyz", 10)
    put(tmp_path / "train" / "partial" / "chair" / "002" / "0.ply", 11)
    put(tmp_path / "train" / "partial" / "chair" / "002" / "1.ply", 12)
    dataset = folder(tmp_path, "train", task="completion").checked()
    assert [(s.id, s.view, s.taxonomy, len(s.partial), len(s.complete)) for s in dataset] == [
        ("chair/001", 0, "chair", 10, 40),
        ("chair/002", 0, "chair", 11, 40),
        ("chair/002", 1, "chair", 12, 40),
    ]
    put(tmp_path / "train" / "partial" / "lonely.ply")
    with pytest.raises(InputError, match=r"lonely.ply: has no counterpart complete/lonely"):
        folder(tmp_path, "train", task="completion")


def test_pairs_share_one_frame_however_large_their_coordinates(tmp_path: Path) -> None:
    far = np.array([500000.0, 4100000.0, 0.0])
    for name, shift in (("partial", 0.25), ("complete", 0.0)):
        (tmp_path / "train" / name).mkdir(parents=True)
        points = far + np.arange(12).reshape(4, 3) / 8 + shift
        np.savetxt(tmp_path / "train" / name / "a.xyz", points, fmt="%.3f")
    sample = folder(tmp_path, "train", task="completion")[0]
    np.testing.assert_array_equal(sample.partial.offset, sample.complete.offset)
    np.testing.assert_allclose(sample.partial.positions - sample.complete.positions, 0.25, atol=1e-4)


def test_reconstruction_pairs_keep_views_together(tmp_path: Path) -> None:
    for shape in range(20):
        for view in range(3):
            layouts.picture(RNG, tmp_path / "images" / f"s{shape}" / f"{view}.{'png' if view else 'jpg'}")
            put(tmp_path / "clouds" / f"s{shape}" / f"{view}.ply")
    settings(tmp_path, 'task = "reconstruction"\nviews = true\n')
    owners = {}
    for split in ("train", "val", "test"):
        for sample in folder(tmp_path, split).checked():
            assert owners.setdefault(sample.id, split) == split
            assert sample.image.shape == (8, 8, 3)
    assert len(owners) == 20
    (tmp_path / "clouds" / "s3" / "1.ply").unlink()
    with pytest.raises(InputError, match=r"s3.1.png: has no counterpart clouds/s3/1"):
        folder(tmp_path, "train")


def test_explicit_splits(tmp_path: Path) -> None:
    labelled(tmp_path, ["a1.ply", "a2.ply", "b.ply"])
    settings(tmp_path, 'task = "segmentation"\n[splits]\ntrain = ["a*.ply"]\nval = ["b"]\n')
    assert (len(folder(tmp_path, "train")), len(folder(tmp_path, "val"))) == (2, 1)
    settings(tmp_path, 'task = "segmentation"\n[splits]\ntrain = ["a*.ply"]\nval = ["a1.ply"]\n')
    with pytest.raises(InputError, match=r"a1.ply is in train and in val"):
        folder(tmp_path, "train")
    settings(tmp_path, 'task = "segmentation"\n[splits]\ntrain = ["c*.ply"]\n')
    with pytest.raises(InputError, match=r"'c\*.ply', which no file matches"):
        folder(tmp_path, "train")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=20, unique=True), st.integers(0, 5))
def test_drawn_splits_do_not_depend_on_other_files(names: list[str], seed: int) -> None:
    config = FolderConfig(seed=seed, val=0.3, test=0.2)
    assert all(drawn_split(name, config) in ("train", "val", "test") for name in names)
    assert [drawn_split(name, config) for name in names] == [drawn_split(name, config) for name in names[::-1]][::-1]


def test_drawn_shares_are_those_asked_for() -> None:
    config = FolderConfig(val=0.2, test=0.1)
    drawn = [drawn_split(f"scan_{number}.laz", config) for number in range(5000)]
    assert abs(drawn.count("val") / 5000 - 0.2) < 0.02
    assert abs(drawn.count("test") / 5000 - 0.1) < 0.02


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clases = []", "unknown key 'clases'; there are task, classes"),
        ("task = 'detection'", "task: task must be one of segmentation"),
        ("classes = [", "not TOML"),
        ("classes = [1, 2]", "classes: names must be strings"),
        ("[classes]\na = 1\nb = 1", "classes: two classes have the same value"),
        ("classes = ['a']\n[colors]\nb = '#000000'", "names b, which is not among"),
        ("[colors]\na = 'red'", "colors: a must be '#rrggbb'"),
        ("[splits]\nval = 0.6\ntest = 0.5", "leaves nothing for training"),
        ("[splits]\nval = 0.6\ntrain = ['a']", "shares and lists of files"),
        ("[splits]\nvalidation = 0.1", "validation = 0.1 is neither"),
        ("color_max = 'x'", "color_max: must be a positive number"),
        ("missing_color = 'black'", "missing_color must be one of"),
        ("views = 1", "views: must be true or false"),
        ("crops = 0", "crops: must be a whole number from 1 to 1,000,000"),
        ("ignore = 3", "ignore: must be a list"),
        ('ignore = "rest"', "needs .classes."),
        ("[classes]\na = [1, 2]\nb = 2", "classes: two classes have the same value"),
        ("[classes]\na = []", "classes: values must be whole numbers"),
        ("up = 'u'", "up must be one of"),
        ("scale = 0", "scale: must be a positive number"),
        ("label = 3", "label: must be a string"),
        ("splits = 3", "splits:"),
    ],
)
def test_settings_are_checked(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_config(settings(tmp_path, text))
    assert "dataset.toml" in str(caught.value)


def test_a_large_scan_is_parsed_once_and_gives_many_crops(tmp_path: Path) -> None:
    num = 100_000
    positions = RNG.uniform(0, 10, (num, 3)).astype(np.float32)
    scan = PointCloud(
        positions=positions,
        fields={"color": np.full((num, 3), 99, np.uint8), "label": (positions[:, 0] > 5).astype(np.int32)},
        offset=np.array([500000.0, 4000000.0, 0.0]),
    )
    (tmp_path / "train").mkdir()
    write(tmp_path / "train" / "scan.ply", scan)
    config = FolderConfig(task="segmentation", classes={"left": 0, "right": 1}, crops=6)
    dataset = folder(tmp_path, "train", config=config, transform=BlockCrop(1.0)).checked()
    assert len(dataset) == 6
    crops = list(dataset)
    assert len({len(sample.cloud) for sample in crops}) > 1
    # The file is spoiled behind the cache's back, with its size and time as they were: only the cache can answer now.
    path = tmp_path / "train" / "scan.ply"
    stat = path.stat()
    path.write_bytes(bytes(stat.st_size))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    for epoch in range(2):
        for index in range(6):
            sample = dataset.sample(index, epoch)
            world = sample.frame.undo(sample.cloud.positions) + sample.cloud.offset
            np.testing.assert_array_equal(sample.cloud.fields["label"], world[:, 0] > 500005)
    np.testing.assert_array_equal(dataset[0].cloud.positions, crops[0].cloud.positions)


def test_files_that_shrink_well_can_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE_BYTES", 1 << 10)
    (tmp_path / "train").mkdir()
    rows = np.zeros((50_000, 3), np.float32)
    np.savez_compressed(tmp_path / "train/a.npz", positions=rows, label=rows[:, 0].astype(np.int32))
    with pytest.raises(InputError, match=r"more than 40 times its size.*max_expand=N"):
        folder(tmp_path, "train", task="segmentation", missing_color="leave")
    settings(tmp_path, "max_expand = 10000\n")
    assert folder(tmp_path, "train", task="segmentation", missing_color="leave").checked().classes == ("0",)


def test_task_must_be_known(tmp_path: Path) -> None:
    labelled(tmp_path, ["a.ply"])
    with pytest.raises(InputError, match="for which task"):
        folder(tmp_path, "train")
    settings(tmp_path, 'task = "completion"')
    with pytest.raises(InputError, match="is for completion, not for segmentation"):
        folder(tmp_path, "train", task="segmentation")
    with pytest.raises(InputError, match="no such folder"):
        folder(tmp_path / "nowhere", "train", task="segmentation")
