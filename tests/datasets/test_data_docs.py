"""docs/data.md is true: its examples run, its settings are accepted, and it names what exists."""

import re
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import transforms
from cloud_transformers.cli.data.check import NAMES
from cloud_transformers.datasets.folder import read_config
from tests.datasets import layouts

TEXT = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


def test_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    layouts.modelnet40(tmp_path / "data" / "modelnet40_ply_hdf5_2048")
    scans = tmp_path / "data" / "scans"
    scans.mkdir()
    rng = np.random.default_rng(0)
    (scans / "dataset.toml").write_text(blocks("toml")[0])
    for number in range(10):
        rows = [*rng.uniform(0, 3, (400, 3)).T, *rng.integers(0, 256, (400, 3)).T, rng.choice([0, 2, 5], 400)]
        np.savetxt(scans / f"{number}.xyz", np.stack(rows, axis=1), fmt=["%.3f"] * 3 + ["%d"] * 4)
    monkeypatch.chdir(tmp_path)
    for block in blocks("python"):
        exec(compile(block, "docs/data.md", "exec"), {})
    assert "('ground', 'tree')" in capsys.readouterr().out


def test_settings_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "dataset.toml").write_text(blocks("toml")[0])
    config = read_config(tmp_path)
    assert config.classes == {"ground": 2, "tree": 5}
    assert config.crops == 100


def test_names_exist() -> None:
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", TEXT, flags=re.MULTILINE)) == set(NAMES)
    mentioned = set(re.findall(r"`([A-Z]\w+|s3dis_\w+_\w+|scanobjectnn_\w+)`", TEXT.split("## Transforms")[1]))
    mentioned -= {"Generator"}
    assert len(mentioned) > 20
    assert all(hasattr(transforms, name) for name in mentioned)
