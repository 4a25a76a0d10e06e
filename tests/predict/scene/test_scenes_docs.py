"""docs/scenes.md is true: its options exist, its example runs."""

import argparse
import re
from pathlib import Path
from typing import Any

import cloud_transformers as ct
from cloud_transformers.cli.answers import segment
from tests.predict.scene.scenes import room

TEXT = (Path(__file__).parents[3] / "docs" / "scenes.md").read_text(encoding="utf-8")


def test_options_exist() -> None:
    parser = argparse.ArgumentParser()
    segment.add_arguments(parser)
    known = {option for action in parser._actions for option in action.option_strings}
    mentioned = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", TEXT))
    assert len(mentioned) > 10
    others = {"--rooms", "--points"} | {"--meshes", "--shares"}  # of the example that makes a scene, and of a benchmark
    assert mentioned <= known | others


def test_example_runs(weights: dict[str, Path], tmp_path: Path) -> None:
    ct.write(tmp_path / "scene.ply", room(200, width=2, depth=2))
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL):
        exec(compile(block, "docs/scenes.md", "exec"), names)
    assert 0 <= names["count_floor"](str(tmp_path / "scene.ply"), str(weights["segmentation"])) <= 200
