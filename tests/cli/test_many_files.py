"""Which files a command means: what it passes over is said."""

from pathlib import Path

import pytest

from cloud_transformers.cli.shared.many_files import find_files


def test_files_of_unknown_kinds_are_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.ply", "b.dwg", "c.dwg", "README", ".hidden.dwg", "out/d.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    files = find_files([str(tmp_path)], [".ply"], tmp_path / "out")
    assert [each.path.name for each in files.found] == ["a.ply"]
    said = capsys.readouterr().err
    assert said == f"cloudt: {tmp_path}: files that cannot be read are passed over: 2 .dwg, 1 README\n"


def test_a_folder_of_clouds_needs_no_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.ply").touch()
    find_files([str(tmp_path)], [".ply"])
    assert capsys.readouterr().err == ""
