"""`cloudt data init`: what a folder says about itself, as settings that can be read and corrected."""

from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.folder import folder, read_config
from cloud_transformers.io import write


def put(path: Path, size: tuple[float, float, float] = (5, 4, 2.5), **fields: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    positions = (rng.uniform(0, 1, (200, 3)) * size).astype(np.float32)
    write(path, PointCloud(positions=positions, fields=fields))


def test_labelled_scans_become_settings_that_open_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = np.repeat([0, 3, 7, 7], 50).astype(np.int32)
    for number in range(4):
        put(
            tmp_path / "train" / f"{number}.ply",
            (5000, 2500, 4000),
            semantic=labels,
            intensity=np.zeros(200, np.float32),
        )
    assert main(["data", "init", str(tmp_path)]) == 0
    assert "own-segmentation" in capsys.readouterr().out
    config = read_config(tmp_path)
    assert (config.task, config.label, config.up, config.scale) == ("segmentation", "semantic", "y", 0.001)
    assert config.classes == {"0": 0, "3": 3, "7": 7}
    assert "400 points in 4 files" in (tmp_path / "dataset.toml").read_text()
    assert "features=intensity lets" in (tmp_path / "dataset.toml").read_text()
    sample = folder(tmp_path, "train").checked()[0]
    assert sample.cloud.positions.max() <= 5
    assert main(["data", "init", str(tmp_path)]) == 2
    assert "--force" in capsys.readouterr().err


@pytest.mark.parametrize("splits", [("",), ("train", "test")])
def test_a_folder_per_class(tmp_path: Path, splits: tuple[str, ...]) -> None:
    for split in splits:
        for name in ("chair", "lamp"):
            put(tmp_path / split / name / "a.ply")
    assert main(["data", "init", str(tmp_path)]) == 0
    config = read_config(tmp_path)
    assert (config.task, list(config.classes or ())) == ("classification", ["chair", "lamp"])


def test_pairs(tmp_path: Path) -> None:
    for name in ("partial", "complete"):
        put(tmp_path / name / "a.ply")
    assert main(["data", "init", str(tmp_path)]) == 0
    assert read_config(tmp_path).task == "completion"


def test_what_says_nothing_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "a.ply", time=np.zeros(200, np.float32))
    assert main(["data", "init", str(tmp_path)]) == 2
    assert "neither a field of labels" in capsys.readouterr().err
    assert not (tmp_path / "dataset.toml").exists()


@pytest.mark.parametrize(
    ("longest", "scale", "unit"),
    [(280.0, 1.0, "metres per unit of"), (450.0, 0.01, "centimetres"), (5000.0, 0.001, "millimetres")],
)
def test_the_unit_is_guessed_from_the_longest_side(tmp_path: Path, longest: float, scale: float, unit: str) -> None:
    put(tmp_path / "a.ply", (longest, longest, longest / 2), label=np.zeros(200, np.int32))
    assert main(["data", "init", str(tmp_path)]) == 0
    assert read_config(tmp_path).scale == scale
    assert unit in (tmp_path / "dataset.toml").read_text()


@pytest.mark.parametrize("values", [np.zeros((200, 2), np.int32), np.zeros(200, bool), np.full(200, 0.5)])
def test_labels_are_one_whole_number_for_each_point(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: np.ndarray
) -> None:
    put(tmp_path / "a.npz", label=values)
    assert main(["data", "init", str(tmp_path)]) == 2
    assert "neither a field of labels" in capsys.readouterr().err
