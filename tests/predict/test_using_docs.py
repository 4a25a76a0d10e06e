"""docs/using.md is true: its example runs and its commands are understood."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from cloud_transformers import cli
from cloud_transformers.models import weights as place

TEXT = (Path(__file__).parents[2] / "docs" / "using.md").read_text(encoding="utf-8")
NAMES = {
    "classification": "classifier-small",
    "completion": "completer-small",
    "reconstruction": "reconstructor-small",
    "segmentation": "segmenter-small",
}


def test_the_example_runs(
    tmp_path: Path,
    weights: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for task, name in NAMES.items():
        shutil.copy(weights[task], tmp_path / f"{name}.safetensors")
    monkeypatch.setattr(place, "BOX", tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    exec(compile(block, "docs/using.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.endswith("(80, 3)\n")
    assert (tmp_path / "full.ply").is_file()


def test_commands_are_understood() -> None:
    commands = re.findall(r"^cloudt (.*)$", TEXT, flags=re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        words = shlex.split(command.partition("#")[0])
        if words[0] in cli.VERBS:
            cli.build_parser().parse_args(words)


def test_defaults_and_options_are_those_of_the_verbs() -> None:
    for name in NAMES.values():
        assert f"`{name}`" in TEXT
    families = ("answers", "training", "shared")
    files = [path for family in families for path in (Path(cli.__file__).parent / family).glob("*.py")]
    known = "".join(path.read_text(encoding="utf-8") for path in files)
    for option in set(re.findall(r"--[a-z-]{2,}", TEXT)):
        assert option in known, option
