"""`cloudt info` and `cloudt convert`, from the arguments to the exit code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cli import main
from tests.io.samples import small_cloud
from tests.io.test_other_programs import write_with_laspy


def test_info_shows_what_matters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_with_laspy(tmp_path / "a.laz")
    assert main(["info", str(tmp_path / "a.laz")]) == 0
    shown = capsys.readouterr().out
    for words in (
        "laz 1.2, point format 3",
        "points      300",
        "EPSG:32632",
        "height",
        "float32",
        "gps_time",
        "offset",
    ):
        assert words in shown
    assert all(line == line.rstrip() for line in shown.splitlines())


def test_info_points_at_columns_without_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xyz").write_text("1 2 3 4 5 6\n")
    main(["info", str(tmp_path / "a.xyz")])
    assert "--columns" in capsys.readouterr().out
    main(["info", str(tmp_path / "a.xyz"), "--columns", "xyzrgb"])
    assert "uint8" in capsys.readouterr().out


@pytest.mark.parametrize("source", [".ply", ".pcd", ".npy", ".npz", ".h5", ".csv"])
@pytest.mark.parametrize("target", [".ply", ".pcd", ".npz", ".h5", ".txt", ".las", ".laz"])
def test_any_to_any(source: str, target: str, tmp_path: Path) -> None:
    cloud = small_cloud(far=True)
    io.write(tmp_path / f"a{source}", cloud)
    arguments = [str(tmp_path / f"a{source}"), str(tmp_path / f"b{target}")]
    if source == ".csv" and target == ".ply":
        arguments += ["--cast", "label=uint8", "--cast", "intensity=uint16"]
    assert main(["convert", *arguments]) == 0
    result = io.read(tmp_path / f"b{target}")
    np.testing.assert_allclose(result.world, cloud.world, rtol=0, atol=1e-5)
    for name in ("label", "intensity", "normal"):
        np.testing.assert_array_equal(result.fields[name], cloud.fields[name])


def test_convert_refuses_to_overwrite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    io.write(tmp_path / "b.ply", small_cloud(3))
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "b.ply")]) == 2
    assert "--force" in capsys.readouterr().err
    assert len(io.read(tmp_path / "b.ply")) == 3
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "b.ply"), "--force"]) == 0
    assert len(io.read(tmp_path / "b.ply")) == 40


def test_convert_keeps_and_drops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "b.npz"), "--drop", "normal"]) == 0
    assert set(io.read(tmp_path / "b.npz").fields) == {"color", "intensity", "label"}
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "c.npz"), "--keep", "label"]) == 0
    assert set(io.read(tmp_path / "c.npz").fields) == {"label"}
    capsys.readouterr()
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "d.npz"), "--keep", "lable"]) == 2
    assert "no field 'lable'" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "d.npz"), "--drop", "lable"]) == 2
    assert main(["convert", str(tmp_path / "a.ply"), str(tmp_path / "d.npz"), "--cast", "label"]) == 2


def test_convert_samples_a_mesh(tmp_path: Path) -> None:
    (tmp_path / "a.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    assert main(["convert", str(tmp_path / "a.off"), str(tmp_path / "b.ply")]) == 2
    assert main(["convert", str(tmp_path / "a.off"), str(tmp_path / "b.ply"), "--sample", "77"]) == 0
    assert len(io.read(tmp_path / "b.ply")) == 77


def test_a_missing_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(tmp_path / "no.ply")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
