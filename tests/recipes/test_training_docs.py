"""docs/training.md is true: its example runs, its commands are understood, its recipes are the recipes."""

import re
import shlex
from pathlib import Path

import pytest

from cloud_transformers import models
from cloud_transformers.cli import VERBS
from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, reserved, taken_out
from cloud_transformers.cli.training import ablate, train
from cloud_transformers.recipes import RECIPES
from cloud_transformers.recipes.sweep import sweep_trials

TEXT = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    exec(compile(block, "docs/training.md", "exec"), {"__name__": "__main__"})
    assert "ModelNet40, 64 points" in capsys.readouterr().out


def test_recipes_are_the_recipes():
    assert re.findall(r"^\| `([a-z0-9-]+)` \|", TEXT, flags=re.MULTILINE) == list(RECIPES)
    for name, make in RECIPES.items():
        (row,) = re.findall(rf"^\| `{name}` \|.*\| (.*) \|$", TEXT, flags=re.MULTILINE)
        assert row.split(" (")[0] in make.__doc__ or (row == "-" and name.startswith("own-"))


def test_commands_are_understood(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("h5_files", "ShapeNetCompletion", "modelnet40_ply_hdf5_2048", "my_objects", "SCANS", "RUN"):
        (tmp_path / folder).mkdir()
    models.save(models.classifier("tiny", 15), tmp_path / "RUN/weights.safetensors")
    pattern = r"^[a-z0-9 -]*(?:cloudt|cloud_transformers\.cli) ((?:train|ablate) [a-z0-9-]+ .*)$"
    commands = re.findall(pattern, TEXT, flags=re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        verb, name, *words = shlex.split(command.partition("#")[0])
        assert verb in VERBS
        sweeps, others = taken_out("sweep", words)
        options = ablate.OPTIONS if verb == "ablate" else train.OPTIONS
        recipe, _ = chosen_recipe(name, others, also=reserved(options, others))
        assert sweep_trials(recipe, sweeps, 1)


@pytest.mark.parametrize("verb", re.findall(r"^cloudt ([a-z-]+)", TEXT, flags=re.MULTILINE))
def test_verbs_exist(verb):
    assert verb in VERBS
