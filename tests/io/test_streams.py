"""`-`: clouds through standard input and standard output."""

from __future__ import annotations

import io as standard
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from cloud_transformers import io
from cloud_transformers.cli import main
from tests.io.samples import small_cloud


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> object:
    def give(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=standard.BytesIO(content)))

    return give


@pytest.mark.parametrize("suffix", ["ply", "las", "npy", "csv"])
def test_through_a_pipe(suffix: str, given: object, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    cloud = small_cloud()
    io.write(tmp_path / f"a.{suffix}", cloud)
    assert main(["convert", str(tmp_path / f"a.{suffix}"), "-", "--to", suffix]) == 0
    written = capsysbinary.readouterr()
    assert b"-: 40 points" in written.err
    given(written.out)  # type: ignore[operator]
    name = ["--format", suffix] if suffix == "csv" else []  # the others say what they are
    assert main(["convert", "-", str(tmp_path / "b.npz"), *name]) == 0
    assert io.read(tmp_path / "b.npz") == io.read(tmp_path / f"a.{suffix}")


def test_info_of_standard_input(given: object, capsys: pytest.CaptureFixture[str]) -> None:
    given(b"x,y,z\n1,2,3\n")  # type: ignore[operator]
    assert main(["info", "-", "--format", "csv", "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)
    assert (facts["file"], facts["points"]) == ("-", 1)


def test_what_is_missing_is_said(given: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    for content, words, sentence in (
        (b"1,2,3\n", ["convert", "-", str(tmp_path / "b.ply")], "standard input: does not begin as a file of a known"),
        (b"1,2\n", ["info", "-", "--format", "csv"], "standard input: line 1 has 2 values"),
        (b"", ["convert", str(tmp_path / "a.ply"), "-"], "name its format with --to"),
        (b"", ["convert", str(tmp_path / "a.ply"), str(tmp_path / "b.ply"), "--to", "ply"], "--to is for standard"),
        (b"", ["info", str(tmp_path / "a.ply"), "--format", "ply"], "--format is for standard input"),
    ):
        given(content)  # type: ignore[operator]
        assert main(words) == 2
        assert sentence in capsys.readouterr().err
