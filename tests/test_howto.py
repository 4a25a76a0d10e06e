"""The guides of docs/howto, followed to the letter in a scratch copy of the project.

A guide is a sequence of steps, each of which begins a line:

    New file `PATH`:            and a block: the file
    In `PATH`, after:           and a block, then `add:` and a block: lines to put below others
    In `PATH`, replace:         and a block, then `by:` and a block
    Check:                      and a block of commands, which must succeed
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDES = sorted((ROOT / "docs" / "howto").glob("*.md"))
COPIED = ("src", "tests", "csrc", "docs", "README.md", "pyproject.toml", "mkdocs.yml")
BLOCK = r"```\w*\n(.*?)```"
STEP = re.compile(
    rf"^(?:New file `(?P<new>[^`]+)`:\n{BLOCK}"
    rf"|In `(?P<path>[^`]+)`, (?P<how>after|replace):\n{BLOCK}\n(?:add|by):\n{BLOCK}"
    rf"|(?P<check>Check):\n{BLOCK})",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Scratch:
    root: Path

    def follow(self, step: re.Match[str]) -> None:
        blocks = [block for block in step.groups()[1:] if block is not None]
        if step["new"]:
            path = self.root / step["new"]
            assert not path.exists(), f"{step['new']} is not new"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(blocks[0], encoding="utf-8")
        elif step["check"]:
            for command in blocks[-1].splitlines():
                self.run(command)
        else:
            old, new = blocks[-2:]
            path = self.root / step["path"]
            text = path.read_text(encoding="utf-8")
            old = old if step["how"] == "after" else old.rstrip("\n")
            assert text.count(old) == 1, f"{step['path']} has these lines {text.count(old)} times:\n{old}"
            path.write_text(text.replace(old, old + new if step["how"] == "after" else new.rstrip("\n")), "utf-8")

    def run(self, command: str) -> None:
        words = shlex.split(command)
        programs = {"python": [sys.executable], "cloudt": [sys.executable, "-m", "cloud_transformers.cli"]}
        environment = os.environ | {"PYTHONPATH": str(self.root / "src")}
        done = subprocess.run(
            [*programs[words[0]], *words[1:]], cwd=self.root, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_followed_to_the_letter(guide: Path, tmp_path: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name)  # with compiled modules, which are good while a file is unchanged
        else:
            shutil.copy(source, tmp_path / name)
    text = guide.read_text(encoding="utf-8")
    steps = list(STEP.finditer(text))
    assert steps[-1]["check"], "a guide ends with its check"
    assert len(steps) == len(re.findall(r"^(?:New file `|In `[^`]+`, |Check:)", text, re.MULTILINE)), "a step is odd"
    for step in steps:
        Scratch(tmp_path).follow(step)
