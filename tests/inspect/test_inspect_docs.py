"""docs/inspect.md is true: its example runs, its commands are understood, its pictures are there."""

import re
import shlex
from pathlib import Path

import pytest

from cloud_transformers import cli

PLACE = Path(__file__).parents[2] / "docs"
TEXT = (PLACE / "inspect.md").read_text(encoding="utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    exec(compile(block, "docs/inspect.md", "exec"), {})
    assert "planar (16, 16)" in capsys.readouterr().out


def test_commands_are_understood() -> None:
    commands = re.findall(r"^cloudt (.*)$", TEXT, flags=re.MULTILINE)
    assert len(commands) == 7
    for command in commands:
        cli.build_parser().parse_args(shlex.split(command))


def test_pictures_are_there() -> None:
    pictures = re.findall(r"\]\((images/[^)]+)\)", TEXT)
    assert len(pictures) == 4
    for picture in pictures:
        assert (PLACE / picture).is_file()
