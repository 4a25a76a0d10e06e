"""What the command says to shells and to Ctrl-C."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cloud_transformers.cli import VERBS, build_parser, main


def completed(line: str, tmp_path: Path) -> list[str]:
    """What a shell is told that could follow a line."""
    pytest.importorskip("argcomplete")
    answer = tmp_path / "answer"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    environment = os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}
    subprocess.run([sys.executable, "-m", "cloud_transformers.cli"], env=environment, check=True)
    return answer.read_text(encoding="utf-8").split()


def test_verbs_and_options_are_completed(tmp_path: Path) -> None:
    assert set(VERBS) <= set(completed("cloudt ", tmp_path))
    assert completed("cloudt conv", tmp_path) == ["convert"]
    assert completed("cloudt convert a.ply b.ply --non-finite k", tmp_path) == ["keep"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_takes(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("argcomplete")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "cloudt" in script
    if program := shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([program, "-n", str(tmp_path / "script")], check=True)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["segment", "a.las", "-o", "b.las"], "; the same command goes on where it stopped"),
        (["data", "make", "s3dis", "folder"], "; the same command goes on where it stopped"),
        (["classify", "a.ply"], "; with --skip-existing the same command answers what is left"),
        (["info", "a.ply"], ""),
    ],
)
def test_what_can_be_done_after_an_interruption(words: list[str], advice: str) -> None:
    assert build_parser().parse_args(words).interrupted == advice


def test_an_interruption_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cloud_transformers.cli.training.ablate.run", interrupted)
    assert main(["ablate", "segmentation"]) == 130
    assert capsys.readouterr().err == "cloudt: interrupted; the same command goes on where it stopped\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
@pytest.mark.parametrize(("flags", "code"), [([], 0), (["-u"], 141)], ids=["all is done", "on the way"])
def test_a_reader_that_has_enough_is_told_apart_by_what_is_done(flags: list[str], code: int) -> None:
    """`cloudt recipes | head -1`, where what is printed waits until all is done, or goes out line by line."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = [sys.executable, *flags, "-m", "cloud_transformers.cli", "recipes"]
        buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
        ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, env=buffered)
    finally:
        os.close(writer)
    assert (ended.returncode, ended.stderr) == (code, "")
