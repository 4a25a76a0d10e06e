"""`cloudt info` describes everything that can be opened: meshes, clouds with holes, several files, for programs too."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from tests.io.samples import small_cloud
from tests.io.test_other_programs import write_with_laspy


def organised(path: Path) -> PointCloud:
    """A raster of 3 by 2, in which one ray hit nothing."""
    positions = np.arange(18, dtype=np.float32).reshape(6, 3)
    positions[4] = np.nan
    metadata = {"pcd": {"encoding": "binary", "width": 3, "height": 2}}
    cloud = PointCloud(positions=positions, fields={"label": np.arange(6, dtype=np.int32) // 3}, metadata=metadata)
    io.write(path, cloud)
    return cloud


def described(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert main(["info", *words, "--json"]) == 0
    answer: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return answer


def test_several_files_for_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_with_laspy(tmp_path / "a.laz")
    io.write(tmp_path / "b.ply", small_cloud())
    first, second = described(capsys, str(tmp_path / "a.laz"), str(tmp_path / "b.ply"))
    assert (first["points"], first["crs"], second["points"]) == (300, "EPSG:32632", 40)
    assert second["file"] == str(tmp_path / "b.ply")
    world = io.read(tmp_path / "a.laz").world
    np.testing.assert_allclose(first["low"], world.min(axis=0))
    np.testing.assert_allclose(first["high"], world.max(axis=0))
    labels = small_cloud().fields["label"].tolist()
    assert second["classes"] == {str(value): labels.count(value) for value in sorted(set(labels))}
    assert second["problems"] == []


def test_holes_are_described_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cloud = organised(tmp_path / "a.pcd")
    assert main(["info", str(tmp_path / "a.pcd")]) == 0
    assert "1 of 6 points is not finite" in capsys.readouterr().out
    (facts,) = described(capsys, str(tmp_path / "a.pcd"))
    assert facts["low"] == [0, 1, 2]
    assert main(["convert", str(tmp_path / "a.pcd"), str(tmp_path / "b.pcd"), "--non-finite", "keep"]) == 0
    assert b"WIDTH 3\nHEIGHT 2\n" in (tmp_path / "b.pcd").read_bytes()
    assert io.read(tmp_path / "b.pcd", non_finite="keep") == cloud
    capsys.readouterr()
    assert main(["convert", str(tmp_path / "a.pcd"), str(tmp_path / "c.las"), "--non-finite", "keep"]) == 2
    assert "LAS has no place for a point that is NaN or infinite" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".ply", ".npy", ".npz", ".h5", ".csv"])
def test_large_coordinates_with_holes(suffix: str, tmp_path: Path) -> None:
    world = np.array([[5e5, 5e6, 10.25], [np.nan, 5e6, 11], [5e5 + 10, 5e6, np.inf]])
    np.save(tmp_path / "a.npy", world)
    io.write(tmp_path / f"b{suffix}", io.read(tmp_path / "a.npy", non_finite="keep"))
    np.testing.assert_array_equal(io.read(tmp_path / f"b{suffix}", non_finite="keep").world, world)


def test_meshes_are_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    assert main(["info", str(tmp_path / "a.off")]) == 0
    shown = capsys.readouterr().out
    assert "faces" in shown
    assert "--sample" in shown
    (facts,) = described(capsys, str(tmp_path / "a.off"))
    assert (facts["vertices"], facts["faces"], facts["area"]) == (3, 1, 1.0)


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    (tmp_path / "b.ply").write_text("nothing")
    assert main(["info", str(tmp_path / "b.ply"), str(tmp_path / "a.ply")]) == 1
    captured = capsys.readouterr()
    assert "points      40" in captured.out
    assert captured.err.count("\n") == 1
