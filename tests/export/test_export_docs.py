"""docs/export.md is true: its example runs, its commands are understood, its table is the interface."""

import re
from pathlib import Path

import pytest

from cloud_transformers.cli import build_parser
from cloud_transformers.export.interface import interface_of
from tests.models.tiny import BUILDERS

TEXT = (Path(__file__).parents[2] / "docs" / "export.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    exec(compile(block, "docs/export.md", "exec"), {})
    assert capsys.readouterr().out == "(1000,) segmenter\n"


def test_commands_are_understood() -> None:
    commands = re.findall(r"^cloudt (.*)$", TEXT, flags=re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        build_parser().parse_args(command.split())


@pytest.mark.parametrize("kind", BUILDERS)
def test_the_table_is_the_interface(kind: str) -> None:
    interface = interface_of(BUILDERS[kind]("tiny"))
    (inputs, outputs) = re.findall(rf"^\| {kind} \| (.*) \| (.*) \|$", TEXT, flags=re.MULTILINE)[0]
    assert re.findall(r"`(\w+)`", inputs) == [port.name for port in interface.inputs]
    assert re.findall(r"`(\w+)`", outputs) == [port.name for port in interface.outputs]
